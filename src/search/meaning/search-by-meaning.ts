import type { SearchQuery } from "../../content/library.ts";
import type { Log } from "../../log.ts";
import type { BackgroundWorker } from "../../work/queue-worker.ts";
import type { EndpointAddress } from "./endpoint.ts";
import type { MeaningProgress } from "./meaning.ts";

/** Semantic search through the operator's embeddings endpoint. */
export interface SearchByMeaning {
  /** Adds the query's embedding, if it arrives in time. */
  understood(query: SearchQuery): Promise<SearchQuery>;
  /** Null: no endpoint is configured. */
  progress(): MeaningProgress | null;
  /** Run by the clock. */
  workers: readonly BackgroundWorker[];
}

const BY_WORDS_ALONE: SearchByMeaning = {
  understood: async (query) => query,
  progress: () => null,
  workers: [],
};

/** `endpoint` null: searches use words alone and nothing leaves the server. */
export async function openSearchByMeaning(
  endpoint: EndpointAddress | null,
  { file, log }: { file: string; log: Log },
): Promise<SearchByMeaning> {
  if (endpoint === null) return BY_WORDS_ALONE;
  const { embeddingEndpoint } = await import("./endpoint.ts");
  const { QueryEmbedder } = await import("./query-embedder.ts");
  const { Indexing } = await import("./indexing.ts");
  const { vectorProgress } = await import("./vector-store.ts");
  const { model } = endpoint;
  const questions = new QueryEmbedder({ embed: embeddingEndpoint(endpoint), model, log });
  return {
    async understood(query) {
      if (query.isGuess === true || query.text === "") return query;
      const meaning = await questions.meaningOf(query.text);
      return meaning === null ? query : { ...query, meaning };
    },
    progress: () => vectorProgress(file, model),
    workers: [new Indexing({ file, endpoint }, log)],
  };
}
