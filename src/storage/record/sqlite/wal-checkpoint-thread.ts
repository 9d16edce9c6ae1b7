import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { CheckpointThreadData } from "./wal-checkpointer.ts";

const { file, syncs }: CheckpointThreadData = workerData;
const db = new DatabaseSync(file, { timeout: 0 });
db.exec(`PRAGMA synchronous = ${syncs ? "FULL" : "OFF"}; PRAGMA cache_size = 0`);
const checkpoint = db.prepare("PRAGMA wal_checkpoint(PASSIVE)");

/** Worker thread: runs a checkpoint for each message. */
parentPort?.on("message", () => {
  checkpoint.get();
  parentPort?.postMessage(null);
});
