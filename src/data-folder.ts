import { join } from "node:path";
import type { Config } from "./config.ts";
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

export function mediaFolder({ dataDir }: Config): string {
  return join(dataDir, MEDIA);
}

/** What imports read and exports write, for a while. */
export function jobsFolder({ dataDir }: Config): string {
  return join(dataDir, "jobs");
}

/** See `writeBackup`. */
export async function backUp({ dataDir }: Config, to: string, onShare: OnShare): Promise<BackedUp> {
  return await writeBackup({ folder: dataDir, store: STORE, media: MEDIA }, to, onShare);
}

/** See `restoreBackup`. */
export async function restore(
  { dataDir }: Config,
  from: string,
  options: { replaces: boolean; now: Date },
): Promise<{ replaced: string | null }> {
  return await restoreBackup(from, { folder: dataDir, store: STORE, media: MEDIA }, options);
}
