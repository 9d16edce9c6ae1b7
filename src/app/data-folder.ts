import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { isS3Uri } from "../config/s3-address.ts";
import type { Config } from "../config.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { backUpBeforeUpgrade } from "../storage/backup/before-upgrade.ts";
import type { DataLocation } from "../storage/backup/data-parts.ts";
import { saveLastBackup } from "../storage/backup/last-backup.ts";
import {
  type RestoreOptions,
  type RestoreOutcome,
  requireReplacementAllowed,
  restoreBackup,
} from "../storage/backup/restore-backup.ts";
import {
  completeInterruptedRestore,
  isRestoreUnfinished,
} from "../storage/backup/restore-journal.ts";
import {
  type BackupOptions,
  type BackupOutcome,
  writeBackup,
} from "../storage/backup/write-backup.ts";
import { removeDeskIndex } from "../storage/desk/removing.ts";
import { lockDataFolder } from "../storage/folder-lock.ts";
import { VERSION } from "../version.ts";

const STORE_FILE = "commonplace.db";
const MEDIA_FOLDER = "media";

/** Names of the store and of the media, in a data folder and in backups. */
export const DATA_FILE_NAMES = { store: STORE_FILE, media: MEDIA_FOLDER } as const;

/** The SQLite file with everything except the media. */
export function storeFilePath({ dataDir }: Config): string {
  return join(dataDir, STORE_FILE);
}

/**
 * The file of the reading copy: the record's own SQLite file, or a separate file if the record is
 * in PostgreSQL.
 */
export function readingCopyFilePath({ dataDir, databaseUrl }: Config): string {
  return join(dataDir, databaseUrl === null ? STORE_FILE : "reading.db");
}

/** The editors' index of all items and drafts, which is rebuilt when it is missing. */
export function deskIndexFilePath({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "desk.db");
}

/**
 * The folder of media files. With PostgreSQL, it contains local copies of the files in the
 * database.
 */
export function mediaFolderPath({ dataDir, databaseUrl }: Config): string {
  return join(dataDir, databaseUrl === null ? MEDIA_FOLDER : "media-copy");
}

/** The folder for smaller versions of pictures. Missing versions are made again. */
export function pictureSizesFolderPath({ dataDir }: Config): string {
  return join(dataDir, "picture-sizes");
}

/** The folder for pictures in link previews. Missing pictures are drawn again. */
export function sharePicturesFolderPath({ dataDir }: Config): string {
  return join(dataDir, "share-pictures");
}

/** Temporary files of imports and exports. */
export function jobsFolderPath({ dataDir }: Config): string {
  return join(dataDir, "jobs");
}

/** As `writeBackup`, for the data folder. @throws {AppError} `conflict` when the record is in PostgreSQL. */
export async function backUpDataFolder(
  config: Config,
  to: string,
  options: Omit<BackupOptions, "version">,
): Promise<BackupOutcome> {
  requireOwnStore(config, "pg_dump");
  const { dataDir } = config;
  const isUsed = existsSync(storeFilePath(config)) || (await isRestoreUnfinished(dataDir));
  using _lock = isUsed ? lockDataFolder(dataDir, "shared") : null;
  await finishDataFolderRestore(config);
  return await writeBackup(dataParts(config), to, { ...options, version: VERSION });
}

/** Records a backup for the health checks. @returns false when the data folder cannot be written. */
export async function noteBackupForHealthChecks(
  { dataDir }: Config,
  place: string,
  at: Date,
): Promise<boolean> {
  const named = isS3Uri(place) ? place : resolve(place);
  return await saveLastBackup(dataDir, { at: at.toISOString(), place: named });
}

/**
 * Copies a store of an earlier version before its upgrade; see `backUpBeforeUpgrade`. Does nothing with
 * PostgreSQL, whose own tools make backups. Call with the folder locked, before the record is opened.
 */
export async function backUpStoreBeforeUpgrade(config: Config, now: Date): Promise<string | null> {
  if (config.databaseUrl !== null) return null;
  return await backUpBeforeUpgrade(dataParts(config), { version: VERSION, now });
}

/**
 * Runs the checks of {@link restoreDataFolder} early, before a backup is fetched or decrypted.
 *
 * @throws {AppError} `conflict`.
 */
export async function requireRestorableDataFolder(
  config: Config,
  { replaces, isDryRun }: Pick<RestoreOptions, "replaces" | "isDryRun">,
): Promise<void> {
  requireOwnStore(config, "pg_restore");
  if (!existsSync(config.dataDir)) return;
  using _lock = lockDataFolder(config.dataDir, isDryRun ? "shared" : "exclusive");
  await requireReplacementAllowed({ media: MEDIA_FOLDER }, dataParts(config), replaces);
}

/**
 * Restores a backup into the data folder; see `restoreBackup`.
 *
 * @throws {AppError} `conflict` when the record is in PostgreSQL.
 */
export async function restoreDataFolder(
  config: Config,
  from: string,
  options: Omit<RestoreOptions, "beforeSwitch">,
): Promise<RestoreOutcome> {
  requireOwnStore(config, "pg_restore");
  // Removes the editors' index, because it describes the record before the restore.
  const beforeSwitch = () => removeDeskIndex(deskIndexFilePath(config));
  return await restoreBackup(from, dataParts(config), { ...options, beforeSwitch });
}

/**
 * Completes an interrupted restore, if any. Call with the data folder locked, before the store and the media
 * folder are opened.
 */
export async function finishDataFolderRestore({
  dataDir,
  databaseUrl,
}: Pick<Config, "dataDir" | "databaseUrl">): Promise<boolean> {
  return databaseUrl === null && (await completeInterruptedRestore(dataDir));
}

/** Whether a restore was begun and has not finished. */
export async function hasInterruptedRestore({ dataDir, databaseUrl }: Config): Promise<boolean> {
  return databaseUrl === null && (await isRestoreUnfinished(dataDir));
}

function dataParts({ dataDir }: Config): DataLocation {
  return { folder: dataDir, ...DATA_FILE_NAMES };
}

/**
 * Refuses to back up or restore the data folder if the record is in PostgreSQL. The folder then holds only
 * copies, and a partial backup is worse than none. `tool`: the PostgreSQL tool to use instead.
 */
function requireOwnStore({ databaseUrl }: Config, tool: string): void {
  if (databaseUrl === null) return;
  throw new AppError(
    "conflict",
    englishOnlyWording(
      `The database in DATABASE_URL holds everything, the site's files too: use ${tool}, as docs/several-machines.md describes`,
    ),
  );
}
