import type { SearchQuery } from "../../content/library.ts";
import type { Log } from "../../log.ts";
import type { BackgroundWorker } from "../../work/queue-worker.ts";
import type { EmbeddingProgress } from "./embedding.ts";
import type { EmbeddingEndpoint } from "./endpoint.ts";

/** Semantic search through the operator's embeddings endpoint. */
export interface SearchByMeaning {
  /** Adds the embedding of the query, if it arrives in time. */
  withMeaning(query: SearchQuery): Promise<SearchQuery>;
  /** Progress of the embedding; null if no endpoint is configured. */
  progress(): EmbeddingProgress | null;
  /** Background workers, which the scheduler (`work/clock.ts`) runs. */
  workers: readonly BackgroundWorker[];
}

const BY_WORDS_ONLY: SearchByMeaning = {
  withMeaning: async (query) => query,
  progress: () => null,
  workers: [],
};

/** Opens semantic search. Without an endpoint, searches use only words and nothing leaves the server. */
export async function openSearchByMeaning(
  endpoint: EmbeddingEndpoint | null,
  { file, log }: { file: string; log: Log },
): Promise<SearchByMeaning> {
  if (endpoint === null) return BY_WORDS_ONLY;
  const { createEmbeddingClient: embeddingClient } = await import("./endpoint.ts");
  const { QueryEmbedder } = await import("./query-embedder.ts");
  const { VectorIndexingWorker } = await import("./indexing-worker.ts");
  const { readEmbeddingProgress: vectorProgress } = await import("./vector-store.ts");
  const { model } = endpoint;
  const queryEmbedder = new QueryEmbedder({ embed: embeddingClient(endpoint), model, log });
  return {
    async withMeaning(query) {
      if (query.isDerivedFromUrl === true || query.text === "") return query;
      const meaning = await queryEmbedder.meaningOf(query.text);
      return meaning === null ? query : { ...query, meaning };
    },
    progress: () => vectorProgress(file, model),
    workers: [new VectorIndexingWorker({ file, endpoint }, log)],
  };
}
