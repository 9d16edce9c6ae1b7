import { readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { AppError, englishOnlyWording } from "../../errors.ts";
import {
  makeFolder,
  moveDurably,
  pathExists,
  syncFolder,
  systemErrorCode,
  writeNewFile,
} from "../../files/durable-files.ts";
import { clearAbandonedStagingFiles, lockStagingPath } from "../../files/staging.ts";
import { databaseFileNames } from "./data-parts.ts";
import { explainStorageError } from "./storage-errors.ts";

/** Prefix of the staging folder of a restore. */
export const RESTORE_STAGING_PREFIX = "restoring-";

const JOURNAL_FILE = "restore-journal.json";
const RUNNING_RESTORE_WAIT_MILLISECONDS_MAX = 60_000;
const POLL_MILLISECONDS = 50;

/** A file or folder name in the data folder, never a path. */
const name = z.string().regex(/^[\w-][\w.-]*$/);

const journalSchema = z.object({
  format: z.literal(1),
  /** The staging folder. */
  incoming: name.startsWith(RESTORE_STAGING_PREFIX),
  /**
   * The folder to which the replaced data is moved. It is created when the first file or folder is
   * moved.
   */
  aside: name.startsWith("replaced-"),
  /** Names of the files and folders to replace, in the order in which they are moved. */
  parts: z.array(name),
});

/** The journal of a restore. Once it is on disk, the restore must be completed. */
export type RestoreJournal = z.output<typeof journalSchema>;

/**
 * Replaces files and folders of the data folder with those in `planned.incoming`, a staging folder that
 * the caller has synced and locked. If the process is interrupted once the journal is on disk, {@link
 * completeInterruptedRestore} completes the restore.
 *
 * @throws {AppError} `unavailable`; either nothing has changed, or the message says what to do.
 */
export async function moveRestoredDataIntoPlace(
  folder: string,
  planned: Omit<RestoreJournal, "format">,
): Promise<void> {
  const incoming = join(folder, planned.incoming);
  await writeNewFile(
    join(incoming, JOURNAL_FILE),
    JSON.stringify({ format: 1, ...planned } satisfies RestoreJournal),
  );
  await moveDurably(join(incoming, JOURNAL_FILE), join(folder, JOURNAL_FILE));
  await complete(folder, { format: 1, ...planned });
}

export async function isRestoreUnfinished(folder: string): Promise<boolean> {
  return await pathExists(join(folder, JOURNAL_FILE));
}

/**
 * Completes a restore that was interrupted after its journal was written. If a restore was interrupted
 * before its journal was written, removes the staging folder of that restore. Waits for a running
 * restore. Call before opening anything in the data folder.
 *
 * @returns whether this call completed a restore.
 * @throws {AppError} `unavailable` when the restore cannot be completed.
 */
export async function completeInterruptedRestore(folder: string): Promise<boolean> {
  if (!(await pathExists(folder))) return false;
  const isFinished = await finishJournaled(folder);
  await clearAbandonedStagingFiles(folder, RESTORE_STAGING_PREFIX);
  return isFinished;
}

async function finishJournaled(folder: string): Promise<boolean> {
  const until = performance.now() + RUNNING_RESTORE_WAIT_MILLISECONDS_MAX;
  for (;;) {
    const journal = await readJournal(folder);
    if (journal === null) return false;
    await using lock = await lockStagingPath(join(folder, journal.incoming));
    // Checks again, because the previous holder of the lock may have finished the restore.
    if (lock !== null && (await isRestoreUnfinished(folder))) {
      await complete(folder, journal);
      return true;
    }
    if (performance.now() > until) {
      const message = `Cannot use ${folder}: another process is restoring a backup into it; try again when it is done`;
      throw new AppError("unavailable", englishOnlyWording(message));
    }
    await sleep(POLL_MILLISECONDS);
  }
}

/** Idempotent: moves only the parts that are still in `incoming`. */
async function complete(folder: string, { incoming, aside, parts }: RestoreJournal): Promise<void> {
  try {
    for (const part of parts) {
      if (!(await pathExists(join(folder, incoming, part)))) continue;
      for (const old of databaseFileNames(part)) await moveAside(folder, { old, aside });
      await move(join(folder, incoming, part), join(folder, part));
    }
    for (const part of parts) await requirePart(folder, { part, aside });
    await rm(join(folder, incoming), { recursive: true, force: true });
    await rm(join(folder, JOURNAL_FILE), { force: true });
    await syncFolder(folder);
  } catch (error) {
    throw explainStorageError(
      error,
      englishOnlyWording(
        `The restore into ${folder} has begun and is not finished. Start the server, or run any command, to finish it`,
      ),
    );
  }
}

async function moveAside(
  folder: string,
  { old, aside }: { old: string; aside: string },
): Promise<void> {
  const from = join(folder, old);
  const to = join(folder, aside, old);
  if (!(await pathExists(from))) return;
  if (await pathExists(to)) {
    const message = `Cannot finish the restore into ${folder}: both ${from} and ${to} exist; move one of them elsewhere`;
    throw new AppError("unavailable", englishOnlyWording(message));
  }
  makeFolder(join(folder, aside));
  await move(from, to);
}

/**
 * Syncs the old folder too. Otherwise the old name could reappear after a power cut, and the step
 * would be repeated.
 */
async function move(from: string, to: string): Promise<void> {
  await moveDurably(from, to);
  await syncFolder(dirname(from));
}

async function requirePart(
  folder: string,
  { part, aside }: { part: string; aside: string },
): Promise<void> {
  if (await pathExists(join(folder, part))) return;
  const message = `Cannot finish the restore into ${folder}: ${part} is gone. Move ${JOURNAL_FILE} elsewhere and restore again with --force; what was replaced is in ${join(folder, aside)}`;
  throw new AppError("unavailable", englishOnlyWording(message));
}

async function readJournal(folder: string): Promise<RestoreJournal | null> {
  const file = join(folder, JOURNAL_FILE);
  try {
    return journalSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    // Another user cannot look into the folder, which says nothing about a restore.
    if (systemErrorCode(error) !== "") throw error;
    const message = `Cannot use ${folder}: ${basename(file)} cannot be read. A restore was interrupted; restore again into a new folder`;
    throw new AppError("unavailable", englishOnlyWording(message), { cause: error });
  }
}
