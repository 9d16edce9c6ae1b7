import type { Log } from "../../log.ts";
import { type Embed, EmbeddingFault } from "./endpoint.ts";
import { type Meaning, queryToEmbed } from "./meaning.ts";

/** Whoever searches waits for the endpoint no longer than this. */
const QUESTION_MILLISECONDS = 300;
/** Of 1,536 numbers each, 6 MB. */
const REMEMBERED_MAX = 1000;
const AT_ONCE_MAX = 8;
/** After so many faults in a row the endpoint is left alone for a while. */
const FAULTS_MAX = 3;
const REST_MILLISECONDS = 10_000;

export interface QueryEmbedderOptions {
  embed: Embed;
  model: string;
  log: Log;
  restMilliseconds?: number;
}

/** What questions mean, as far as the endpoint tells in time. */
export class QueryEmbedder {
  readonly #parts: QueryEmbedderOptions;
  /** Those asked last come last. */
  readonly #remembered = new Map<string, Float32Array>();
  #underWay = 0;
  #faults = 0;
  #restsUntil = 0;

  constructor(parts: QueryEmbedderOptions) {
    this.#parts = parts;
  }

  /** Null: it cannot be had now, and the search has to do without. */
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
