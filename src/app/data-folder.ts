import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";
import type { DataParts } from "../storage/backup/data-parts.ts";
import {
  type Restored,
  type RestoreOptions,
  restoreBackup,
} from "../storage/backup/restore-backup.ts";
import { finishSwitch, isSwitching } from "../storage/backup/switching.ts";
import { type BackedUp, type BackupOptions, writeBackup } from "../storage/backup/write-backup.ts";
import { lockFolder } from "../storage/folder-lock.ts";
import { VERSION } from "../version.ts";

const STORE = "commonplace.db";
const MEDIA = "media";

/** The single file with everything except the media. */
export function storeFile({ dataDir }: Config): string {
  return join(dataDir, STORE);
}

/** The reading copy: in the record's own file, or in a separate file when the record is in PostgreSQL. */
export function readingFile({ dataDir, databaseUrl }: Config): string {
  return join(dataDir, databaseUrl === null ? STORE : "reading.db");
}

/** The media; with PostgreSQL, a local copy that follows the database. */
export function mediaFolder({ dataDir, databaseUrl }: Config): string {
  return join(dataDir, databaseUrl === null ? MEDIA : "media-copy");
}

/** Temporary files of imports and exports. */
export function jobsFolder({ dataDir }: Config): string {
  return join(dataDir, "jobs");
}

/** See `writeBackup`. @throws {AppError} `conflict` when the record is in PostgreSQL. */
export async function backUp(
  config: Config,
  to: string,
  options: Omit<BackupOptions, "version">,
): Promise<BackedUp> {
  requireOwnStore(config, "pg_dump");
  const { dataDir } = config;
  const isUsed = existsSync(storeFile(config)) || (await isSwitching(dataDir));
  using _lock = isUsed ? lockFolder(dataDir, "shared") : null;
  await finishRestore(config);
  return await writeBackup(partsOf(config), to, { ...options, version: VERSION });
}

/** See `restoreBackup`. @throws {AppError} `conflict` when the record is in PostgreSQL. */
export async function restore(
  config: Config,
  from: string,
  options: RestoreOptions,
): Promise<Restored> {
  requireOwnStore(config, "pg_restore");
  return await restoreBackup(from, partsOf(config), options);
}

/** See `finishSwitch`. Call with the folder locked, before the store or the media are opened. */
export async function finishRestore({
  dataDir,
  databaseUrl,
}: Pick<Config, "dataDir" | "databaseUrl">): Promise<boolean> {
  return databaseUrl === null && (await finishSwitch(dataDir));
}

/** Whether a restore was interrupted. */
export async function isRestoring({ dataDir, databaseUrl }: Config): Promise<boolean> {
  return databaseUrl === null && (await isSwitching(dataDir));
}

function partsOf({ dataDir }: Config): DataParts {
  return { folder: dataDir, store: STORE, media: MEDIA };
}

/** With PostgreSQL the folder holds copies only, and a partial backup is worse than none. */
function requireOwnStore({ databaseUrl }: Config, tool: string): void {
  if (databaseUrl === null) return;
  throw new AppError(
    "conflict",
    `The database in DATABASE_URL holds everything, the site's files too: use ${tool}, as docs/operating.md describes`,
  );
}
