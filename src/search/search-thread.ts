import { parentPort, workerData } from "node:worker_threads";
import type { SearchQuery } from "../content/library.ts";
import { AppError } from "../errors.ts";
import { openReadingCopy } from "../storage/reading/open.ts";
import { countCommit } from "../storage/sqlite/data-version.ts";
import { damageOf, readFault } from "../storage/sqlite/sqlite-faults.ts";
import type { SearchReply, SearchThreadData } from "./search-threads.ts";

const { file, searchMillisecondsMax }: SearchThreadData = workerData;
const reading = openReadingCopy({ file, searchMillisecondsMax });

/** A worker thread that answers one search after another. */
parentPort?.on("message", async (query: SearchQuery) => {
  // Others may have committed since the last search, possibly within this turn of the event loop.
  countCommit();
  parentPort?.postMessage(await replyTo(query));
});

async function replyTo(query: SearchQuery): Promise<SearchReply> {
  try {
    return { page: await reading.search(query) };
  } catch (thrown) {
    const error = readFault(thrown);
    const damage = damageOf(thrown, "reading copy");
    if (damage !== null) return { damage: damage.place };
    if (!(error instanceof AppError)) return { bug: error };
    const { code, message, retryAfterSeconds } = error;
    return { refusal: { code, message, retryAfterSeconds } };
  }
}
