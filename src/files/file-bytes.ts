import { createReadStream } from "node:fs";

/** Opens the file on the first read, so that an error reaches the reader. */
export async function* fileBytes(path: string): AsyncIterable<Uint8Array> {
  yield* createReadStream(path);
}
