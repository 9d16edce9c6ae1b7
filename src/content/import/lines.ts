/** A line of a file, from 1; `text` is null when it is too long or not UTF-8, and `fault` says so. */
export type Line =
  | { number: number; text: string; bytes: number }
  | { number: number; text: null; fault: string; bytes: number };

/** Holds any item the limits allow: a body of 1 MiB, every character of it escaped twice. */
export const LINE_BYTES_MAX = 4 * 1024 * 1024;

/** Takes bytes apart line by line, however many they are; never more than one line is held. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let number = 0;
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      bytes += end;
      if (bytes <= LINE_BYTES_MAX) pieces.push(rest.subarray(0, end));
      number += 1;
      yield lineOf(pieces, number, bytes);
      pieces = [];
      bytes = 0;
      rest = rest.subarray(end + 1);
    }
    bytes += rest.length;
    if (bytes <= LINE_BYTES_MAX) pieces.push(rest);
  }
  if (bytes > 0) yield lineOf(pieces, number + 1, bytes);
}

function lineOf(pieces: readonly Uint8Array[], number: number, bytes: number): Line {
  if (bytes > LINE_BYTES_MAX) {
    const fault = `is longer than ${LINE_BYTES_MAX / 1024 / 1024} MiB`;
    return { number, text: null, fault, bytes };
  }
  const text = decodedUtf8(Buffer.concat(pieces));
  if (text === null) return { number, text, fault: "is not UTF-8", bytes };
  return { number, text, bytes };
}

/** Null: these bytes are not UTF-8. */
export function decodedUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
