import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { damageOf } from "../sqlite/sqlite-faults.ts";
import { checkFile } from "./checks.ts";
import type { SweepNews, SweepThreadData } from "./sweep.ts";

/** The thread works a fifth of the time. */
const WORK_MILLISECONDS = 10;
const REST_MILLISECONDS = 40;

const { file }: SweepThreadData = workerData;

/** This thread checks the whole file once, then ends. */
function report(news: SweepNews): void {
  parentPort?.postMessage(news);
}

try {
  using db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  let begun = performance.now();
  for (const place of checkFile(db)) {
    if (place !== null) report({ kind: "damage", place });
    if (performance.now() - begun < WORK_MILLISECONDS) continue;
    await pause(REST_MILLISECONDS);
    begun = performance.now();
  }
  report({ kind: "done" });
} catch (error) {
  const damage = damageOf(error, "record");
  if (damage === null) throw error;
  report({ kind: "damage", place: damage.place });
}
