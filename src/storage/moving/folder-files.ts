import { lstat, open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseMediumFileName } from "../../content/media/media-kinds.ts";
import {
  createFile,
  entryNamesInFolder,
  makeFolder,
  moveDurably,
} from "../../files/durable-files.ts";
import { pathBelow } from "../../files/path-below.ts";
import type { RecordFiles } from "./readable-record.ts";

/**
 * For each folder, a function that tells from a file's name whether the file is complete. Other
 * files are still being written.
 */
const MOVED_FILES: Readonly<Record<string, (name: string) => boolean>> = {
  media: (name) => parseMediumFileName(name) !== null,
  jobs: (name) => /^[0-9a-f-]{36}(?:\.jsonl|\.result\.zip)$/.test(name),
};

/** Media and job files in a data folder. */
export function recordFilesInFolder(dataFolder: string): RecordFiles {
  const placeOf = (name: string) => pathBelow(dataFolder, ...name.split("/"));
  return {
    async list(folder) {
      const found = await entryNamesInFolder(join(dataFolder, folder));
      const names = found.filter((name) => MOVED_FILES[folder]?.(name) === true).sort();
      return await Promise.all(
        names.map(async (name) => {
          const { mtime } = await stat(join(dataFolder, folder, name));
          return { name: `${folder}/${name}`, storedAt: mtime };
        }),
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

async function* readPieces(path: string): AsyncGenerator<Uint8Array> {
  await using file = await open(path, "r");
  yield* file.createReadStream({ autoClose: false });
}
