import type { Actor } from "../access/actor.ts";
import type { MediaFileStorage } from "../content/media/media.ts";
import { packZip } from "../files/zip-packing.ts";
import type { JobFiles, RunningJob } from "./job.ts";
import { exportSiteWithSingleItemsFile } from "./site-files.ts";
import type { Snapshot } from "./snapshot.ts";

interface ExportParts {
  files: JobFiles;
  mediaFiles: Pick<MediaFileStorage, "find">;
  snapshot: () => Snapshot;
  now: () => Date;
}

/** Exports the whole site as a ZIP to the job's result file. @throws the abort reason of `halt`. */
export async function runExport(
  running: RunningJob,
  actor: Actor,
  { files, mediaFiles, snapshot: open, now }: ExportParts,
): Promise<void> {
  await using snapshot = open();
  const total = await snapshot.itemCount();
  const onItems = (done: number) => {
    running.job = { ...running.job, progress: { done, total } };
  };
  const packed = packZip(exportSiteWithSingleItemsFile(actor, { snapshot, mediaFiles, onItems }), {
    at: now(),
  });
  await files.writeResult(running.job.id, untilHalted(packed, running.halt));
}

async function* untilHalted(
  pieces: AsyncIterable<Uint8Array>,
  halt: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    halt.throwIfAborted();
    yield piece;
  }
}
