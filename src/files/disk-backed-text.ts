import { appendFileSync, createReadStream } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "./temporary-folder.ts";

const BUFFERED_CHARACTERS_MAX = 64 * 1024;

/**
 * Text in a temporary file, for lists that are too long for memory. The file is deleted when the object is
 * disposed of.
 */
export interface DiskBackedText extends AsyncDisposable {
  add(text: string): void;
  /** Everything added so far. */
  bytes(): AsyncIterable<Uint8Array>;
}

export async function createDiskBackedText(): Promise<DiskBackedText> {
  const folder = await makeTemporaryFolder();
  const path = join(folder.path, "text");
  let buffered = "";
  // Opens the file for each write, because Node ends the process if it garbage-collects a file
  // handle that is still open.
  const flush = () => {
    appendFileSync(path, buffered, { mode: 0o600 });
    buffered = "";
  };
  return {
    add(text) {
      buffered += text;
      if (buffered.length >= BUFFERED_CHARACTERS_MAX) flush();
    },
    bytes() {
      flush();
      return createReadStream(path);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
