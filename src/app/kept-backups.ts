import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { AppError, englishOnly } from "../errors.ts";
import { makeFolder, syncFolder } from "../files/durable-files.ts";
import { claimStagingPath, clearAbandonedStaging } from "../files/staging.ts";
import type { BackedUp, BackupOptions } from "../storage/backup/write-backup.ts";
import { backUp, noteMadeBackup, restore } from "./data-folder.ts";
import { type Finding, verify } from "./verifying.ts";

const PROOF_PREFIX = ".commonplace-proof-";
/** `2026-11-23T03-00-12Z`, the start of the backup. */
const NAME = /^(\d{4}-\d\d-\d\d)T\d\d-\d\d-\d\dZ$/;
const REMOVED_SUFFIX = "-removed";
const FAULTS_SHOWN_MAX = 3;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** How many backups stay. */
export interface Rotation {
  latest: number;
  /** Of as many weeks, the last of each. */
  weekly: number;
}

export interface KeptBackup extends BackedUp {
  /** The new backup. */
  place: string;
  /** Names of the backups that were removed. */
  removed: string[];
  isNoted: boolean;
}

/**
 * Makes a backup in a folder of backups, restores it into a temporary place and checks what is there, and
 * then removes the backups beyond the rotation. Nothing is removed when a step fails.
 *
 * @throws {AppError} `unavailable` when the backup cannot be restored or is damaged; it stays, so that it can
 * be looked into, under a name that no rotation counts.
 */
export async function backUpInto(
  config: Config,
  folder: string,
  { rotation, ...options }: Omit<BackupOptions, "version"> & { rotation: Rotation },
): Promise<KeptBackup> {
  const name = options.now
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "-");
  const place = join(folder, name);
  const written = await backUp(config, place, options);
  try {
    await proveRestorable(config, place, { folder, written, now: options.now });
  } catch (error) {
    await rename(place, `${place}-unproven`);
    await syncFolder(folder);
    throw error;
  }
  const isNoted = await noteMadeBackup(config, place, options.now);
  const removed = namesBeyond(await readdir(folder), rotation);
  for (const old of removed) await remove(join(folder, old));
  await clearRemoved(folder);
  return { ...written, place, removed, isNoted };
}

/** Names of backups that a rotation does not keep, the oldest last; other names are left out. */
function namesBeyond(names: readonly string[], { latest, weekly }: Rotation): string[] {
  const backups = names
    .filter((name) => NAME.test(name))
    .sort()
    .reverse();
  const kept = new Set(backups.slice(0, latest));
  const weeks = new Set<number>();
  for (const name of backups) {
    const week = weekOf(name);
    if (weeks.has(week) || weeks.size >= weekly) continue;
    weeks.add(week);
    kept.add(name);
  }
  return backups.filter((name) => !kept.has(name));
}

/** Weeks begin on Monday, as in ISO 8601; 1 January 1970 was a Thursday. */
function weekOf(name: string): number {
  const day = Date.parse(NAME.exec(name)?.[1] ?? "") / DAY_MILLISECONDS;
  return Math.floor((day + 3) / 7);
}

async function proveRestorable(
  config: Config,
  place: string,
  { folder, written, now }: { folder: string; written: BackedUp; now: Date },
): Promise<void> {
  await clearAbandonedStaging(folder, PROOF_PREFIX);
  await using proof = await claimStagingPath(folder, PROOF_PREFIX);
  try {
    makeFolder(proof.path);
    const elsewhere = { ...config, dataDir: proof.path };
    await restore(elsewhere, place, { replaces: false, isDryRun: false, now });
    const known = new Set([...written.damaged, ...written.missing]);
    const faults: Finding[] = [];
    for await (const finding of verify(elsewhere, null)) {
      if (finding.part !== "files" || !known.has(finding.place)) faults.push(finding);
    }
    if (faults.length > 0) throw unproven(place, faults);
  } finally {
    await proof.discard();
  }
}

function unproven(place: string, faults: readonly Finding[]): AppError {
  const shown = faults.slice(0, FAULTS_SHOWN_MAX).map((fault) => `${fault.part} ${fault.place}`);
  return new AppError(
    "unavailable",
    englishOnly(
      `The backup at ${place}-unproven was restored for a trial and is damaged in ${faults.length} places: ${shown.join(", ")}. No older backup was removed`,
    ),
  );
}

/** Renamed first, so that a half removed backup is never taken for one. */
async function remove(place: string): Promise<void> {
  await rename(place, place + REMOVED_SUFFIX);
  await rm(place + REMOVED_SUFFIX, { recursive: true });
}

async function clearRemoved(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const isLeft =
      name.endsWith(REMOVED_SUFFIX) && NAME.test(name.slice(0, -REMOVED_SUFFIX.length));
    if (isLeft) await rm(join(folder, name), { recursive: true });
  }
}
