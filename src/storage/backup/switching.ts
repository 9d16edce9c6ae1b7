import { readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import {
  exists,
  makeFolder,
  moveDurably,
  syncFolder,
  systemCode,
  writeNewFile,
} from "../../files/durable-files.ts";
import { clearWorkPlaces, lockPlace } from "../../files/work-place.ts";
import { withCompanions } from "./data-parts.ts";
import { explainedFault } from "./faults.ts";

/** Begins the name of the folder that a restore prepares everything in. */
export const INCOMING_PREFIX = "restoring-";

const JOURNAL = "restore-journal.json";
const OTHER_WAIT_MILLISECONDS_MAX = 60_000;
const OTHER_POLL_MILLISECONDS = 50;

/** Names in the data folder, never paths. */
const name = z.string().regex(/^[\w-][\w.-]*$/);

const journalSchema = z.object({
  format: z.literal(1),
  /** The folder with everything that is to be moved in. */
  incoming: name.startsWith(INCOMING_PREFIX),
  /** The folder for what is replaced; made when there is something. */
  aside: name.startsWith("replaced-"),
  /** In the order of their moving. */
  parts: z.array(name),
});

/** What a restore is to do once it has begun. The journal on disk is the moment at which it begins. */
export type Switch = z.output<typeof journalSchema>;

/**
 * Puts the parts in the folder `incoming` into the place of those in the data folder, whatever happens
 * from the moment the journal is on disk: see {@link finishSwitch}. The caller has locked `incoming`,
 * and everything in it is on disk.
 *
 * @throws {AppError} `unavailable`; then either nothing has changed, or the message says what to do.
 */
export async function switchParts(folder: string, planned: Omit<Switch, "format">): Promise<void> {
  const incoming = join(folder, planned.incoming);
  await writeNewFile(
    join(incoming, JOURNAL),
    JSON.stringify({ format: 1, ...planned } satisfies Switch),
  );
  await moveDurably(join(incoming, JOURNAL), join(folder, JOURNAL));
  await complete(folder, { format: 1, ...planned });
}

/** Has a restore begun that has not ended? */
export async function isSwitching(folder: string): Promise<boolean> {
  return await exists(join(folder, JOURNAL));
}

/**
 * Finishes a restore that was interrupted after it began, and removes what one that was interrupted
 * before has left. Call before anything in the data folder is opened. Waits for a restore that is
 * running.
 *
 * @returns true when there was one to finish.
 * @throws {AppError} `unavailable` when it cannot be finished.
 */
export async function finishSwitch(folder: string): Promise<boolean> {
  if (!(await exists(folder))) return false;
  const isFinished = await finishBegun(folder);
  await clearWorkPlaces(folder, INCOMING_PREFIX);
  return isFinished;
}

async function finishBegun(folder: string): Promise<boolean> {
  const until = performance.now() + OTHER_WAIT_MILLISECONDS_MAX;
  for (;;) {
    const begun = await readJournal(folder);
    if (begun === null) return false;
    await using lock = await lockPlace(join(folder, begun.incoming));
    // Whoever had the lock may have finished it meanwhile.
    if (lock !== null && (await isSwitching(folder))) {
      await complete(folder, begun);
      return true;
    }
    if (performance.now() > until) {
      const message = `Cannot use ${folder}: another process is restoring a backup into it; try again when it is done`;
      throw new AppError("unavailable", message);
    }
    await sleep(OTHER_POLL_MILLISECONDS);
  }
}

/** Can be interrupted after each step and repeated: a part that is still in `incoming` is to be moved. */
async function complete(folder: string, { incoming, aside, parts }: Switch): Promise<void> {
  try {
    for (const part of parts) {
      if (!(await exists(join(folder, incoming, part)))) continue;
      for (const old of withCompanions(part)) await moveAside(folder, { old, aside });
      await move(join(folder, incoming, part), join(folder, part));
    }
    for (const part of parts) await requirePart(folder, { part, aside });
    await rm(join(folder, incoming), { recursive: true, force: true });
    await rm(join(folder, JOURNAL), { force: true });
    await syncFolder(folder);
  } catch (error) {
    throw explainedFault(
      error,
      `The restore into ${folder} has begun and is not finished. Start the server, or run any command, to finish it`,
    );
  }
}

async function moveAside(
  folder: string,
  { old, aside }: { old: string; aside: string },
): Promise<void> {
  const from = join(folder, old);
  const to = join(folder, aside, old);
  if (!(await exists(from))) return;
  if (await exists(to)) {
    const message = `Cannot finish the restore into ${folder}: both ${from} and ${to} exist; move one of them elsewhere`;
    throw new AppError("unavailable", message);
  }
  makeFolder(join(folder, aside));
  await move(from, to);
}

/** The old name must not come back after a power cut: it says that the step is still to be done. */
async function move(from: string, to: string): Promise<void> {
  await moveDurably(from, to);
  await syncFolder(dirname(from));
}

async function requirePart(
  folder: string,
  { part, aside }: { part: string; aside: string },
): Promise<void> {
  if (await exists(join(folder, part))) return;
  const message = `Cannot finish the restore into ${folder}: ${part} is gone. Move ${JOURNAL} elsewhere and restore again with --force; what was replaced is in ${join(folder, aside)}`;
  throw new AppError("unavailable", message);
}

async function readJournal(folder: string): Promise<Switch | null> {
  const file = join(folder, JOURNAL);
  try {
    return journalSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    const message = `Cannot use ${folder}: ${basename(file)} cannot be read. A restore was interrupted; restore again into a new folder`;
    throw new AppError("unavailable", message, { cause: error });
  }
}
