import { constants, createReadStream } from "node:fs";
import { type FileHandle, lstat, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { AppError } from "../../errors.ts";
import {
  createFile,
  isOutOfSpace,
  makeFolder,
  moveDurably,
  systemErrorCode,
} from "../../files/durable-files.ts";
import { joinPathBelow } from "../../files/path-below.ts";
import { claimStagingPath, clearAbandonedStagingFiles } from "../../files/staging.ts";
import type { JobFiles } from "../../transfer/job.ts";
import {
  importFileNotFoundError,
  LineCounter,
  UNKNOWN_FILE_GRACE_MILLISECONDS,
} from "./job-input.ts";

/** Prefix of the names of files that are still being received. */
const ARRIVING_PREFIX = "arriving-";

/** Stores each job's input and output as two files in one folder. */
export function openJobFolder(folder: string): JobFiles {
  makeFolder(folder);
  const inputPath = (id: string) => joinPathBelow(folder, `${id}.jsonl`);
  const resultPath = (id: string) => joinPathBelow(folder, `${id}.result.zip`);
  return {
    async storeInput(id, bytes) {
      await using part = await claimStagingPath(folder, ARRIVING_PREFIX);
      try {
        const lines = await writeAndCountLines(part.path, bytes);
        await moveDurably(part.path, inputPath(id));
        return lines;
      } catch (error) {
        await part.discard();
        throw translateFault(error);
      }
    },
    async hasInput(id) {
      return (await lstat(inputPath(id)).catch(() => null))?.isFile() === true;
    },
    async *readInput(id) {
      await using file = await openIfThere(inputPath(id));
      if (file === null) throw importFileNotFoundError();
      yield* file.createReadStream({ autoClose: false });
    },
    async localInput(id) {
      await using file = await openIfThere(inputPath(id));
      if (file === null) throw importFileNotFoundError();
      return { path: inputPath(id), [Symbol.asyncDispose]: async () => {} };
    },
    async writeResult(id, bytes) {
      const part = `${resultPath(id)}.part`;
      try {
        await rm(part, { force: true });
        await using file = await createFile(part);
        await file.writeFile(bytes);
        await file.sync();
      } catch (error) {
        await rm(part, { force: true });
        throw translateFault(error);
      }
      await moveDurably(part, resultPath(id));
    },
    async openResult(id) {
      const found = await lstat(resultPath(id)).catch(() => null);
      if (found === null || !found.isFile()) return null;
      return { bytes: found.size, stream: () => Readable.toWeb(createReadStream(resultPath(id))) };
    },
    async removeInput(id) {
      await rm(inputPath(id), { force: true });
    },
    clearAbandoned: () => clearAbandonedStagingFiles(folder, ARRIVING_PREFIX),
    async clear(known, now) {
      makeFolder(folder);
      for (const name of await readdir(folder)) {
        if (name.startsWith(ARRIVING_PREFIX) || known.has(name.split(".")[0] ?? "")) continue;
        const path = join(folder, name);
        const found = await stat(path).catch(() => null);
        const isOld =
          found !== null && now.getTime() - found.mtimeMs > UNKNOWN_FILE_GRACE_MILLISECONDS;
        if (isOld) await rm(path, { recursive: true, force: true });
      }
    },
  };
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** @returns the number of lines written. */
async function writeAndCountLines(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const count = new LineCounter();
  await using file = await createFile(path);
  for await (const piece of count.of(bytes)) await file.writeFile(piece);
  await file.sync();
  return count.lines;
}

function translateFault(error: unknown): unknown {
  if (!isOutOfSpace(error)) return error;
  return new AppError(
    "unavailable",
    {
      en: "Cannot store the file: the disk is full",
      de: "Die Datei lässt sich nicht speichern: Auf dem Server ist kein Platz mehr",
    },
    { cause: error },
  );
}
