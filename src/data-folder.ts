import { join } from "node:path";
import type { Config } from "./config.ts";
import { AppError } from "./errors.ts";
import { type BackedUp, restoreBackup, writeBackup } from "./storage/backup.ts";
import type { OnShare } from "./storage/record/sqlite/copy.ts";

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
export async function backUp(config: Config, to: string, onShare: OnShare): Promise<BackedUp> {
  requireOwnStore(config, "pg_dump");
  const { dataDir } = config;
  return await writeBackup({ folder: dataDir, store: STORE, media: MEDIA }, to, onShare);
}

/** See `restoreBackup`. @throws {AppError} `conflict` where the record is in PostgreSQL. */
export async function restore(
  config: Config,
  from: string,
  options: { replaces: boolean; now: Date },
): Promise<{ replaced: string | null }> {
  requireOwnStore(config, "pg_restore");
  const { dataDir } = config;
  return await restoreBackup(from, { folder: dataDir, store: STORE, media: MEDIA }, options);
}

/** The data folder holds only copies then, and half a backup is worse than none. */
function requireOwnStore({ databaseUrl }: Config, tool: string): void {
  if (databaseUrl === null) return;
  throw new AppError(
    "conflict",
    `Everything is in the database that DATABASE_URL names, the site's files too: use ${tool}, as docs/operating.md tells`,
  );
}
