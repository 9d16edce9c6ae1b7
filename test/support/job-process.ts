import { createLog } from "../../src/log.ts";
import { openJobFolder } from "../../src/storage/jobs/job-folder.ts";
import { createJobQueue } from "../../src/transfer/job-queue.ts";
import { QueueWorker } from "../../src/work/queue-worker.ts";
import { openPlace } from "./record-store.ts";

/** A separate process that runs the next job of a store, to be killed meanwhile. */
const [place = "", folder = "", now = ""] = process.argv.slice(2);
const record = await openPlace(place);
const { jobs, content, dryRun, keys, admins, snapshot } = record;
const log = createLog("silent");
const files = openJobFolder(folder);
const stores = { jobs, content, dryRun, keys, admins, snapshot };
const queue = createJobQueue({
  ...stores,
  files,
  mediaFiles: { find: async () => null },
  importFile: () => Promise.reject(new Error("Only lines are imported here")),
  copyLiveSite: () => Promise.reject(new Error("Only lines are imported here")),
  now: () => new Date(now),
  steadyNow: () => new Date(now),
  log,
});
const worker = new QueueWorker(queue, log);
await worker.work();
await worker.settled();
await record.close();
