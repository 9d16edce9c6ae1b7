import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

const file: string = workerData;
const db = new DatabaseSync(file, { timeout: 0 });
db.exec("PRAGMA synchronous = FULL; PRAGMA cache_size = 0");
const copy = db.prepare("PRAGMA wal_checkpoint(PASSIVE)");

/** A thread of its own that copies what stands in SQLite's log into the file, as often as asked. */
parentPort?.on("message", () => {
  copy.get();
  parentPort?.postMessage(null);
});
