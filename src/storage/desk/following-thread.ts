import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { parentPort, workerData } from "node:worker_threads";
import { isTransientError } from "../../errors.ts";
import { lowerThreadPriority } from "../../work/thread-priority.ts";
import { withLockFile } from "../replica/copy-file.ts";
import { WakeSignal } from "../replica/wake-signal.ts";
import { translateSqliteReadError } from "../sqlite/sqlite-errors.ts";
import { buildDeskIndex, DeskIndexWriter, readUsableIndexPosition } from "./desk-copy.ts";
import type { DeskRecord, DeskSite } from "./desk-record.ts";
import type { DeskFollowerData, DeskFollowerReport, DeskFollowerRequest } from "./following.ts";
import { openDeskRecord } from "./open-desk-record.ts";

const POLL_MILLISECONDS = 1000;
const FAULT_PAUSE_MILLISECONDS = 5000;
lowerThreadPriority(10);

const { url, recordFile, file, origin }: DeskFollowerData = workerData;
const wake = new WakeSignal();
let isDamaged = false;

parentPort?.on("message", (request: DeskFollowerRequest) => {
  if (request.kind === "rebuild") isDamaged = true;
  wake.notify();
});

/** Keeps the editors' index up to date until the thread is terminated. */
async function follow(): Promise<never> {
  for (;;) {
    await using opened = await openDeskRecord({ url, file: recordFile, origin });
    try {
      await followRecord(opened.record);
    } catch (thrown) {
      const error = translateSqliteReadError(thrown);
      const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
      report({ kind: "fault", fault, isTransient: isTransientError(error) });
      // Rebuilds the index after any fault that is not transient, because a damaged index may be
      // its cause.
      if (!isTransientError(error)) isDamaged = true;
      await sleep(FAULT_PAUSE_MILLISECONDS);
    }
  }
}

/**
 * Applies the record's changes to the index as they arrive. Returns when the index must be checked
 * again, such as after a change of the content types.
 */
async function followRecord(record: DeskRecord): Promise<void> {
  const site = await record.site();
  if (site === null) return void (await wake.wait(POLL_MILLISECONDS));
  if (isDamaged || (await readUsableIndexPosition(file, record, site)) === null)
    await build(record, site);
  using copy = new DeskIndexWriter(file);
  for (;;) {
    while (await copy.catchUp(record, site)) report({ kind: "at", position: copy.position() });
    report({ kind: "at", position: copy.position() });
    await wake.wait(POLL_MILLISECONDS);
    if (isDamaged || !isDeepStrictEqual(await record.site(), site)) return;
    if (((await record.lastChange())?.number ?? 0) < copy.position()) return;
  }
}

async function build(record: DeskRecord, site: DeskSite): Promise<void> {
  const { signal } = new AbortController();
  const isNeeded = async () =>
    isDamaged || (await readUsableIndexPosition(file, record, site)) === null;
  await withLockFile(file, { isNeeded: () => true, signal }, async () => {
    // Checks again, because another process may have built the index in the meantime.
    if (!(await isNeeded())) return;
    const onProgress = (done: number, total: number) => report({ kind: "building", done, total });
    onProgress(0, await record.itemCount());
    await buildDeskIndex(file, record, { site, onProgress, signal });
    isDamaged = false;
  });
}

function report(message: DeskFollowerReport): void {
  parentPort?.postMessage(message);
}

await follow();
