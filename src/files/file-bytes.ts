import { createReadStream } from "node:fs";

/**
 * The bytes of a file. Opens the file on the first read, so that a failure to open throws in the
 * consumer.
 */
export async function* readFileBytes(path: string): AsyncIterable<Uint8Array> {
  yield* createReadStream(path);
}
