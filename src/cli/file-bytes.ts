import { createReadStream } from "node:fs";

/** The bytes of a file, opened when the first are asked for: what a stream says before is heard by nobody. */
export async function* fileBytes(path: string): AsyncIterable<Uint8Array> {
  yield* createReadStream(path);
}
