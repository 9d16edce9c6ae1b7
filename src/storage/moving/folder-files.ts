import { randomUUID } from "node:crypto";
import { lstat, open, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readMediumFile } from "../../content/media/media-kinds.ts";
import { createFile, makeFolder, moveDurably, namesInFolder } from "../../files/durable-files.ts";
import { pathBelow } from "../../files/path-below.ts";
import type { MovedFiles } from "./sides.ts";

/** Names of complete files in each folder. Any other file is still being written. */
const KEPT: Readonly<Record<string, (name: string) => boolean>> = {
  media: (name) => readMediumFile(name) !== null,
  jobs: (name) => /^[0-9a-f-]{36}(?:\.result)?\.jsonl$/.test(name),
};

/** Name prefix of a file still being received. */
export const MOVING_PREFIX = "moving-";

/** Media and job files in a data folder. */
export function folderFiles(dataFolder: string): MovedFiles {
  const placeOf = (name: string) => pathBelow(dataFolder, ...name.split("/"));
  return {
    async list(folder) {
      const found = await namesInFolder(join(dataFolder, folder));
      const names = found.filter((name) => KEPT[folder]?.(name) === true).sort();
      return await Promise.all(
        names.map(async (name) => {
          const { mtime } = await stat(join(dataFolder, folder, name));
          return { name: `${folder}/${name}`, keptAt: mtime };
        }),
      );
    },
    async find(name) {
      const path = placeOf(name);
      const found = await lstat(path).catch(() => null);
      return found === null || !found.isFile()
        ? null
        : { bytes: found.size, pieces: () => piecesOf(path) };
    },
    async remove(name) {
      await rm(placeOf(name), { force: true });
    },
    async receive(bytes) {
      const place = join(dataFolder, `${MOVING_PREFIX}${randomUUID()}`);
      makeFolder(dataFolder);
      const remove = async () => await rm(place, { force: true });
      try {
        await using file = await createFile(place);
        for await (const piece of bytes) await file.writeFile(piece);
        await file.sync();
      } catch (error) {
        await remove();
        throw error;
      }
      return {
        async keep(name) {
          const path = placeOf(name);
          makeFolder(dirname(path));
          await moveDurably(place, path);
        },
        [Symbol.asyncDispose]: remove,
      };
    },
  };
}

async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  await using file = await open(path, "r");
  yield* file.createReadStream({ autoClose: false });
}
