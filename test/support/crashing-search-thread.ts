import { parentPort } from "node:worker_threads";
import type { SearchPage, SearchQuery } from "../../src/content/library.ts";
import { READY_MESSAGE } from "../../src/search/search-threads.ts";

/** Replaces a search thread: it fails, hangs or answers with the query's text. */
parentPort?.on("message", ({ text }: SearchQuery) => {
  if (text === "crash") throw new Error("Crashed as asked");
  while (text === "hang");
  const page: SearchPage = {
    hits: [],
    total: 0,
    totalIsExact: true,
    hasMore: false,
    counts: {},
    correctedText: text,
    closeness: "distant",
    isShortened: false,
    named: [],
    groups: null,
  };
  parentPort?.postMessage({ page });
});
parentPort?.postMessage(READY_MESSAGE);
