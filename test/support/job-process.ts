import { dirname, join } from "node:path";
import { createLog } from "../../src/log.ts";
import { openJobFolder } from "../../src/storage/jobs/job-folder.ts";
import { openRecord } from "../../src/storage/record/open.ts";
import { JobRunner } from "../../src/transfer/job-runner.ts";
import { RECORD_ORIGIN } from "./record-store.ts";

/** A process of its own that runs the next job of a store, to be killed while it does. */
const [file = "", now = ""] = process.argv.slice(2);
const record = await openRecord({ file, origin: RECORD_ORIGIN });
const { jobs, content, keys, snapshot } = record;
const runner = new JobRunner({
  ...{ jobs, content, keys, snapshot },
  files: openJobFolder(join(dirname(file), "jobs")),
  now: () => new Date(now),
  log: createLog("silent"),
});
await runner.work();
await runner.settled();
await record.close();
