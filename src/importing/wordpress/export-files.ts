import { createReadStream } from "node:fs";
import {
  type WxrFact,
  type WxrRecord,
  wxrRecords,
} from "../../content/import/wordpress/wxr-records.ts";
import { headOf } from "../file-head.ts";

/** Whether a file is an export of WordPress, judged by its beginning. */
export function isWordPressExport(path: string): boolean {
  return /wordpress\.org\/export\//.test(headOf(path));
}

/**
 * The records of all files, in order.
 *
 * @param onBytes is called with the number of bytes of each chunk that is read.
 * @throws {AppError} `invalid` for a damaged export.
 */
export async function* recordsOf(
  files: readonly string[],
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<WxrRecord | WxrFact> {
  for (const file of files) yield* wxrRecords(textOf(file, onBytes));
}

async function* textOf(file: string, onBytes: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8");
  for await (const piece of createReadStream(file)) {
    onBytes(piece.length);
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
}
