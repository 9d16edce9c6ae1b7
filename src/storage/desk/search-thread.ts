import { DatabaseSync } from "node:sqlite";
import { workerData } from "node:worker_threads";
import type { SearchThreadData } from "../../search/search-threads.ts";
import { serveQueriesInThread } from "../../search/thread-queries.ts";
import { lowerThreadPriority } from "../../work/thread-priority.ts";
import { openReadingCopy } from "../reading/open.ts";
import { StatementCache } from "../sqlite/statements.ts";
import { findIdsByName } from "./find-ids-by-name.ts";
import type { DeskQuery, DeskQueryResult } from "./thread-queries.ts";

lowerThreadPriority(5);

const { file, searchMillisecondsMax }: SearchThreadData = workerData;
const index = openReadingCopy({ file, searchMillisecondsMax });
const names = new StatementCache(new DatabaseSync(file, { readOnly: true, timeout: 5000 }));

/** A worker thread that searches the editors' index. */
serveQueriesInThread<DeskQuery, DeskQueryResult>(async (question) => {
  switch (question.kind) {
    case "search":
      return { kind: "search", page: await index.search(question.query) };
    case "list":
      return { kind: "list", page: index.list(question.query) };
    case "names":
      return { kind: "names", ids: findIdsByName(names, question.query) };
  }
});
