import { closeSync, openSync, readSync } from "node:fs";

const HEAD_BYTES = 16 * 1024;

/** The first 16 KiB of a file as a binary string, for detecting its kind. */
export function readFileHead(path: string): string {
  const head = Buffer.alloc(HEAD_BYTES);
  const file = openSync(path, "r");
  try {
    const length = readSync(file, head, 0, HEAD_BYTES, 0);
    return head.toString("latin1", 0, length);
  } finally {
    closeSync(file);
  }
}
