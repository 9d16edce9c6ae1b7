import type { Log } from "../../log.ts";
import { type Embedding, embeddingTextForQuery } from "./embedding.ts";
import { EmbeddingError, type EmbedTexts } from "./endpoint.ts";

/** How long a search waits for the endpoint by default. */
const QUERY_MILLISECONDS = 300;
/** The cached vectors take about 6 MB if each has 1,536 numbers. */
const CACHED_QUERIES_MAX = 1000;
const CONCURRENT_REQUESTS_MAX = 8;
/** Circuit breaker: after this many consecutive faults, the endpoint is not called for a while. */
const FAULTS_MAX = 3;
const PAUSE_MILLISECONDS = 10_000;

export interface QueryEmbedderOptions {
  embed: EmbedTexts;
  model: string;
  log: Log;
  /** How long a search waits for its vector. */
  milliseconds?: number;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
}

/** Embeds queries. A search does not wait for an endpoint that is slow or failing. */
export class QueryEmbedder {
  readonly #options: QueryEmbedderOptions;
  /** Vectors, keyed by query, the least recently used first. */
  readonly #cache = new Map<string, Float32Array>();
  #inFlight = 0;
  #faults = 0;
  #pausedUntil = 0;

  constructor(options: QueryEmbedderOptions) {
    this.#options = options;
  }

  /** Embeds a query; null if the vector does not arrive in time. The search then uses only words. */
  async meaningOf(text: string): Promise<Embedding | null> {
    const query = embeddingTextForQuery(text);
    if (query === null) return null;
    const vector = this.#cached(query) ?? (await this.#fetch(query));
    return vector === null ? null : { model: this.#options.model, vector };
  }

  #cached(query: string): Float32Array | null {
    const vector = this.#cache.get(query);
    if (vector === undefined) return null;
    this.#cache.delete(query);
    this.#cache.set(query, vector);
    return vector;
  }

  async #fetch(query: string): Promise<Float32Array | null> {
    if (this.#inFlight >= CONCURRENT_REQUESTS_MAX || this.#now() < this.#pausedUntil) return null;
    this.#inFlight += 1;
    try {
      const { milliseconds = QUERY_MILLISECONDS } = this.#options;
      const [vector] = await this.#options.embed([query], { milliseconds });
      this.#noteAnswer();
      if (vector === undefined) return null;
      this.#store(query, vector);
      return vector;
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      this.#noteFault(error);
      return null;
    } finally {
      this.#inFlight -= 1;
    }
  }

  #now(): number {
    return this.#options.now?.() ?? performance.now();
  }

  #store(query: string, vector: Float32Array): void {
    this.#cache.set(query, vector);
    if (this.#cache.size <= CACHED_QUERIES_MAX) return;
    const [oldest] = this.#cache.keys();
    if (oldest !== undefined) this.#cache.delete(oldest);
  }

  #noteAnswer(): void {
    if (this.#faults >= FAULTS_MAX) {
      this.#options.log.info("The embeddings endpoint answers again; searches use meaning again");
    }
    this.#faults = 0;
  }

  #noteFault({ message, isTextRejected }: EmbeddingError): void {
    if (isTextRejected) return;
    this.#faults += 1;
    if (this.#faults < FAULTS_MAX) return;
    this.#pausedUntil = this.#now() + PAUSE_MILLISECONDS;
    if (this.#faults > FAULTS_MAX) return;
    this.#options.log.warn(
      { fault: message },
      "The embeddings endpoint fails; searches use words only until it answers",
    );
  }
}
