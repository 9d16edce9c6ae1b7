import type { TaskQueue } from "../../work/queue-worker.ts";
import { EMBEDDING_RETRY_MILLISECONDS_MAX, type VectorIndexer } from "./indexer.ts";

/**
 * Runs the rounds of the indexer as a queue with one task. Each round returns the wait until the next
 * round.
 */
export function indexingQueue(indexer: VectorIndexer): TaskQueue<VectorIndexer> {
  let dueAt = 0;
  return {
    taskName: "round of making vectors",
    concurrencyMax: 1,
    graceMilliseconds: 0,
    claim: async () => (performance.now() < dueAt ? [] : [indexer]),
    async run(_, stopping) {
      dueAt = performance.now() + EMBEDDING_RETRY_MILLISECONDS_MAX;
      dueAt = performance.now() + (await indexer.round(stopping));
    },
  };
}
