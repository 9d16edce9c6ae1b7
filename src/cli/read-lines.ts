import { createReadStream } from "node:fs";

/** A line of a file, from 1; `text` is null when it is too long or not UTF-8, and `fault` says so. */
export type Line =
  | { number: number; text: string; bytes: number }
  | { number: number; text: null; fault: string; bytes: number };

/** Holds any item the limits allow: a body of 1 MiB, every character of it escaped twice. */
export const LINE_BYTES_MAX = 4 * 1024 * 1024;

/** Reads a file line by line, however long it is; never more than one line is held in memory. */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 0;
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of createReadStream(file)) {
    if (!Buffer.isBuffer(chunk)) continue;
    let rest: Buffer = chunk;
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

function lineOf(pieces: readonly Buffer[], number: number, bytes: number): Line {
  if (bytes > LINE_BYTES_MAX) {
    const fault = `is longer than ${LINE_BYTES_MAX / 1024 / 1024} MiB`;
    return { number, text: null, fault, bytes };
  }
  const text = decodedUtf8(Buffer.concat(pieces));
  if (text === null) return { number, text, fault: "is not UTF-8", bytes };
  return { number, text, bytes };
}

/** Null: these bytes are not UTF-8. */
export function decodedUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
