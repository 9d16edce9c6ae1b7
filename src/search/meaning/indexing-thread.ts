import { parentPort, workerData } from "node:worker_threads";
import { createLog } from "../../log.ts";
import { startClock } from "../../work/clock.ts";
import { QueueWorker } from "../../work/queue-worker.ts";
import { embeddingEndpoint } from "./endpoint.ts";
import { Indexer } from "./indexer.ts";
import type { IndexingThreadData } from "./indexing.ts";
import { vectorQueue } from "./vector-queue.ts";
import { VectorStore } from "./vector-store.ts";

const { file, endpoint }: IndexingThreadData = workerData;
const log = createLog("error");
using store = new VectorStore(file, endpoint.model);
const indexer = new Indexer({
  store,
  embed: embeddingEndpoint(endpoint),
  report: (line) => parentPort?.postMessage(line),
  now: () => new Date(),
});
const worker = new QueueWorker(vectorQueue(indexer), log);
const clock = startClock([() => worker.work()], log);
await new Promise((resolve) => parentPort?.once("message", resolve));
await clock.stop();
await worker.stop();
indexer.release();
