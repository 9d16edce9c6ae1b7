import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { makeTemporaryFolder } from "../../files/temporary-folder.ts";
import type { JobFiles } from "../../transfer/job.ts";
import type { SharedFiles } from "../shared-files.ts";
import {
  importFileNotFoundError,
  LineCounter,
  UNKNOWN_FILE_GRACE_MILLISECONDS,
} from "./job-input.ts";

const JOBS_FOLDER = "jobs";

/** Stores job files in shared storage, because any instance may run the job. */
export function openSharedJobFiles(shared: SharedFiles): JobFiles {
  return {
    async storeInput(id, bytes) {
      const count = new LineCounter();
      await using upload = await shared.receive(count.of(bytes));
      await upload.keep(inputName(id));
      return count.lines;
    },
    hasInput: async (id) => (await shared.find(inputName(id))) !== null,
    async *readInput(id) {
      const file = await shared.find(inputName(id));
      if (file === null) throw importFileNotFoundError();
      yield* file.pieces();
    },
    async localInput(id) {
      const file = await shared.find(inputName(id));
      if (file === null) throw importFileNotFoundError();
      await using opened = new AsyncDisposableStack();
      const folder = opened.use(await makeTemporaryFolder());
      const path = join(folder.path, "input");
      await writeFile(path, file.pieces());
      const owned = opened.move();
      return { path, [Symbol.asyncDispose]: () => owned.disposeAsync() };
    },
    async writeResult(id, bytes) {
      await using upload = await shared.receive(bytes);
      await upload.keep(resultName(id));
    },
    async openResult(id) {
      const file = await shared.find(resultName(id));
      if (file === null) return null;
      const { bytes } = file;
      return { bytes, stream: () => Readable.toWeb(Readable.from(file.pieces())) };
    },
    async removeInput(id) {
      await shared.remove(inputName(id));
    },
    // Does nothing, because shared storage removes abandoned uploads itself.
    async clearAbandoned() {},
    async clear(known, now) {
      for (const { name, storedAt } of await shared.list(JOBS_FOLDER)) {
        const id = name.slice(JOBS_FOLDER.length + 1).split(".")[0] ?? "";
        const isOld = now.getTime() - storedAt.getTime() > UNKNOWN_FILE_GRACE_MILLISECONDS;
        if (isOld && !known.has(id)) await shared.remove(name);
      }
    },
  };
}

function inputName(id: string): string {
  return `${JOBS_FOLDER}/${id}.jsonl`;
}

function resultName(id: string): string {
  return `${JOBS_FOLDER}/${id}.result.zip`;
}
