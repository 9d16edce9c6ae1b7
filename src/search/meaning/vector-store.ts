import { hash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { numberOf, textOf } from "../../storage/sqlite/columns.ts";
import { isBusyError } from "../../storage/sqlite/sqlite-errors.ts";
import { StatementCache } from "../../storage/sqlite/statements.ts";
import { type EmbeddingProgress, embeddingTextForItem } from "./embedding.ts";
import { quantizeVector } from "./vectors.ts";

const BATCH_ROWS = 500;
/** How long to wait for the lock of another writer. After that, the caller retries the write. */
const BUSY_MILLISECONDS_MAX = 1000;

/** An item without a vector, or with the vector of an earlier text or of another model. */
export interface ItemWithoutCurrentVector {
  row: number;
  text: string;
  textHash: string;
}

/** A vector to store; `vector` is null if the model rejects the text. */
export interface NewVector extends Pick<ItemWithoutCurrentVector, "row" | "textHash"> {
  vector: Float32Array | null;
}

/**
 * The vectors that one model computed for the published items. The store has its own connection. It blocks
 * the event loop while it waits for other writers, so use it in a worker thread.
 */
export class VectorStore implements Disposable {
  readonly #db: DatabaseSync;
  readonly #sql: StatementCache;
  readonly #model: string;

  constructor(file: string, model: string) {
    this.#db = new DatabaseSync(file, { timeout: BUSY_MILLISECONDS_MAX });
    // Skips the sync after each commit, because vectors lost in a power cut are recomputed.
    this.#db.exec("PRAGMA synchronous = NORMAL");
    this.#sql = new StatementCache(this.#db);
    this.#model = model;
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  /** A number that changes with every change of published content. */
  version(): number {
    return numberOf(this.#sql.of("SELECT version FROM reading_state").get() ?? {}, "version");
  }

  progress(): EmbeddingProgress {
    return progressOf(this.#sql, this.#model);
  }

  /**
   * Takes or renews the lease for filling the store. Overrides a lease that ends implausibly late, because a
   * wrong clock must have set it.
   * @returns whether `process` now holds the lease.
   */
  claim(process: string, now: Date, milliseconds: number): boolean {
    const until = now.getTime() + milliseconds;
    const claimed = this.#write(() =>
      this.#sql
        .of(
          `UPDATE reading_embedder SET process = ?1, until = ?2
           WHERE process = ?1 OR until < ?3 OR until > ?4`,
        )
        .run(process, until, now.getTime(), until + milliseconds),
    );
    return claimed !== null && Number(claimed.changes) > 0;
  }

  release(process: string): void {
    this.#write(() =>
      this.#sql.of("UPDATE reading_embedder SET until = 0 WHERE process = ?").run(process),
    );
  }

  /** Checks all published items in batches, and yields the outdated items of each batch. */
  *outdated(): Generator<ItemWithoutCurrentVector[]> {
    for (let after = -1; ; ) {
      const found = this.#sql
        .of(
          `SELECT i.row, i.title, i.text, v.text_hash FROM reading_item i
           LEFT JOIN reading_vector v ON v.row = i.row AND v.model = ?
           WHERE i.row > ? ORDER BY i.row LIMIT +?`,
        )
        .all(this.#model, after, BATCH_ROWS);
      const last = found.at(-1);
      if (last === undefined) return;
      after = numberOf(last, "row");
      yield found.flatMap((item) => {
        const text = embeddingTextForItem({
          title: textOf(item, "title"),
          text: textOf(item, "text"),
        });
        const textHash = hashOf(text);
        return item["text_hash"] === textHash
          ? []
          : [{ row: numberOf(item, "row"), text, textHash }];
      });
    }
  }

  /**
   * Stores vectors, except those of items that have been removed in the meantime.
   * @returns false if the store is busy and the caller should retry.
   */
  put(vectors: readonly NewVector[]): boolean {
    const insert = this.#sql.of(
      `INSERT OR REPLACE INTO reading_vector (row, model, text_hash, numbers)
       SELECT row, ?2, ?3, ?4 FROM reading_item WHERE row = ?1`,
    );
    const isStored = this.#write(() => {
      for (const { row, textHash, vector } of vectors) {
        const numbers = vector === null ? new Uint8Array() : quantizeVector(vector);
        insert.run(row, this.#model, textHash, numbers);
      }
      return true;
    });
    return isStored === true;
  }

  /** Runs a transaction; null if another connection holds the write lock. */
  #write<T>(change: () => T): T | null {
    try {
      this.#db.exec("BEGIN IMMEDIATE");
    } catch (error) {
      if (isBusyError(error)) return null;
      throw error;
    }
    try {
      const result = change();
      this.#db.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }
}

/** Reads the progress from the store `file`, on a new connection. */
export function readEmbeddingProgress(file: string, model: string): EmbeddingProgress {
  using db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MILLISECONDS_MAX });
  return progressOf(new StatementCache(db), model);
}

function progressOf(sql: StatementCache, model: string): EmbeddingProgress {
  const found = sql
    .of(
      `SELECT (SELECT coalesce(sum(items), 0) FROM reading_count) AS items,
         (SELECT count(*) FROM reading_vector WHERE model = ?) AS done`,
    )
    .get(model);
  return { model, items: numberOf(found ?? {}, "items"), done: numberOf(found ?? {}, "done") };
}

function hashOf(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}
