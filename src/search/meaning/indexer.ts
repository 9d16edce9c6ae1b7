import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { backoffMilliseconds } from "../../work/backoff.ts";
import { EmbeddingError, type EmbedTexts } from "./endpoint.ts";
import type { ItemWithoutCurrentVector, NewVector, VectorStore } from "./vector-store.ts";

const BATCH_TEXTS = 32;
const BATCH_MILLISECONDS_MAX = 60_000;
const CHECK_INTERVAL_MILLISECONDS_MIN = 1000;
/**
 * The pause after a check for changes, as a multiple of the check's duration. Checks thus use a twentieth
 * of a processor.
 */
const REST_FACTOR = 20;
/** Delays before retries of a failing endpoint; later retries wait for {@link EMBEDDING_RETRY_MILLISECONDS_MAX}. */
const RETRY_DELAYS = [1, 2, 4, 8, 16, 32, 64, 128, 256].map((seconds) => seconds * 1000);
export const EMBEDDING_RETRY_MILLISECONDS_MAX = 300_000;
/** Lease duration. If a process dies, another process may take over once its lease has expired. */
const CLAIM_MILLISECONDS = 10_000;
const PROGRESS_INTERVAL_MILLISECONDS = 30_000;

export interface IndexerLogLine {
  level: "info" | "warn" | "error";
  message: string;
  fields: Readonly<Record<string, string | number>>;
}

export interface IndexerOptions {
  store: VectorStore;
  embed: EmbedTexts;
  report: (line: IndexerLogLine) => void;
  now: () => Date;
}

/**
 * Computes a vector for every published item, and a new vector whenever the item's text changes. Saves each
 * batch, so that an interrupted run resumes where it stopped. Only one process works at a time.
 */
export class VectorIndexer {
  readonly #parts: IndexerOptions;
  readonly #id = randomUUID();
  /** The version of the published content up to which every item has a vector; -1 before the first run. */
  #doneVersion = -1;
  #faults = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: IndexerOptions) {
    this.#parts = parts;
  }

  /** Releases the lease of this process, so that another can take over immediately. */
  release(): void {
    this.#parts.store.release(this.#id);
  }

  /**
   * Embeds all outdated items if content has changed since the last complete round. Does nothing while
   * another process holds the lease.
   *
   * @returns milliseconds until the next round.
   */
  async round(signal: AbortSignal): Promise<number> {
    const { store } = this.#parts;
    const version = store.version();
    if (version === this.#doneVersion || !this.#claim()) return CHECK_INTERVAL_MILLISECONDS_MIN;
    const renewalTimer = setInterval(() => this.#claim(), CLAIM_MILLISECONDS / 3);
    try {
      const checkMilliseconds = await this.#embedOutdated(signal);
      if (signal.aborted) return 0;
      this.#doneVersion = version;
      return Math.max(CHECK_INTERVAL_MILLISECONDS_MIN, checkMilliseconds * REST_FACTOR);
    } catch (error) {
      if (signal.aborted) return 0;
      if (!(error instanceof EmbeddingError)) throw error;
      return this.#noteFault(error);
    } finally {
      clearInterval(renewalTimer);
    }
  }

  /** Embeds all outdated items. @returns milliseconds spent on finding the outdated items. */
  async #embedOutdated(signal: AbortSignal): Promise<number> {
    let checkMilliseconds = 0;
    let batches = 0;
    const outdatedBatches = this.#parts.store.outdated();
    for (;;) {
      const start = performance.now();
      const { value: outdated, done } = outdatedBatches.next();
      checkMilliseconds += performance.now() - start;
      if (done === true || signal.aborted) break;
      for (let from = 0; from < outdated.length && !signal.aborted; from += BATCH_TEXTS) {
        await this.#embedBatch(outdated.slice(from, from + BATCH_TEXTS), signal);
        batches += 1;
        this.#noteAnswer();
      }
      await nextTurn();
    }
    // After the first complete round, a single batch is an ordinary edit and is not logged.
    const isWorthLogging = batches > 1 || (batches > 0 && this.#doneVersion === -1);
    if (isWorthLogging && !signal.aborted) this.#reportProgress("Items have their vectors");
    return checkMilliseconds;
  }

  async #embedBatch(
    batch: readonly ItemWithoutCurrentVector[],
    signal: AbortSignal,
  ): Promise<void> {
    const vectors = await this.#vectorsOf(batch, signal);
    // Retries, because another connection may hold the write lock for a long time, for example
    // during an import.
    while (!this.#parts.store.put(vectors) && !signal.aborted) await nextTurn();
    const rejectedCount = vectors.filter(({ vector }) => vector === null).length;
    if (rejectedCount === 0) return;
    const message =
      "The embeddings endpoint refuses some texts; these items are found by words only";
    this.#parts.report({ level: "warn", message, fields: { items: rejectedCount } });
  }

  async #vectorsOf(
    batch: readonly ItemWithoutCurrentVector[],
    signal: AbortSignal,
  ): Promise<NewVector[]> {
    try {
      return await this.#embed(batch, signal);
    } catch (error) {
      if (!isTextRejected(error) || batch.length === 1) throw error;
      return await this.#embedOneByOne(batch, signal, error);
    }
  }

  /**
   * Retries a rejected batch one text at a time, because a single text may be the cause. Fails if all texts
   * are rejected.
   */
  async #embedOneByOne(
    batch: readonly ItemWithoutCurrentVector[],
    signal: AbortSignal,
    refusal: unknown,
  ): Promise<NewVector[]> {
    const vectors: NewVector[] = [];
    for (const item of batch) {
      try {
        vectors.push(...(await this.#embed([item], signal)));
      } catch (error) {
        if (!isTextRejected(error)) throw error;
        vectors.push({ ...item, vector: null });
      }
    }
    if (vectors.every(({ vector }) => vector === null)) throw refusal;
    return vectors;
  }

  async #embed(
    batch: readonly ItemWithoutCurrentVector[],
    signal: AbortSignal,
  ): Promise<NewVector[]> {
    const texts = batch.map(({ text }) => text);
    const vectors = await this.#parts.embed(texts, {
      milliseconds: BATCH_MILLISECONDS_MAX,
      signal,
    });
    return batch.map((item, position) => ({ ...item, vector: vectors[position] ?? null }));
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
    if (performance.now() - this.#reportedAt < PROGRESS_INTERVAL_MILLISECONDS) return;
    this.#reportProgress("Embedding items");
  }

  #noteFault({ message: fault }: EmbeddingError): number {
    this.#faults += 1;
    if (this.#faults === 1) {
      const message = "The embeddings endpoint fails; retrying with increasing delays";
      this.#parts.report({ level: "warn", message, fields: { fault } });
    }
    return backoffMilliseconds(RETRY_DELAYS, this.#faults, 0) ?? EMBEDDING_RETRY_MILLISECONDS_MAX;
  }

  #reportProgress(message: string): void {
    this.#reportedAt = performance.now();
    const fields = { ...this.#parts.store.progress() };
    this.#parts.report({ level: "info", message, fields });
  }
}

function isTextRejected(error: unknown): boolean {
  return error instanceof EmbeddingError && error.isTextRejected;
}
