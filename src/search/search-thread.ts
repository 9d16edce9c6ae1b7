import { workerData } from "node:worker_threads";
import type { SearchPage, SearchQuery } from "../content/library.ts";
import { openReadingCopy } from "../storage/reading/open.ts";
import type { SearchThreadData } from "./search-threads.ts";
import { serveQueriesInThread } from "./thread-queries.ts";

const { file, searchMillisecondsMax }: SearchThreadData = workerData;
const reading = openReadingCopy({ file, searchMillisecondsMax });

/** A worker thread that searches the published content. */
serveQueriesInThread<SearchQuery, SearchPage>((query) => reading.search(query));
