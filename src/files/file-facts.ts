import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

/** The size and hash of a file, to detect changes. */
export interface FileFingerprint {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Computes the size and the hash of a file by reading all of it. */
export async function readFileFingerprint(path: string): Promise<FileFingerprint> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}
