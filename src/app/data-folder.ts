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

/** The one file that holds everything but the site's files. */
export function storeFile({ dataDir }: Config): string {
  return join(dataDir, STORE);
}

/**
 * Where what is published stands, for searches and pages: beside the record in its file, or in a file
 * of its own where the record is in PostgreSQL.
 */
export function readingFile({ dataDir, databaseUrl }: Config): string {
  return join(dataDir, databaseUrl === null ? STORE : "reading.db");
}

/** The site's files; a copy of them, which follows the database, where the record is in PostgreSQL. */
export function mediaFolder({ dataDir, databaseUrl }: Config): string {
  return join(dataDir, databaseUrl === null ? MEDIA : "media-copy");
}

/** What imports read and exports write, for a while. */
export function jobsFolder({ dataDir }: Config): string {
  return join(dataDir, "jobs");
}

/** See `writeBackup`. @throws {AppError} `conflict` where the record is in PostgreSQL. */
export async function backUp(
  config: Config,
  to: string,
  options: Omit<BackupOptions, "version">,
): Promise<BackedUp> {
  requireOwnStore(config, "pg_dump");
  const { dataDir } = config;
  const isUsed = existsSync(storeFile(config)) || (await isSwitching(dataDir));
  using _lock = isUsed ? lockFolder(dataDir, "beside") : null;
  await finishRestore(config);
  return await writeBackup(partsOf(config), to, { ...options, version: VERSION });
}

/** See `restoreBackup`. @throws {AppError} `conflict` where the record is in PostgreSQL. */
export async function restore(
  config: Config,
  from: string,
  options: RestoreOptions,
): Promise<Restored> {
  requireOwnStore(config, "pg_restore");
  return await restoreBackup(from, partsOf(config), options);
}

/** See `finishSwitch`. Call when the folder is locked, before the store or the site's files are opened. */
export async function finishRestore({
  dataDir,
  databaseUrl,
}: Pick<Config, "dataDir" | "databaseUrl">): Promise<boolean> {
  return databaseUrl === null && (await finishSwitch(dataDir));
}

/** Was a restore interrupted after it began? */
export async function isRestoring({ dataDir, databaseUrl }: Config): Promise<boolean> {
  return databaseUrl === null && (await isSwitching(dataDir));
}

function partsOf({ dataDir }: Config): DataParts {
  return { folder: dataDir, store: STORE, media: MEDIA };
}

/** The data folder holds only copies then, and half a backup is worse than none. */
function requireOwnStore({ databaseUrl }: Config, tool: string): void {
  if (databaseUrl === null) return;
  throw new AppError(
    "conflict",
    `Everything is in the database that DATABASE_URL names, the site's files too: use ${tool}, as docs/operating.md tells`,
  );
}
