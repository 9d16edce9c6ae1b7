import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mediaFileIdFromHash, parseMediaFileName } from "../../content/media/media-kinds.ts";
import { AppError } from "../../errors.ts";
import { systemErrorCode } from "../../files/durable-files.ts";
import { joinPathBelow } from "../../files/path-below.ts";

/** Returns the bytes of a file; null if there is no such file. */
export type MediaFileReader = (name: string) => Promise<AsyncIterable<Uint8Array> | null>;

export interface MissingOrDamagedFile {
  name: string;
  fault: "missing" | "damaged";
}

/**
 * Reads files of the site, and yields the faulty ones: missing files, and files whose bytes do not
 * match the hash in their name.
 */
export async function* findMissingOrDamagedFiles(
  names: Iterable<string>,
  read: MediaFileReader,
): AsyncGenerator<MissingOrDamagedFile> {
  for (const name of names) {
    const bytes = await read(name);
    const sha256 = bytes === null ? null : await sha256Of(bytes);
    if (sha256 === null) yield { name, fault: "missing" };
    else if (parseMediaFileName(name)?.id !== mediaFileIdFromHash(sha256))
      yield { name, fault: "damaged" };
  }
}

export function mediaFileReaderForFolder(folder: string): MediaFileReader {
  return async (name) => createReadStream(joinPathBelow(folder, name));
}

/** Returns null if the file does not exist, and an empty text if it cannot be read completely. */
async function sha256Of(bytes: AsyncIterable<Uint8Array>): Promise<string | null> {
  const hash = createHash("sha256");
  try {
    for await (const piece of bytes) hash.update(piece);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT") return null;
    const endsEarly = error instanceof AppError && error.code === "not_found";
    if (code === "EIO" || endsEarly) return "";
    throw error;
  }
  return hash.digest("hex");
}
