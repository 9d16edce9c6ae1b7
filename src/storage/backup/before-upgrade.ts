import { rm } from "node:fs/promises";
import { join } from "node:path";
import { listFolderEntryNames } from "../../files/durable-files.ts";
import { isStoreOfEarlierVersion } from "../record/sqlite/migrate.ts";
import type { DataLocation } from "./data-parts.ts";
import { writeBackup } from "./write-backup.ts";

const COPY_PREFIX = "before-upgrade-";
const COPY_NAME = /^before-upgrade-[\dTZ-]+\.db$/;

/**
 * Copies a store of an earlier version to a file next to it before the upgrade, and removes the copies of
 * earlier upgrades.
 *
 * @returns the path of the copy; null if there is no store of an earlier version.
 * @throws {AppError} `unavailable` when the copy fails, for example on a full or damaged disk.
 */
export async function backUpBeforeUpgrade(
  data: DataLocation,
  { version, now }: { version: string; now: Date },
): Promise<string | null> {
  if (!isStoreOfEarlierVersion(join(data.folder, data.store))) return null;
  const copy = `${COPY_PREFIX}${now.toISOString().replaceAll(/[:.]/g, "-")}.db`;
  const file = join(data.folder, copy);
  await writeBackup(data, file, { onShare: () => {}, version, now });
  if (!isStoreOfEarlierVersion(file)) {
    // Removes this copy, because another process has upgraded the store in the meantime and made
    // its own copy first.
    await rm(file, { force: true });
    return null;
  }
  for (const name of await listFolderEntryNames(data.folder)) {
    if (COPY_NAME.test(name) && name < copy) await rm(join(data.folder, name), { force: true });
  }
  return file;
}
