import { diff3MergeRegions } from "node-diff3";
import { countEqualPairs } from "../editing/differences.ts";
import type { DraftedItemParts } from "./draft.ts";
import { isSameValue } from "./parts.ts";

/**
 * Maximum number of pairs of equal lines that a merge compares. Comparing this many pairs takes about 50 ms.
 * A text with more pairs is reported as a conflict.
 */
const LINE_PAIRS_MAX = 50_000;

/** A part that two people changed in different ways. */
export interface PartConflict {
  part: string;
  base: unknown;
  theirs: unknown;
  mine: unknown;
}

export interface MergedParts {
  /** The merged value of each part of `mine` that has no conflict. */
  parts: DraftedItemParts;
  conflicts: readonly PartConflict[];
}

/**
 * Merges `mine`, the changed parts of an item, with `theirs`, the state that others have saved meanwhile.
 * Texts are merged line by line, and lists entry by entry.
 *
 * @param base the state from which both sides started.
 */
export function mergeChangedParts(
  mine: DraftedItemParts,
  { base, theirs }: { base: DraftedItemParts; theirs: DraftedItemParts },
): MergedParts {
  const parts: Record<string, unknown> = {};
  const conflicts: PartConflict[] = [];
  for (const [part, value] of Object.entries(mine)) {
    const sides = { base: base[part] ?? null, theirs: theirs[part] ?? null, mine: value };
    const merged = mergeValue(sides);
    if (merged === undefined) conflicts.push({ part, ...sides });
    else parts[part] = merged;
  }
  return { parts, conflicts };
}

/**
 * As {@link mergeChangedParts}, but merges every part that occurs in `mine`, `theirs` or `base`. Where a
 * part is missing, its value is null.
 */
export function mergeAllParts(
  mine: DraftedItemParts,
  { base, theirs }: { base: DraftedItemParts; theirs: DraftedItemParts },
): MergedParts {
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs), ...Object.keys(base)]);
  const all = Object.fromEntries([...names].map((name) => [name, mine[name] ?? null]));
  return mergeChangedParts(all, { base, theirs });
}

type MergeSides = Omit<PartConflict, "part">;

/** @returns undefined for a conflict. */
function mergeValue({ base, theirs, mine }: MergeSides): unknown {
  if (isSameValue(theirs, mine) || isSameValue(base, mine)) return theirs;
  if (isSameValue(base, theirs)) return mine;
  const texts = [base ?? "", theirs, mine];
  if (texts.every((text) => typeof text === "string")) {
    const [a = "", b = "", c = ""] = texts;
    return mergeLines(a.split("\n"), b.split("\n"), c.split("\n"))?.join("\n");
  }
  const lists = [base ?? [], theirs, mine];
  if (!lists.every(Array.isArray)) return undefined;
  const [a = [], b = [], c = []] = lists.map((list) => list.map((entry) => JSON.stringify(entry)));
  const merged = mergeLines(a, b, c);
  if (merged === null) return undefined;
  return [...new Set(merged)].map((entry): unknown => JSON.parse(entry));
}

/** Merges texts line by line. Null: the changes conflict, or the texts take too long to compare. */
function mergeLines(
  base: readonly string[],
  theirs: readonly string[],
  mine: readonly string[],
): string[] | null {
  const { start, end } = commonEnds(base, theirs, mine);
  const inner = (lines: readonly string[]) => lines.slice(start, lines.length - end);
  const [baseLines, theirLines, myLines] = [inner(base), inner(theirs), inner(mine)];
  if (countEqualPairs(baseLines, theirLines) + countEqualPairs(baseLines, myLines) > LINE_PAIRS_MAX)
    return null;
  // The library's `diff3Merge` is not used. It passes whole sequences of lines as arguments, so it fails at
  // more than about 120,000 lines.
  const regions = diff3MergeRegions([...theirLines], [...baseLines], [...myLines]);
  const merged: (readonly string[])[] = [];
  for (const region of regions) {
    if (!region.stable && !isSameValue(region.aContent, region.bContent)) return null;
    merged.push(region.stable ? region.bufferContent : region.aContent);
  }
  return [...base.slice(0, start), ...merged.flat(), ...(end === 0 ? [] : base.slice(-end))];
}

/**
 * Counts the lines at the start that all texts share (`start`). Of the remaining lines, counts those at the
 * end that all texts share (`end`).
 */
function commonEnds(...texts: readonly (readonly string[])[]): { start: number; end: number } {
  const shortest = Math.min(...texts.map(({ length }) => length));
  const isCommon = (at: number) => texts.every((lines) => lines.at(at) === texts[0]?.at(at));
  let start = 0;
  while (start < shortest && isCommon(start)) start += 1;
  let end = 0;
  while (end < shortest - start && isCommon(-1 - end)) end += 1;
  return { start, end };
}
