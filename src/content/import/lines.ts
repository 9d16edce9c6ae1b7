import type { Wording } from "../../errors.ts";

/**
 * A line of a file, numbered from 1. If the line is too long or not UTF-8, `text` is null and
 * `fault` says why.
 */
export type NumberedLine =
  | { number: number; text: string; bytes: number }
  | { number: number; text: null; fault: Wording; bytes: number };

/** Enough for any valid item: a body of 1 MiB with every character escaped twice. */
export const LINE_BYTES_MAX = 4 * 1024 * 1024;

/** Splits a stream into lines, with at most one line in memory. */
export async function* splitIntoLines(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax = LINE_BYTES_MAX,
): AsyncGenerator<NumberedLine> {
  let lineNumber = 0;
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      bytes += end;
      if (bytes <= bytesMax) pieces.push(rest.subarray(0, end));
      lineNumber += 1;
      yield lineOf(pieces, { number: lineNumber, bytes, bytesMax });
      pieces = [];
      bytes = 0;
      rest = rest.subarray(end + 1);
    }
    bytes += rest.length;
    if (bytes <= bytesMax) pieces.push(rest);
  }
  if (bytes > 0) yield lineOf(pieces, { number: lineNumber + 1, bytes, bytesMax });
}

export function countLineBreaks(text: string): number {
  return text.split(/\r\n?|\n/).length - 1;
}

/** The fault of a file or line that is not UTF-8. */
export const NOT_UTF8_MESSAGE: Wording = {
  en: "is not UTF-8",
  de: "ist nicht in UTF-8 gespeichert",
};

/** The fault of a file or line that is longer than this number of MiB. */
export function tooLongMessage(mebibytes: number): Wording {
  return { en: `is longer than ${mebibytes} MiB`, de: `ist länger als ${mebibytes} MB` };
}

function lineOf(
  pieces: readonly Uint8Array[],
  { number, bytes, bytesMax }: { number: number; bytes: number; bytesMax: number },
): NumberedLine {
  if (bytes > bytesMax) {
    const fault = tooLongMessage(bytesMax / 1024 / 1024);
    return { number, text: null, fault, bytes };
  }
  const [only] = pieces;
  const text = decodeUtf8(pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces));
  if (text === null) return { number, text, fault: NOT_UTF8_MESSAGE, bytes };
  return { number, text, bytes };
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Returns null if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
