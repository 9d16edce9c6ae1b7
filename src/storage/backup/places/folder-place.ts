import { createReadStream } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createFile, makeFolder, moveDurably } from "../../../files/durable-files.ts";
import { claimStagingPath, clearAbandonedStagingFiles } from "../../../files/staging.ts";
import { explainStorageError } from "../storage-errors.ts";
import { BACKUP_STAGING_PREFIX } from "../write-backup.ts";
import { type BackupPlace, isBackupName } from "./backup-place.ts";

const REMOVED_SUFFIX = "-removed";
const PIECE_BYTES = 1024 * 1024;

export function createFolderBackupPlace(folder: string): BackupPlace {
  return {
    address: folder,
    names: () => readdir(folder),
    write: (name, content) => writeFile(folder, name, content),
    read: (name) => createReadStream(join(folder, name), { highWaterMark: PIECE_BYTES }),
    /**
     * Renames the backup first, so that a partly removed backup is never mistaken for a complete
     * one.
     */
    async remove(name) {
      const path = join(folder, name);
      await rename(path, path + REMOVED_SUFFIX);
      await rm(path + REMOVED_SUFFIX, { recursive: true });
    },
    async clearAbandoned() {
      makeFolder(folder);
      await clearAbandonedStagingFiles(folder, BACKUP_STAGING_PREFIX);
      for (const name of await readdir(folder)) {
        const isLeftover =
          name.endsWith(REMOVED_SUFFIX) && isBackupName(name.slice(0, -REMOVED_SUFFIX.length));
        if (isLeftover) await rm(join(folder, name), { recursive: true });
      }
    },
  };
}

async function writeFile(
  folder: string,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  await clearAbandonedStagingFiles(folder, BACKUP_STAGING_PREFIX);
  await using part = await claimStagingPath(folder, BACKUP_STAGING_PREFIX);
  try {
    {
      await using file = await createFile(part.path);
      for await (const piece of content) await file.writeFile(piece);
      await file.sync();
    }
    await moveDurably(part.path, join(folder, name));
  } catch (error) {
    await part.discard();
    throw explainStorageError(error, {
      en: `Cannot back up to ${folder}`,
      de: `Nach ${folder} lässt sich nicht sichern`,
    });
  }
}
