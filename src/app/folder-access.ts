import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { systemErrorCode } from "../files/durable-files.ts";
import type { Log } from "../log.ts";

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const GROUP_AND_OTHERS_BITS = 0o077;
const STICKY_BIT = 0o1000;

/**
 * Names of the files and folders that the service creates in the data folder. An entry can be just the
 * beginning of a file's name.
 */
const OWN_NAMES = [
  "commonplace.db",
  "reading.db",
  "desk.db",
  "site.json",
  "last-backup.json",
  "setup-code",
  "server.lock",
  "media",
  "picture-sizes",
  "share-pictures",
  "jobs",
  "cache",
];

/**
 * Makes the data folder private, because earlier versions left everything in it readable for all
 * users. Skips subfolders that are private already.
 */
export function restrictDataFolderAccess(
  { dataDir }: Pick<Config, "dataDir">,
  log: Log | null,
): void {
  try {
    for (const name of readdirSync(dataDir)) {
      if (OWN_NAMES.some((own) => name.startsWith(own))) restrictAll(join(dataDir, name));
    }
    // Never changes a shared folder such as /tmp.
    if ((statSync(dataDir).mode & STICKY_BIT) === 0) chmodSync(dataDir, FOLDER_MODE);
  } catch (error) {
    if (!["EPERM", "EROFS", "EACCES"].includes(systemErrorCode(error))) throw error;
    log?.warn(
      { err: error },
      "Cannot restrict access to the data folder: other users may be able to read it",
    );
  }
}

/**
 * Restricts the contents of a folder before the folder itself. After an interruption, the folder is
 * therefore not private yet, and the next start does not skip it.
 */
function restrictAll(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & GROUP_AND_OTHERS_BITS) === 0) return;
  if (stats.isFile()) chmodSync(path, FILE_MODE);
  if (!stats.isDirectory()) return;
  for (const name of readdirSync(path)) restrictAll(join(path, name));
  chmodSync(path, FOLDER_MODE);
}

/** Names of the service's files in the data folder that other users of the machine can read. */
export function findFilesReadableByOthers({ dataDir }: Pick<Config, "dataDir">): string[] {
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (folder === undefined || (folder.mode & GROUP_AND_OTHERS_BITS) === 0) return [];
  return readdirSync(dataDir)
    .filter((name) => OWN_NAMES.some((own) => name.startsWith(own)))
    .filter((name) => {
      const stats = statSync(join(dataDir, name), { throwIfNoEntry: false });
      return stats !== undefined && (stats.mode & GROUP_AND_OTHERS_BITS) !== 0;
    })
    .sort();
}
