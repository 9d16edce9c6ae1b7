import { createLog } from "../../src/log.ts";
import { openJobFolder } from "../../src/storage/jobs/job-folder.ts";
import { JobRunner } from "../../src/transfer/job-runner.ts";
import { openPlace } from "./record-store.ts";

/** A process of its own that runs the next job of a store, to be killed while it does. */
const [place = "", folder = "", now = ""] = process.argv.slice(2);
const record = await openPlace(place);
const { jobs, content, keys, snapshot } = record;
const runner = new JobRunner({
  ...{ jobs, content, keys, snapshot },
  files: openJobFolder(folder),
  now: () => new Date(now),
  log: createLog("silent"),
});
await runner.work();
await runner.settled();
await record.close();
