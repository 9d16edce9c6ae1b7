import type { Actor } from "../access/actor.ts";
import { exportItems } from "./exporting.ts";
import type { JobFiles, RunningJob } from "./job.ts";
import type { Snapshot } from "./snapshot.ts";

/**
 * Exports all items to the job's result file. @throws the abort reason of `halt`.
 */
export async function runExport(
  running: RunningJob,
  actor: Actor,
  { files, snapshot: open }: { files: JobFiles; snapshot: () => Snapshot },
): Promise<void> {
  await using snapshot = open();
  const total = await snapshot.itemCount();
  const texts = async function* () {
    let done = 0;
    for await (const { items, text } of exportItems(snapshot, actor)) {
      running.halt.throwIfAborted();
      done += items;
      running.job = { ...running.job, progress: { done, total } };
      yield text;
    }
  };
  await files.writeResult(running.job.id, texts());
}
