import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { backoff } from "../../work/backoff.ts";
import type { Queue } from "../../work/queue-worker.ts";
import { type Embed, EmbeddingFault } from "./endpoint.ts";
import type { NewVector, OutdatedItem, VectorStore } from "./vector-store.ts";

const BATCH_TEXTS = 32;
const BATCH_MILLISECONDS = 60_000;
const LOOK_MILLISECONDS = 1000;
/**
 * The pause after a check for changes, as a multiple of its duration: checks use a twentieth of a
 * processor.
 */
const REST_PER_LOOK = 20;
/** Delays before the retries of a failing endpoint; the last one repeats. */
const RETRY_DELAYS = [1, 2, 4, 8, 16, 32, 64, 128, 256].map((seconds) => seconds * 1000);
const RETRY_DELAY_MAX = 300_000;
/** Lease duration: afterwards another process takes over from one that died. */
const CLAIM_MILLISECONDS = 10_000;
const PROGRESS_EVERY_MILLISECONDS = 30_000;

export interface IndexerLogLine {
  level: "info" | "warn" | "error";
  message: string;
  fields: Readonly<Record<string, string | number>>;
}

export interface IndexerOptions {
  store: VectorStore;
  embed: Embed;
  report: (news: IndexerLogLine) => void;
  now: () => Date;
}

/** Runs the indexer's rounds as a queue of one task, due again after the wait that a round returns. */
export function vectorQueue(indexer: Indexer): Queue<Indexer> {
  let dueAt = 0;
  return {
    taskName: "round of making vectors",
    concurrencyMax: 1,
    graceMilliseconds: 0,
    claim: async () => (performance.now() < dueAt ? [] : [indexer]),
    async run(_, stopping) {
      dueAt = performance.now() + RETRY_DELAY_MAX;
      dueAt = performance.now() + (await indexer.round(stopping));
    },
  };
}

/**
 * Computes a vector for every published item, and a new one when its text changes. Saves each batch, so
 * it resumes where it was interrupted. One process works at a time.
 */
export class Indexer {
  readonly #parts: IndexerOptions;
  readonly #id = randomUUID();
  /** Version of the store when nothing was left to do. */
  #doneVersion = -1;
  #faults = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: IndexerOptions) {
    this.#parts = parts;
  }

  /** Releases this process's lease, so that another can take over immediately. */
  release(): void {
    this.#parts.store.release(this.#id);
  }

  /**
   * Processes all items once if any changed.
   * @returns milliseconds until the next round.
   */
  async round(signal: AbortSignal): Promise<number> {
    const { store } = this.#parts;
    const version = store.version();
    if (version === this.#doneVersion || !this.#claim()) return LOOK_MILLISECONDS;
    const claiming = setInterval(() => this.#claim(), CLAIM_MILLISECONDS / 3);
    try {
      const looked = await this.#embedOutdated(signal);
      if (signal.aborted) return 0;
      this.#doneVersion = version;
      return Math.max(LOOK_MILLISECONDS, looked * REST_PER_LOOK);
    } catch (error) {
      if (signal.aborted) return 0;
      if (!(error instanceof EmbeddingFault)) throw error;
      return this.#noteFault(error);
    } finally {
      clearInterval(claiming);
    }
  }

  /** @returns milliseconds spent looking for outdated items. */
  async #embedOutdated(signal: AbortSignal): Promise<number> {
    let looked = 0;
    let batches = 0;
    const looks = this.#parts.store.outdated();
    for (;;) {
      const start = performance.now();
      const { value: outdated, done } = looks.next();
      looked += performance.now() - start;
      if (done === true || signal.aborted) break;
      for (let from = 0; from < outdated.length && !signal.aborted; from += BATCH_TEXTS) {
        await this.#embedBatch(outdated.slice(from, from + BATCH_TEXTS), signal);
        batches += 1;
        this.#noteAnswer();
      }
      await nextTurn();
    }
    // Single edits are not logged.
    const isNews = batches > 1 || (batches > 0 && this.#doneVersion === -1);
    if (isNews && !signal.aborted) this.#reportProgress("Items have their vectors");
    return looked;
  }

  async #embedBatch(batch: readonly OutdatedItem[], signal: AbortSignal): Promise<void> {
    const vectors = await this.#vectorsOf(batch, signal);
    // Retries while others hold the write lock for long, such as during an import.
    while (!this.#parts.store.keep(vectors) && !signal.aborted) await nextTurn();
    const unread = vectors.filter(({ vector }) => vector === null).length;
    if (unread === 0) return;
    const message =
      "The embeddings endpoint refuses some texts; these items are found by words only";
    this.#parts.report({ level: "warn", message, fields: { items: unread } });
  }

  async #vectorsOf(batch: readonly OutdatedItem[], signal: AbortSignal): Promise<NewVector[]> {
    try {
      return await this.#embed(batch, signal);
    } catch (error) {
      if (!isOfText(error) || batch.length === 1) throw error;
      return await this.#oneByOne(batch, signal, error);
    }
  }

  /**
   * Retries a rejected batch one text at a time, as one text may be the cause; gives up if all are
   * rejected.
   */
  async #oneByOne(
    batch: readonly OutdatedItem[],
    signal: AbortSignal,
    refusal: unknown,
  ): Promise<NewVector[]> {
    const vectors: NewVector[] = [];
    for (const item of batch) {
      try {
        vectors.push(...(await this.#embed([item], signal)));
      } catch (error) {
        if (!isOfText(error)) throw error;
        vectors.push({ ...item, vector: null });
      }
    }
    if (vectors.every(({ vector }) => vector === null)) throw refusal;
    return vectors;
  }

  async #embed(batch: readonly OutdatedItem[], signal: AbortSignal): Promise<NewVector[]> {
    const texts = batch.map(({ text }) => text);
    const vectors = await this.#parts.embed(texts, { milliseconds: BATCH_MILLISECONDS, signal });
    return batch.map((item, place) => ({ ...item, vector: vectors[place] ?? null }));
  }

  #claim(): boolean {
    return this.#parts.store.claim(this.#id, this.#parts.now(), CLAIM_MILLISECONDS);
  }

  #noteAnswer(): void {
    if (this.#faults > 0) {
      const message = "The embeddings endpoint answers again; items are being embedded";
      this.#parts.report({ level: "info", message, fields: {} });
    }
    this.#faults = 0;
    if (performance.now() - this.#reportedAt < PROGRESS_EVERY_MILLISECONDS) return;
    this.#reportProgress("Embedding items");
  }

  #noteFault({ message: fault }: EmbeddingFault): number {
    this.#faults += 1;
    if (this.#faults === 1) {
      const message = "The embeddings endpoint fails; retrying with increasing delays";
      this.#parts.report({ level: "warn", message, fields: { fault } });
    }
    return backoff(RETRY_DELAYS, this.#faults, 0) ?? RETRY_DELAY_MAX;
  }

  #reportProgress(message: string): void {
    this.#reportedAt = performance.now();
    const fields = { ...this.#parts.store.progress() };
    this.#parts.report({ level: "info", message, fields });
  }
}

function isOfText(error: unknown): boolean {
  return error instanceof EmbeddingFault && error.isOfText;
}
