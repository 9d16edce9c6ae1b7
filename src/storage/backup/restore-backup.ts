import { basename, join } from "node:path";
import { AppError } from "../../errors.ts";
import { exists, makeFolder } from "../../files/durable-files.ts";
import { claimWorkPlace } from "../../files/work-place.ts";
import { lockFolder } from "../folder-lock.ts";
import { isInUse } from "../record/sqlite/copy.ts";
import { type DataParts, hasMedia, hasStore } from "./data-parts.ts";
import { explainedFault } from "./faults.ts";
import { damagedIn, mediaIn } from "./media-copying.ts";
import { bringIn, findSource, type RestoreSource } from "./restore-source.ts";
import { readStoreFacts } from "./store-facts.ts";
import { finishSwitch, INCOMING_PREFIX, isSwitching, switchParts } from "./switching.ts";

export interface RestoreOptions {
  /** May something be replaced that is there? */
  replaces: boolean;
  /** Only check and report. */
  isTrial: boolean;
  now: Date;
}

export interface Restored {
  /** The name of the restored site; null: it has none yet. */
  site: string | null;
  /** When the backup was made and by which version; null: it has no manifest to say so. */
  made: { at: string; version: string } | null;
  /** Files of the site in the backup; null: it is the store alone, and the files that are there stay. */
  media: number | null;
  /** Names of files that the restored store knows and that are not there. */
  missing: string[];
  /** Names of restored files whose bytes are not those their names say. */
  damaged: string[];
  /** The folder in which what was there is kept; null: nothing was. */
  replaced: string | null;
}

/**
 * Puts a backup into the data folder: all of it or nothing, whenever the process or the machine stops.
 * What is replaced is kept in a folder beside it.
 *
 * @throws {AppError} `invalid` for what is no backup; `conflict` when the store is in use, or something
 * is there and must not be replaced; `unavailable` for a damaged backup, and for a folder that cannot be
 * written to. Nothing has changed then, unless the message says that the restore has begun.
 */
export async function restoreBackup(
  from: string,
  data: DataParts,
  { replaces, isTrial, now }: RestoreOptions,
): Promise<Restored> {
  const source = await findSource(from, data);
  try {
    makeFolder(data.folder);
    using _lock = lockFolder(data.folder, isTrial ? "shared" : "exclusive");
    await finishSwitch(data.folder);
    const replacesSomething = await requireRoom(source, data, replaces);
    if (!isTrial) requireUnused(data);
    const aside = `replaced-${now.toISOString().replaceAll(/[:.]/g, "-")}`;
    await using incoming = await claimWorkPlace(data.folder, INCOMING_PREFIX);
    try {
      const brought = await bring(source, { data, incoming: incoming.path });
      if (isTrial) {
        await incoming.discard();
      } else {
        const parts = source.media === null ? [data.store] : [data.media, data.store];
        await switchParts(data.folder, { incoming: basename(incoming.path), aside, parts });
      }
      return { ...brought, replaced: replacesSomething ? join(data.folder, aside) : null };
    } catch (error) {
      if (!(await isSwitching(data.folder))) await incoming.discard();
      throw error;
    }
  } catch (error) {
    throw explainedFault(error, `Cannot restore into ${data.folder}`);
  }
}

async function bring(
  source: RestoreSource,
  { data, incoming }: { data: DataParts; incoming: string },
): Promise<Omit<Restored, "replaced">> {
  const copied = await bringIn(source, { ...data, folder: incoming });
  const { site, media: known } = readStoreFacts(join(incoming, data.store));
  const kept = source.media === null ? await mediaIn(join(data.folder, data.media)) : [];
  const there = new Set([...copied.keys(), ...kept]);
  const { manifest } = source;
  return {
    site,
    made: manifest === null ? null : { at: manifest.madeAt, version: manifest.version },
    media: source.media === null ? null : copied.size,
    missing: known.filter((name) => !there.has(name)),
    damaged: damagedIn(copied),
  };
}

/** @returns whether the restore replaces something. */
async function requireRoom(
  { media }: RestoreSource,
  data: DataParts,
  replaces: boolean,
): Promise<boolean> {
  const there = { store: await hasStore(data), media: await hasMedia(data) };
  if (!replaces && (there.store || there.media)) {
    const what = there.store
      ? "there is a store already; add --force to replace it"
      : `there are files in ${data.media} already; add --force ${media === null ? "to keep them and add the store" : "to replace them"}`;
    throw new AppError("conflict", `Cannot restore into ${data.folder}: ${what}`);
  }
  return there.store || (media !== null && (await exists(join(data.folder, data.media))));
}

/** Programs other than this one do not see the lock of the folder. */
function requireUnused({ folder, store }: DataParts): void {
  if (!isInUse(join(folder, store))) return;
  throw new AppError(
    "conflict",
    `Cannot restore into ${folder}: another program has the store open; stop that first`,
  );
}
