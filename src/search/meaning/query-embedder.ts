import type { Log } from "../../log.ts";
import { type Embed, EmbeddingFault } from "./endpoint.ts";
import { type Meaning, queryToEmbed } from "./meaning.ts";

/** How long a search waits for the endpoint. */
const QUESTION_MILLISECONDS = 300;
/** 6 MB for vectors of 1,536 numbers. */
const REMEMBERED_MAX = 1000;
const AT_ONCE_MAX = 8;
/** Circuit breaker: after this many faults in a row, the endpoint is not called for a while. */
const FAULTS_MAX = 3;
const REST_MILLISECONDS = 10_000;

export interface QueryEmbedderOptions {
  embed: Embed;
  model: string;
  log: Log;
  restMilliseconds?: number;
}

/** Embeds queries, if the endpoint answers in time. */
export class QueryEmbedder {
  readonly #parts: QueryEmbedderOptions;
  /** LRU order, the most recent last. */
  readonly #remembered = new Map<string, Float32Array>();
  #underWay = 0;
  #faults = 0;
  #restsUntil = 0;

  constructor(parts: QueryEmbedderOptions) {
    this.#parts = parts;
  }

  /** Null if the vector is not available in time: search by words alone. */
  async meaningOf(text: string): Promise<Meaning | null> {
    const question = queryToEmbed(text);
    if (question === null) return null;
    const vector = this.#recalled(question) ?? (await this.#asked(question));
    return vector === null ? null : { model: this.#parts.model, vector };
  }

  #recalled(question: string): Float32Array | null {
    const vector = this.#remembered.get(question);
    if (vector === undefined) return null;
    this.#remembered.delete(question);
    this.#remembered.set(question, vector);
    return vector;
  }

  async #asked(question: string): Promise<Float32Array | null> {
    if (this.#underWay >= AT_ONCE_MAX || performance.now() < this.#restsUntil) return null;
    this.#underWay += 1;
    try {
      const [vector] = await this.#parts.embed([question], { milliseconds: QUESTION_MILLISECONDS });
      this.#noteAnswer();
      if (vector === undefined) return null;
      this.#remember(question, vector);
      return vector;
    } catch (error) {
      if (!(error instanceof EmbeddingFault)) throw error;
      this.#noteFault(error);
      return null;
    } finally {
      this.#underWay -= 1;
    }
  }

  #remember(question: string, vector: Float32Array): void {
    this.#remembered.set(question, vector);
    if (this.#remembered.size <= REMEMBERED_MAX) return;
    const [oldest] = this.#remembered.keys();
    if (oldest !== undefined) this.#remembered.delete(oldest);
  }

  #noteAnswer(): void {
    if (this.#faults >= FAULTS_MAX) {
      this.#parts.log.info("The embeddings endpoint answers again; searches go by meaning as well");
    }
    this.#faults = 0;
  }

  #noteFault({ message, isOfText }: EmbeddingFault): void {
    if (isOfText) return;
    this.#faults += 1;
    if (this.#faults < FAULTS_MAX) return;
    this.#restsUntil = performance.now() + (this.#parts.restMilliseconds ?? REST_MILLISECONDS);
    if (this.#faults > FAULTS_MAX) return;
    this.#parts.log.warn(
      { fault: message },
      "The embeddings endpoint fails; searches go by words alone until it answers",
    );
  }
}
