import { lstat, open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseMediaFileName } from "../../content/media/media-kinds.ts";
import {
  isTrashDay,
  parseSharedTrashName,
  sharedTrashName,
  TRASH_FOLDER,
} from "../../content/media/media-trash.ts";
import {
  createFile,
  listFolderEntryNames,
  makeFolder,
  moveDurably,
} from "../../files/durable-files.ts";
import { joinPathBelow } from "../../files/path-below.ts";
import type { RecordFiles } from "./readable-record.ts";

/**
 * For each folder, a function that finds out from a file's name whether the file is complete. Other files
 * are still being written.
 */
const MOVED_FILES: Readonly<Record<string, (name: string) => boolean>> = {
  media: (name) => parseMediaFileName(name) !== null,
  [TRASH_FOLDER]: (name) => parseMediaFileName(parseSharedTrashName(name)?.name ?? "") !== null,
  jobs: (name) => /^[0-9a-f-]{36}(?:\.jsonl|\.result\.zip)$/.test(name),
};

/** Media, trashed media and job files in a data folder. */
export function recordFilesInFolder(dataFolder: string): RecordFiles {
  const placeOf = (name: string) => joinPathBelow(dataFolder, ...partsOf(name));
  return {
    async list(folder) {
      const path = join(dataFolder, folder);
      const found = await (folder === TRASH_FOLDER ? namesInTrash : listFolderEntryNames)(path);
      const names = found
        .filter((name) => MOVED_FILES[folder]?.(name) === true)
        .map((name) => `${folder}/${name}`)
        .sort();
      return await Promise.all(
        names.map(async (name) => ({ name, storedAt: (await stat(placeOf(name))).mtime })),
      );
    },
    async find(name) {
      const path = placeOf(name);
      const found = await lstat(path).catch(() => null);
      return found === null || !found.isFile()
        ? null
        : { bytes: found.size, pieces: () => readPieces(path) };
    },
    async write(name, bytes) {
      const path = placeOf(name);
      const part = `${path}.part`;
      makeFolder(dirname(path));
      try {
        await using file = await createFile(part);
        for await (const piece of bytes) await file.writeFile(piece);
        await file.sync();
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
      await moveDurably(part, path);
    },
  };
}

/** The parts of a file's path. The trash of a data folder has a subfolder for each day. */
function partsOf(name: string): string[] {
  const [folder = "", file = ""] = name.split("/");
  const trashed = folder === TRASH_FOLDER ? parseSharedTrashName(file) : null;
  return trashed === null ? [folder, file] : [folder, trashed.day, trashed.name];
}

async function namesInTrash(trash: string): Promise<string[]> {
  const days = (await listFolderEntryNames(trash)).filter(isTrashDay);
  const names = days.map(async (day) => {
    const files = await listFolderEntryNames(join(trash, day));
    return files.map((file) => sharedTrashName(day, file));
  });
  return (await Promise.all(names)).flat();
}

async function* readPieces(path: string): AsyncGenerator<Uint8Array> {
  await using file = await open(path, "r");
  yield* file.createReadStream({ autoClose: false });
}
