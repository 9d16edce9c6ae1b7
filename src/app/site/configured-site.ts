import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { unfinishedStoreName } from "../../storage/moving/sqlite-target.ts";
import type { StoredSite } from "../../storage/record/site-id.ts";
import { findStoredSite } from "../../storage/record/stored-site.ts";
import { readSiteMark, SITE_MARK_FILE } from "../../storage/site-mark.ts";
import { readingCopyFilePath, storeFilePath } from "../data-folder.ts";

/** Names of files and folders that exist only in the data folder of a site. */
const SITE_FILES = [
  SITE_MARK_FILE,
  "reading.db",
  "desk.db",
  "media",
  "media-copy",
  "media-trash",
  "jobs",
];

/**
 * Finds the configured site. Returns null if no site exists yet and `mayCreate` allows creating a site.
 * Changes nothing, so that an operator can still put lost files back.
 *
 * @throws {AppError} `conflict` when the site is missing or the data folder belongs to another site.
 */
export async function findConfiguredSite(
  config: Config,
  { mayCreate }: { mayCreate: boolean },
): Promise<StoredSite | null> {
  const { databaseUrl: url, dataDir } = config;
  requireNoMove(config);
  const site = await findStoredSite({ url, file: readingCopyFilePath(config) });
  if (site === null) {
    const traces = tracesOfSite(config);
    if (traces.length > 0) throw siteIsMissing(config, traces);
    if (!mayCreate) throw noSite(config);
  } else if (url !== null && belongsToAnotherSite(site, readSiteMark(dataDir))) {
    throw new AppError(
      "conflict",
      englishOnlyWording(
        `The data folder ${dataDir} belongs to another site than the database that DATABASE_URL names. Nothing was changed. Check both settings; each site needs a DATA_DIR of its own`,
      ),
    );
  }
  return site;
}

function requireNoMove(config: Config): void {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== null || !existsSync(unfinishedStoreName(storeFilePath(config)))) return;
  throw new AppError(
    "unavailable",
    englishOnlyWording(
      `Cannot use ${dataDir}: a move into it has not ended. Run the same migrate-to again, or name an empty DATA_DIR`,
    ),
  );
}

/**
 * Whether the data folder and the database belong to different sites. They belong to the same site if the
 * data folder's site id or reading copy matches the database. After a migration, perhaps only the site id
 * matches. After a restore from an old dump, perhaps only the reading copy matches.
 */
function belongsToAnotherSite({ id, copy }: StoredSite, mark: string | null): boolean {
  if (id === null || mark === null) return copy === "of another record";
  return mark !== id && copy !== "of this record";
}

function tracesOfSite(config: Config): string[] {
  const { dataDir, databaseUrl } = config;
  const store = storeFilePath(config);
  const hasStore = (statSync(store, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const orphans = ["-wal", "-shm"].filter((end) => !hasStore && existsSync(`${store}${end}`));
  return [
    ...SITE_FILES.filter((name) => existsSync(join(dataDir, name))),
    ...orphans.map((end) => `commonplace.db${end}`),
    ...(databaseUrl !== null && hasStore ? ["commonplace.db"] : []),
  ];
}

function siteIsMissing({ dataDir, databaseUrl }: Config, traces: readonly string[]): AppError {
  const missing =
    databaseUrl === null
      ? `The site in ${dataDir} is missing: commonplace.db is not there or holds no site`
      : `The database that DATABASE_URL names holds no site, but the data folder ${dataDir} belongs to one`;
  const remedy =
    databaseUrl === null
      ? "Put commonplace.db back, or restore a backup"
      : "Check DATABASE_URL, or restore the database";
  return new AppError(
    "conflict",
    englishOnlyWording(
      `${missing} (found there: ${traces.join(", ")}). Nothing was changed. ${remedy}; a new site needs an empty DATA_DIR`,
    ),
  );
}

function noSite({ dataDir, databaseUrl }: Config): AppError {
  const [place, setting] =
    databaseUrl === null
      ? [`the data folder ${dataDir}`, "DATA_DIR"]
      : ["the database that DATABASE_URL names", "DATABASE_URL"];
  return new AppError(
    "conflict",
    englishOnlyWording(
      `There is no site in ${place}. Check ${setting}, and that its volume is mounted; to make a new site there, run "commonplace init" or import one`,
    ),
  );
}
