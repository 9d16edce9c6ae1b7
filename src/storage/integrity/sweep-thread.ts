import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { damageOf } from "../sqlite/sqlite-faults.ts";
import { checkFile } from "./checks.ts";
import type { SweepNews, SweepThreadData } from "./sweep.ts";

/** One part of work to four of rest. */
const WORK_MILLISECONDS = 10;
const REST_MILLISECONDS = 40;

const { file }: SweepThreadData = workerData;

/** A thread of its own that checks the whole file once. */
function tell(news: SweepNews): void {
  parentPort?.postMessage(news);
}

try {
  using db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  let begun = performance.now();
  for (const place of checkFile(db)) {
    if (place !== null) tell({ kind: "damage", place });
    if (performance.now() - begun < WORK_MILLISECONDS) continue;
    await pause(REST_MILLISECONDS);
    begun = performance.now();
  }
  tell({ kind: "done" });
} catch (error) {
  const damage = damageOf(error, "record");
  if (damage === null) throw error;
  tell({ kind: "damage", place: damage.place });
}
