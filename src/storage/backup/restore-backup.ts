import { basename, join } from "node:path";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { makeFolder, pathExists } from "../../files/durable-files.ts";
import { claimStagingPath } from "../../files/staging.ts";
import { lockDataFolder } from "../folder-lock.ts";
import { isStoreInUse } from "../record/sqlite/copy.ts";
import { type ChangesSinceBackup, readChangesSinceBackup } from "./changes-since-backup.ts";
import { type DataLocation, hasMedia, hasStore } from "./data-parts.ts";
import { findDamagedMediaNames, listMediaFileNames } from "./media-copying.ts";
import {
  completeInterruptedRestore,
  isRestoreUnfinished,
  moveRestoredDataIntoPlace,
  RESTORE_STAGING_PREFIX,
} from "./restore-journal.ts";
import { findRestoreSource, type RestoreSource, stageBackup } from "./restore-source.ts";
import { explainStorageError } from "./storage-errors.ts";
import { readSiteAndMediaNames } from "./store-facts.ts";

export interface RestoreOptions {
  /** Whether existing data may be replaced. */
  replaces: boolean;
  /** Whether to check and report without restoring anything. */
  isDryRun: boolean;
  now: Date;
  /** Called when no other process uses the folder, before anything is replaced. */
  beforeSwitch?: () => void;
}

export interface RestoreOutcome {
  /** Name of the restored site; null if the store has none. */
  site: string | null;
  /** Time and program version of the backup; null if the backup has no manifest. */
  made: { at: string; version: string } | null;
  /**
   * Number of media files in the backup. Null if the backup contains only the store; existing media
   * files then stay.
   */
  media: number | null;
  /** Names of media files that the restored store lists but that do not exist. */
  missing: string[];
  /** Names of restored files whose bytes do not match the hash in the name. */
  damaged: string[];
  /** Folder with the replaced data; null if there was none. */
  replaced: string | null;
  /**
   * Changes in the replaced store that the backup lacks. Null if that store is missing or
   * unreadable, or the backup is not an earlier state of it.
   */
  writtenSince: ChangesSinceBackup | null;
}

/**
 * Restores a backup into the data folder, all or nothing, even if the process or machine crashes. Replaced
 * data is moved to a subfolder.
 *
 * @throws {AppError} `invalid` if `from` is not a backup; `conflict` when the store is in use, or data exists
 * that must not be replaced; `unavailable` for a damaged backup or an unwritable folder. After an error,
 * nothing has changed, unless the message says that the restore has begun.
 */
export async function restoreBackup(
  from: string,
  data: DataLocation,
  { replaces, isDryRun, now, beforeSwitch = () => {} }: RestoreOptions,
): Promise<RestoreOutcome> {
  const source = await findRestoreSource(from, data);
  try {
    makeFolder(data.folder);
    using _lock = lockDataFolder(data.folder, isDryRun ? "shared" : "exclusive");
    await completeInterruptedRestore(data.folder);
    const replacesSomething = await requireReplacementAllowed(source, data, replaces);
    if (!isDryRun) requireUnused(data);
    const aside = `replaced-${now.toISOString().replaceAll(/[:.]/g, "-")}`;
    await using incoming = await claimStagingPath(data.folder, RESTORE_STAGING_PREFIX);
    try {
      const staged = await stage(source, { data, incoming: incoming.path });
      if (isDryRun) {
        await incoming.discard();
      } else {
        beforeSwitch();
        const parts = source.media === null ? [data.store] : [data.media, data.store];
        await moveRestoredDataIntoPlace(data.folder, {
          incoming: basename(incoming.path),
          aside,
          parts,
        });
      }
      return { ...staged, replaced: replacesSomething ? join(data.folder, aside) : null };
    } catch (error) {
      if (!(await isRestoreUnfinished(data.folder))) await incoming.discard();
      throw error;
    }
  } catch (error) {
    throw explainStorageError(error, {
      en: `Cannot restore into ${data.folder}`,
      de: `In ${data.folder} lässt sich nicht wiederherstellen`,
    });
  }
}

async function stage(
  source: RestoreSource,
  { data, incoming }: { data: DataLocation; incoming: string },
): Promise<Omit<RestoreOutcome, "replaced">> {
  const copied = await stageBackup(source, { ...data, folder: incoming });
  const { site, media: listed } = readSiteAndMediaNames(join(incoming, data.store));
  const keptFiles =
    source.media === null ? await listMediaFileNames(join(data.folder, data.media)) : [];
  const present = new Set([...copied.keys(), ...keptFiles]);
  const { manifest } = source;
  return {
    site,
    made: manifest === null ? null : { at: manifest.madeAt, version: manifest.version },
    media: source.media === null ? null : copied.size,
    missing: listed.filter((name) => !present.has(name)),
    damaged: findDamagedMediaNames(copied),
    writtenSince: await readChangesSinceBackup(
      join(data.folder, data.store),
      join(incoming, data.store),
    ),
  };
}

/**
 * @returns whether the restore replaces existing data. @throws {AppError} `conflict` if replacing is not
 * allowed.
 */
export async function requireReplacementAllowed(
  { media }: Pick<RestoreSource, "media">,
  data: DataLocation,
  replaces: boolean,
): Promise<boolean> {
  const existing = { store: await hasStore(data), media: await hasMedia(data) };
  if (!replaces && (existing.store || existing.media)) {
    const refusal = existing.store
      ? "there is a store already; add --force to replace it"
      : `there are files in ${data.media} already; add --force ${media === null ? "to keep them and add the store" : "to replace them"}`;
    throw new AppError(
      "conflict",
      englishOnlyWording(`Cannot restore into ${data.folder}: ${refusal}`),
    );
  }
  return existing.store || (media !== null && (await pathExists(join(data.folder, data.media))));
}

/**
 * Throws if another program has the store open. The folder lock is not enough, because other programs
 * ignore it.
 */
function requireUnused({ folder, store }: DataLocation): void {
  if (!isStoreInUse(join(folder, store))) return;
  throw new AppError(
    "conflict",
    englishOnlyWording(
      `Cannot restore into ${folder}: another program has the store open; stop that first`,
    ),
  );
}
