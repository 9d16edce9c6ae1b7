import { diffIndices } from "node-diff3";

/**
 * Maximum number of pairs of equal lines or words to compare, about 50 ms of work. With more pairs, the
 * whole text counts as changed.
 */
const PAIRS_MAX = 50_000;

/** A piece of text that is in both compared texts (`same`) or in only one of them. */
export interface DiffPiece {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Compares two texts by lines, and changed lines by words. */
export function diffTexts(before: string, after: string): DiffPiece[] {
  const lines = diffLines(before, after);
  const pieces: DiffPiece[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const piece = lines[at];
    const next = lines[at + 1];
    if (piece === undefined) continue;
    if (piece.kind === "removed" && next?.kind === "added") {
      const compared = compareEntries(wordsOf(piece.text), wordsOf(next.text));
      for (const each of compared) pieces.push(each);
      at += 1;
    } else {
      pieces.push(piece);
    }
  }
  return pieces;
}

/** Compares two texts by whole lines, including their line breaks. */
export function diffLines(before: string, after: string): DiffPiece[] {
  return compareEntries(before.split(/(?<=\n)/), after.split(/(?<=\n)/));
}

/** Compares two lists of lines or words. Removals precede additions at the same position. */
function compareEntries(before: readonly string[], after: readonly string[]): DiffPiece[] {
  if (countEqualPairs(before, after) > PAIRS_MAX) {
    return nonEmpty([
      { kind: "removed", text: before.join("") },
      { kind: "added", text: after.join("") },
    ]);
  }
  const pieces: DiffPiece[] = [];
  let at = 0;
  for (const { buffer1, buffer2Content, buffer1Content } of diffIndices([...before], [...after])) {
    const [start, length] = buffer1;
    pieces.push({ kind: "same", text: before.slice(at, start).join("") });
    pieces.push({ kind: "removed", text: buffer1Content.join("") });
    pieces.push({ kind: "added", text: buffer2Content.join("") });
    at = start + length;
  }
  pieces.push({ kind: "same", text: before.slice(at).join("") });
  return nonEmpty(pieces);
}

function nonEmpty(pieces: readonly DiffPiece[]): DiffPiece[] {
  return pieces.filter(({ text }) => text !== "");
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
}

/** The number of pairs of equal entries. It estimates the cost of a comparison, which visits each pair. */
export function countEqualPairs(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const entry of b) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return a.reduce((pairs, entry) => pairs + (counts.get(entry) ?? 0), 0);
}
