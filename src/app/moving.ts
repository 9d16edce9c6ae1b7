import { basename } from "node:path";
import type { Config } from "../config.ts";
import { englishOnlyWording } from "../errors.ts";
import { explainStorageError } from "../storage/backup/storage-errors.ts";
import {
  compareRecords,
  type MoveOutcome,
  moveRecord,
  type OnMoveStep,
  type RecordComparison,
} from "../storage/moving/move.ts";
import { translateMoveError } from "../storage/moving/postgres-connection.ts";
import { openPostgresSource } from "../storage/moving/postgres-source.ts";
import { openPostgresTarget } from "../storage/moving/postgres-target.ts";
import type { MoveSource } from "../storage/moving/readable-record.ts";
import { openSqliteSource } from "../storage/moving/sqlite-source.ts";
import { openSqliteTarget } from "../storage/moving/sqlite-target.ts";
import { backUpStoreBeforeUpgrade, finishDataFolderRestore, storeFilePath } from "./data-folder.ts";

/** Location of a record: a data folder or a database. */
export type StoreLocation = { folder: string } | { url: string };

/** Moves a record with its files to another engine; see `moveRecord`. */
export async function moveStore(
  config: Config,
  { from, to }: { from: StoreLocation; to: StoreLocation },
  onStep: OnMoveStep,
): Promise<MoveOutcome> {
  try {
    await using source = await openSource(config, from);
    if ("folder" in to) return await moveToFolder(config, source, { folder: to.folder, onStep });
    await using target = await openPostgresTarget(to.url);
    return await moveRecord(source, target, onStep);
  } catch (error) {
    throw translateMoveError(error);
  }
}

async function moveToFolder(
  config: Config,
  source: MoveSource,
  { folder, onStep }: { folder: string; onStep: OnMoveStep },
): Promise<MoveOutcome> {
  try {
    await using target = await openSqliteTarget({ folder, store: storeName(config) });
    return await moveRecord(source, target, onStep);
  } catch (error) {
    // Only connections and files of the target can fail here: the source is a database.
    throw explainStorageError(error, englishOnlyWording(`Cannot move to ${folder}`));
  }
}

/** Compares two records and their files; see `compareRecords`. */
export async function compareStores(
  config: Config,
  { from, to }: { from: StoreLocation; to: StoreLocation },
  onStep: OnMoveStep,
): Promise<RecordComparison> {
  try {
    await using source = await openSource(config, from);
    await using target = await openSource(config, to);
    return await compareRecords(source, target, onStep);
  } catch (error) {
    throw translateMoveError(error);
  }
}

async function openSource(config: Config, place: StoreLocation) {
  if ("url" in place) return await openPostgresSource(place.url);
  const inFolder = { ...config, dataDir: place.folder, databaseUrl: null };
  await finishDataFolderRestore(inFolder);
  return await openSqliteSource({ ...place, store: storeName(config) }, async () => {
    await backUpStoreBeforeUpgrade(inFolder, new Date());
  });
}

function storeName(config: Config): string {
  return basename(storeFilePath(config));
}
