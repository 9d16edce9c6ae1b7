import { createWriteStream } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { MediaFile, ResizedPictureStore, StoredFile } from "../../../content/media/media.ts";
import { parseSizeFileName, resizedWidths } from "../../../content/media/picture-sizes.ts";
import {
  listFolderEntryNames,
  makeFolder,
  moveDurably,
  pathExists,
  restrictAndSyncFile,
  syncFolder,
} from "../../../files/durable-files.ts";
import { joinPathBelow } from "../../../files/path-below.ts";
import { TaskProgram, TaskProgramError } from "../../../work/task-program.ts";
import { findStoredFile } from "../stored-file.ts";
import { CLEAN_FILE, ORIGINAL_FILE, writeCopyWithoutMetadata } from "./clean-copy.ts";
import { type PictureSizeTask, pictureSizeResultSchema } from "./size-task.ts";

/**
 * Version of the smaller pictures. Raise it when their sizes or encoding change, so that all are
 * regenerated.
 */
const FORMAT_VERSION = "1";
const MAKING_FOLDER = "making";
const PROGRAM_FILE = new URL("./size-program.ts", import.meta.url);
const PROCESS_LIMITS = { secondsMax: 60, waitingMax: 4, idleMilliseconds: 2000 };

/**
 * Opens a folder with one subfolder of smaller versions per picture. A subfolder is filled under
 * another name and renamed when complete, so no subfolder is ever partial. Each machine has its own
 * folder, because smaller versions can always be regenerated.
 */
export function openPictureSizeFolder(place: string): ResizedPictureStore {
  const folder = join(place, FORMAT_VERSION);
  const making = join(folder, MAKING_FOLDER);
  const program = new TaskProgram<PictureSizeTask, string | null>(
    PROGRAM_FILE,
    refusalInResponse,
    PROCESS_LIMITS,
  );
  const make = async ({ type, width }: MediaFile, target: string): Promise<string | null> => {
    const widths = resizedWidths({ type, width });
    if (widths.length === 0) {
      await writeCopyWithoutMetadata(target, type);
      return null;
    }
    const task = { folder: target, type, widths };
    for (const isLast of [false, true]) {
      try {
        return await program.run(task);
      } catch (error) {
        // Tries again, because something other than the picture may have ended the process.
        if (!(error instanceof TaskProgramError)) throw error;
        if (isLast) return error.message;
      }
    }
    return null;
  };
  return {
    async find(name) {
      const read = parseSizeFileName(name);
      if (read === null) return null;
      const { width, format } = read.size;
      return await findStoredFile(joinPathBelow(folder, read.id, `${width}.${format}`));
    },
    findClean: async (id) => await findStoredFile(joinPathBelow(folder, id, CLEAN_FILE)),
    isMade: async (id) => await pathExists(joinPathBelow(folder, id)),
    async make(medium, original) {
      const target = joinPathBelow(making, medium.id);
      await rm(target, { recursive: true, force: true });
      try {
        makeFolder(target);
        await copy(original, join(target, ORIGINAL_FILE));
        const refusal = await make(medium, target);
        await rm(join(target, ORIGINAL_FILE));
        if (refusal !== null) await keepOnly(target, CLEAN_FILE);
        for (const name of await readdir(target)) await restrictAndSyncFile(join(target, name));
        await syncFolder(target);
        await moveDurably(target, joinPathBelow(folder, medium.id));
        return refusal;
      } catch (error) {
        await rm(target, { recursive: true, force: true });
        throw error;
      }
    },
    async ids() {
      return (await listFolderEntryNames(folder)).filter((name) => name !== MAKING_FOLDER);
    },
    async remove(id) {
      // Renames the folder first, so that an interrupted removal leaves no partial folder.
      const target = joinPathBelow(making, id);
      makeFolder(making);
      await rm(target, { recursive: true, force: true });
      await rename(joinPathBelow(folder, id), target);
      await rm(target, { recursive: true, force: true });
    },
    stop: () => program.stop(),
  };
}

/** @returns why the picture cannot be decoded, or null. @throws for a fault of the disk. */
function refusalInResponse(message: unknown): string | null {
  const { refusal, systemFault } = pictureSizeResultSchema.parse(message);
  if (systemFault !== null) throw new Error(systemFault);
  return refusal;
}

async function copy(file: StoredFile, to: string): Promise<void> {
  const bytes = file.stream({ start: 0, end: file.bytes - 1 });
  await pipeline(Readable.from(bytes), createWriteStream(to, { mode: 0o600 }));
}

async function keepOnly(folder: string, kept: string): Promise<void> {
  for (const name of await readdir(folder)) if (name !== kept) await rm(join(folder, name));
}
