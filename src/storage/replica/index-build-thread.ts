import { dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { createIndexWriter } from "../../search/postings/index-writer.ts";
import { copySearchTables, createIndexes, createSearchTables } from "../reading/schema.ts";
import { openCopyWithoutJournal } from "./copy-file.ts";
import type { IndexBuildTask } from "./index-build.ts";

const CACHE_MEGABYTES = 8;

const file: string = workerData;
const db = openCopyWithoutJournal(file, { cacheMegabytes: CACHE_MEGABYTES });
db.exec("BEGIN");
createSearchTables(db);
const index = createIndexWriter(db);

/** Worker thread of {@link IndexBuildWorker}; posts a message after each task. */
parentPort?.on("message", (task: IndexBuildTask) => {
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
  using copyDb = openCopyWithoutJournal(copy, { cacheMegabytes: CACHE_MEGABYTES });
  // SQLite sorts in temporary files. The copy's folder has enough space for these files, but the system's
  // temporary folder possibly has too little.
  const folder = dirname(copy).replaceAll("'", "''");
  copyDb.exec(`PRAGMA temp_store_directory = '${folder}'`);
  createIndexes(copyDb);
}

function moveInto(copy: string): void {
  [...index.finish()];
  db.exec("COMMIT");
  db.close();
  using copyDb = openCopyWithoutJournal(copy, { cacheMegabytes: CACHE_MEGABYTES });
  copyDb.prepare("ATTACH ? AS search").run(file);
  copyDb.exec("BEGIN");
  copySearchTables(copyDb);
  copyDb.exec("COMMIT");
}
