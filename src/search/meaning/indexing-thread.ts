import { parentPort, workerData } from "node:worker_threads";
import { createLog } from "../../log.ts";
import { startClock } from "../../work/clock.ts";
import { QueueWorker } from "../../work/queue-worker.ts";
import { createEmbeddingClient } from "./endpoint.ts";
import { VectorIndexer } from "./indexer.ts";
import { indexingQueue } from "./indexing-queue.ts";
import type { IndexingThreadData } from "./indexing-worker.ts";
import { VectorStore } from "./vector-store.ts";

const { file, endpoint }: IndexingThreadData = workerData;
const log = createLog("error");
using store = new VectorStore(file, endpoint.model);
const indexer = new VectorIndexer({
  store,
  embed: createEmbeddingClient(endpoint),
  report: (line) => parentPort?.postMessage(line),
  now: () => new Date(),
});
const worker = new QueueWorker(indexingQueue(indexer), log);
const clock = startClock([() => worker.work()], log);
await new Promise((resolve) => parentPort?.once("message", resolve));
await clock.stop();
await worker.stop();
indexer.release();
