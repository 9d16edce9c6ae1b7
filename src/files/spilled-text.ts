import { createReadStream, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { makeTemporaryFolder } from "./temporary-folder.ts";

const BUFFERED_CHARACTERS_MAX = 64 * 1024;

/** Text in a temporary file, for lists that are too long for memory. Deleted when disposed of. */
export interface SpilledText extends AsyncDisposable {
  add(text: string): void;
  /** Everything added so far. */
  bytes(): AsyncIterable<Uint8Array>;
}

export async function spillText(): Promise<SpilledText> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await makeTemporaryFolder());
  const path = join(folder.path, "text");
  const file = opened.use(await open(path, "wx", 0o600));
  let buffered = "";
  const flush = () => {
    writeSync(file.fd, buffered);
    buffered = "";
  };
  const owned = opened.move();
  return {
    add(text) {
      buffered += text;
      if (buffered.length >= BUFFERED_CHARACTERS_MAX) flush();
    },
    bytes() {
      flush();
      return createReadStream(path);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
