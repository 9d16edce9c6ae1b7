import { parentPort, workerData } from "node:worker_threads";
import { VectorStore } from "../storage/reading/vector-store.ts";
import { embeddingEndpoint } from "./endpoint.ts";
import { Indexer } from "./indexer.ts";
import type { IndexingThreadData } from "./indexing.ts";

const { file, endpoint }: IndexingThreadData = workerData;
const ending = new AbortController();
parentPort?.once("message", () => ending.abort());

using store = new VectorStore(file, endpoint.model);
const indexer = new Indexer({
  store,
  embed: embeddingEndpoint(endpoint),
  tell: (news) => parentPort?.postMessage(news),
  now: () => new Date(),
});
await indexer.run(ending.signal);
