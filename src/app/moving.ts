import { basename } from "node:path";
import type { Config } from "../config.ts";
import {
  type Comparison,
  compareSides,
  type Moved,
  moveRecord,
  type OnStep,
} from "../storage/moving/move.ts";
import { brokenOff } from "../storage/moving/postgres-connection.ts";
import { openPostgresSource, openPostgresTarget } from "../storage/moving/postgres-side.ts";
import { openSqliteSource, openSqliteTarget } from "../storage/moving/sqlite-side.ts";
import { finishRestore, storeFile } from "./data-folder.ts";

/** Location of a record: a data folder or a database. */
export type Place = { folder: string } | { url: string };

export interface MoveOptions {
  /** Discards what an unfinished move left in the target. */
  startsOver: boolean;
  onStep: OnStep;
}

/** See `moveRecord`. */
export async function moveStore(
  config: Config,
  { from, to }: { from: Place; to: Place },
  { startsOver, onStep }: MoveOptions,
): Promise<Moved> {
  try {
    await using source = await openSource(config, from);
    await using target =
      "url" in to
        ? await openPostgresTarget(to.url)
        : await openSqliteTarget({ ...to, store: storeName(config) });
    return await moveRecord(source, target, { now: () => new Date(), startsOver, onStep });
  } catch (error) {
    throw brokenOff(error);
  }
}

/** See `compareSides`. */
export async function compareStores(
  config: Config,
  { from, to }: { from: Place; to: Place },
  onStep: OnStep,
): Promise<Comparison> {
  try {
    await using source = await openSource(config, from);
    await using target = await openSource(config, to);
    return await compareSides(source, target, onStep);
  } catch (error) {
    throw brokenOff(error);
  }
}

async function openSource(config: Config, place: Place) {
  if ("url" in place) return await openPostgresSource(place.url);
  await finishRestore({ dataDir: place.folder, databaseUrl: null });
  return openSqliteSource({ ...place, store: storeName(config) });
}

function storeName(config: Config): string {
  return basename(storeFile(config));
}
