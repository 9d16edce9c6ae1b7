import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { lowerThreadPriority } from "../../work/thread-priority.ts";
import { checkReadingCopyFile, checkStoreFile } from "./stored-file.ts";
import type { SweepThreadData } from "./sweep.ts";

/** Working time between two pauses. The thread works for a fifth of the time. */
const WORK_MILLISECONDS = 10;
const REST_MILLISECONDS = 40;

const { file, content }: SweepThreadData = workerData;

lowerThreadPriority(10);

// This thread checks the whole file once, posts each damaged place, and ends.
let sliceStart = performance.now();
for (const place of content === "the record" ? checkStoreFile(file) : checkReadingCopyFile(file)) {
  if (place !== null) parentPort?.postMessage(place);
  if (performance.now() - sliceStart < WORK_MILLISECONDS) continue;
  await pause(REST_MILLISECONDS);
  sliceStart = performance.now();
}
