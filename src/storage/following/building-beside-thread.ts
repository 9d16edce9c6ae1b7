import { dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { createIndexWriter } from "../../search/postings/index-writer.ts";
import { createIndexes, createSearchTables, takeSearchTables } from "../reading/schema.ts";
import type { BesideTask } from "./building-beside.ts";
import { openUnseen } from "./copy-file.ts";

const CACHE_MEGABYTES = 8;

const file: string = workerData;
const db = openUnseen(file, { cacheMegabytes: CACHE_MEGABYTES });
db.exec("BEGIN");
createSearchTables(db);
const index = createIndexWriter(db);

/** A thread of its own that has its part in a new copy; it answers what it has done. */
parentPort?.on("message", (task: BesideTask) => {
  switch (task.kind) {
    case "write":
      [...index.write(task.items)];
      break;
    case "create indexes":
      createIndexesOf(task.copy);
      break;
    case "move":
      moveInto(task.copy);
      break;
  }
  parentPort?.postMessage(null);
});

function createIndexesOf(copy: string): void {
  using whole = openUnseen(copy, { cacheMegabytes: CACHE_MEGABYTES });
  // What is sorted of a large copy has room beside it, and perhaps nowhere else on the machine.
  const folder = dirname(copy).replaceAll("'", "''");
  whole.exec(`PRAGMA temp_store_directory = '${folder}'`);
  createIndexes(whole);
}

function moveInto(copy: string): void {
  [...index.finish()];
  db.exec("COMMIT");
  db.close();
  using whole = openUnseen(copy, { cacheMegabytes: CACHE_MEGABYTES });
  whole.prepare("ATTACH ? AS search").run(file);
  whole.exec("BEGIN");
  takeSearchTables(whole);
  whole.exec("COMMIT");
}
