import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MediaFileStorage, ReceivedFile } from "../../content/media/media.ts";
import {
  MEDIA_FILE_BYTES_MAX,
  mediaFileIdFromHash,
  mediaFileName,
  parseMediaFileName,
} from "../../content/media/media-kinds.ts";
import { AppError } from "../../errors.ts";
import { createFile, isOutOfSpace, makeFolder, moveDurably } from "../../files/durable-files.ts";
import { joinPathBelow } from "../../files/path-below.ts";
import { makeTemporaryFolder } from "../../files/temporary-folder.ts";
import { findStoredFile, nullIfFileAbsent } from "./stored-file.ts";
import { openTrashFolder } from "./trash-folder.ts";

const RECEIVING_HOURS_MAX = 1;

export interface MediaFolder extends MediaFileStorage {
  receive(bytes: AsyncIterable<Uint8Array>): Promise<FileInFolder>;
  /**
   * Stores an unchanged copy of a file from another store. Does nothing if the folder already has
   * it.
   * @throws {AppError} `invalid` when the bytes do not match the hash in the name. Nothing is
   * stored then.
   */
  adopt(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

interface FileInFolder extends ReceivedFile {
  /** The bytes to store. They can be read until the received file is disposed of. */
  read(): AsyncIterable<Uint8Array>;
}

/**
 * Opens a folder of files that are named by content hash. Other processes and machines may share
 * it. Uploads arrive in a subfolder, which is on the same file system, so that a rename moves them
 * into place.
 */
export function openMediaFolder(folder: string): MediaFolder {
  const receiving = join(folder, "receiving");
  makeFolder(receiving);
  return {
    async receive(bytes) {
      const path = join(receiving, randomUUID());
      try {
        const written = await writeAll(bytes, path);
        return await receivedFile(path, { folder, ...written });
      } catch (error) {
        await rm(path, { force: true });
        throw translateFault(error);
      }
    },
    async inspect(bytes) {
      await using place = await makeTemporaryFolder();
      const path = join(place.path, "file");
      try {
        const written = await writeAll(bytes, path);
        await using file = await receivedFile(path, { folder, ...written });
        const { id, type, width, height, credit, notices } = file;
        return { id, type, bytes: file.bytes, width, height, credit, notices };
      } catch (error) {
        throw translateFault(error);
      }
    },
    async find(name) {
      if (parseMediaFileName(name) === null) return null;
      return await findStoredFile(joinPathBelow(folder, name));
    },
    async remove(name) {
      if (parseMediaFileName(name) !== null) await rm(joinPathBelow(folder, name), { force: true });
    },
    trash: openTrashFolder(folder),
    async names() {
      return (await readdir(folder)).filter((name) => parseMediaFileName(name) !== null);
    },
    async adopt(name, bytes) {
      if ((await lstat(joinPathBelow(folder, name)).catch(nullIfFileAbsent)) !== null) return;
      const path = join(receiving, randomUUID());
      try {
        const { sha256 } = await writeAll(bytes, path);
        if (parseMediaFileName(name)?.id !== mediaFileIdFromHash(sha256)) throw hashMismatch(name);
        await moveIntoFolder(path, { folder, name });
      } catch (error) {
        await rm(path, { force: true });
        throw translateFault(error);
      }
    },
    async removeAbandonedUploads(now) {
      const oldest = now.getTime() - RECEIVING_HOURS_MAX * 60 * 60 * 1000;
      for (const name of await readdir(receiving)) {
        const path = join(receiving, name);
        const found = await stat(path).catch(nullIfFileAbsent);
        if (found !== null && found.mtimeMs < oldest) await rm(path, { force: true });
      }
    },
  };
}

interface WrittenFile {
  sha256: string;
  size: number;
}

/** Writes an upload and syncs it to disk, so that the upload can be confirmed. */
async function writeAll(bytes: AsyncIterable<Uint8Array>, path: string): Promise<WrittenFile> {
  const hash = createHash("sha256");
  let size = 0;
  await using file = await createFile(path);
  for await (const piece of bytes) {
    size += piece.length;
    if (size > MEDIA_FILE_BYTES_MAX) throw tooLarge();
    hash.update(piece);
    await file.writeFile(piece);
  }
  await file.sync();
  return { sha256: hash.digest("hex"), size };
}

async function receivedFile(
  path: string,
  { folder, sha256, size }: WrittenFile & { folder: string },
): Promise<FileInFolder> {
  if (size === 0)
    throw new AppError("invalid", { en: "The file is empty", de: "Die Datei ist leer" });
  // Imported on first use, because image parsers are large and seldom needed.
  const { inspectMediaFile: readMediaFacts } = await import("./facts.ts");
  const facts = await readMediaFacts(path, size);
  const { kind, width, height, credit, notices } = facts;
  const written = facts.cleaned === null ? { sha256, size } : await rewrite(path, facts.cleaned);
  const id = mediaFileIdFromHash(written.sha256);
  const name = mediaFileName({ id, type: kind.type });
  let isKept = false;
  return {
    ...{ id, type: kind.type, bytes: written.size, width, height, credit, notices },
    async *read() {
      yield* createReadStream(path);
    },
    async keep() {
      if (isKept) return;
      try {
        await moveIntoFolder(path, { folder, name });
        isKept = true;
      } catch (error) {
        throw translateFault(error);
      }
    },
    async [Symbol.asyncDispose]() {
      if (!isKept) await rm(path, { force: true });
    },
  };
}

/** Moves an upload into the folder and syncs the folder, so that the upload can be confirmed. */
async function moveIntoFolder(
  path: string,
  { folder, name }: { folder: string; name: string },
): Promise<void> {
  await moveDurably(path, joinPathBelow(folder, name));
}

async function rewrite(path: string, cleaned: string | Uint8Array): Promise<WrittenFile> {
  const bytes = typeof cleaned === "string" ? Buffer.from(cleaned) : cleaned;
  await writeFile(path, bytes, { flush: true });
  return { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
}

function translateFault(error: unknown): unknown {
  if (!isOutOfSpace(error)) return error;
  return new AppError(
    "unavailable",
    {
      en: "Cannot store the file: the disk is full. Nothing was added",
      de: "Die Datei lässt sich nicht speichern: Auf dem Server ist kein Platz mehr. Es wurde nichts hinzugefügt",
    },
    {
      cause: error,
    },
  );
}

function hashMismatch(name: string): AppError {
  return new AppError("invalid", {
    en: `The file ${name} is damaged: its content does not match the hash in its name`,
    de: `Die Datei ${name} ist beschädigt: Ihr Inhalt passt nicht zu ihrem Namen`,
  });
}

function tooLarge(): AppError {
  const limit = MEDIA_FILE_BYTES_MAX / 1024 / 1024;
  return new AppError("too_large", {
    en: `The file is larger than ${limit} MiB`,
    de: `Die Datei ist größer als ${limit} MB`,
  });
}
