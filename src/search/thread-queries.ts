import { parentPort } from "node:worker_threads";
import { AppError } from "../errors.ts";
import { incrementCommitCount } from "../storage/sqlite/data-version.ts";
import { asDamageError, translateSqliteReadError } from "../storage/sqlite/sqlite-errors.ts";
import { READY_MESSAGE, type SearchResponse } from "./search-threads.ts";

/** Answers the queries that {@link SearchThreads} sends to this thread, one after another. */
export function serveQueriesInThread<Query, Page>(answer: (query: Query) => Promise<Page>): void {
  parentPort?.on("message", async (query: Query) => {
    // Makes the search look for commits of other connections now. Otherwise it would look for them
    // only once per turn of the event loop.
    incrementCommitCount();
    parentPort?.postMessage(await replyTo(query, answer));
  });
  parentPort?.postMessage(READY_MESSAGE);
}

async function replyTo<Query, Page>(
  query: Query,
  answer: (query: Query) => Promise<Page>,
): Promise<SearchResponse<Page>> {
  try {
    return { page: await answer(query) };
  } catch (thrown) {
    const error = translateSqliteReadError(thrown);
    const damage = asDamageError(thrown, "reading copy");
    if (damage !== null) return { damage: damage.place };
    if (!(error instanceof AppError)) return { bug: error };
    const { code, wording, retryAfterSeconds } = error;
    return { refusal: { code, wording, retryAfterSeconds } };
  }
}
