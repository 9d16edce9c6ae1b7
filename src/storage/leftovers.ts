import { rm } from "node:fs/promises";
import { join } from "node:path";
import { listFolderEntryNames } from "../files/durable-files.ts";
import { clearAbandonedStagingFiles } from "../files/staging.ts";
import { clearAbandonedTemporaryFolders } from "../files/temporary-folder.ts";
import { WORK_FOLDER_PREFIX } from "./backup/work-folder.ts";

/**
 * Folders that may contain temporary files of killed processes, with patterns for the names of
 * these files.
 */
const LEFTOVER_PATTERNS: readonly { folder: string; isLeftover: RegExp }[] = [
  { folder: ".", isLeftover: /^(?:site|last-backup)\.json\.part-\d+$/ },
  { folder: ".", isLeftover: /^\.commonplace-backup-run\.lock$/ },
  { folder: "media/receiving", isLeftover: /^[0-9a-f-]{36}$/ },
  { folder: "media-copy/receiving", isLeftover: /^[0-9a-f-]{36}$/ },
  { folder: "share-pictures/pictures", isLeftover: /\.new$/ },
  { folder: "share-pictures/fonts", isLeftover: /\.new$/ },
  { folder: "jobs", isLeftover: /\.part$|^arriving-/ },
];

/**
 * Removes temporary files and folders of killed processes from a data folder. Call only while no
 * other process can be writing to the data folder.
 */
export async function removeLeftoverTemporaryFiles(dataFolder: string): Promise<void> {
  for (const { folder, isLeftover } of LEFTOVER_PATTERNS) {
    const path = join(dataFolder, folder);
    for (const name of await listFolderEntryNames(path)) {
      if (isLeftover.test(name)) await rm(join(path, name), { force: true });
    }
  }
  await clearAbandonedStagingFiles(dataFolder, WORK_FOLDER_PREFIX);
  await clearAbandonedTemporaryFolders();
}
