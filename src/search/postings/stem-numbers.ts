import { numberOf } from "../../storage/sqlite/columns.ts";
import type { StatementCache } from "../../storage/sqlite/statements.ts";
import { stopWordKey } from "../language/stems.ts";
import { PAIR_BUCKET_COUNT } from "./word-pairs.ts";

const CACHED_STEMS_MAX = 200_000;

/**
 * Assigns the numbers that the index uses for stems, and caches them across transactions. Numbers up to
 * {@link PAIR_BUCKET_COUNT} are for pairs of words.
 */
export class StemNumbers {
  readonly #sql: StatementCache;
  readonly #ids = new Map<string, number>();
  /** The numbers of stop words, read on first use. */
  #stopWords: Set<number> | null = null;
  #isInTransaction = false;
  /** The highest cached number. */
  #last = 0;
  #dataVersion = -1;

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  /**
   * Call within a transaction. Drops the cached numbers if the transaction that assigned them was
   * rolled back. Also drops them if another process wrote, because that process may have rebuilt
   * the index.
   */
  begin(): void {
    if (this.#isInTransaction) return;
    this.#isInTransaction = true;
    const version = numberOf(this.#sql.of("PRAGMA data_version").get() ?? {}, "data_version");
    const found = this.#sql.of("SELECT coalesce(max(id), 0) AS id FROM reading_stem").get();
    const last = Math.max(PAIR_BUCKET_COUNT, numberOf(found ?? {}, "id"));
    const isSame = version === this.#dataVersion && last === this.#last;
    if (!isSame || this.#ids.size > CACHED_STEMS_MAX) {
      this.#ids.clear();
      this.#stopWords = null;
    }
    this.#dataVersion = version;
    this.#last = last;
  }

  /** Notes that the transaction has ended. Call after commit or rollback. */
  end(): void {
    this.#isInTransaction = false;
  }

  /** Returns the number of a stem. Assigns a number if the stem is new. */
  of(stem: string): number {
    const known = this.#ids.get(stem);
    if (known !== undefined) return known;
    const found = this.#sql.of("SELECT id FROM reading_stem WHERE stem = ?").get(stem);
    const id = found === undefined ? this.#assign(stem) : numberOf(found, "id");
    this.#ids.set(stem, id);
    return id;
  }

  isStopWord(id: number): boolean {
    this.#stopWords ??= this.#readStopWords();
    return this.#stopWords.has(id);
  }

  #readStopWords(): Set<number> {
    const found = this.#sql.of("SELECT id FROM reading_stem WHERE stem >= ? AND stem < ?");
    const prefix = stopWordKey("");
    return new Set(found.all(prefix, `${prefix}\u{10ffff}`).map((stem) => numberOf(stem, "id")));
  }

  #assign(stem: string): number {
    const insert = this.#sql.of("INSERT INTO reading_stem VALUES (?1, ?2, 0, row_hash(?1, ?2, 0))");
    insert.run(this.#last + 1, stem);
    this.#last += 1;
    if (stem.startsWith(stopWordKey(""))) this.#stopWords?.add(this.#last);
    return this.#last;
  }
}
