import { numberOf } from "../../storage/sqlite/columns.ts";
import type { Statements } from "../../storage/sqlite/statements.ts";
import { smallWordKey } from "../language/stems.ts";
import { PAIR_BUCKETS } from "./word-pairs.ts";

const REMEMBERED_MAX = 200_000;

/**
 * The numbers the index uses for stems, cached across transactions; those up to `PAIR_BUCKETS` are for
 * pairs of words.
 */
export class StemNumbers {
  readonly #sql: Statements;
  readonly #ids = new Map<string, number>();
  /** The numbers of stop words, read on first use. */
  #stopWords: Set<number> | null = null;
  #isWithin = false;
  /** The highest number known to the cache. */
  #last = 0;
  #dataVersion = -1;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /**
   * Call within a transaction. Drops cached numbers if the transaction that made them was rolled back,
   * or if another process wrote: stems are never removed, but the index may be rebuilt.
   */
  begin(): void {
    if (this.#isWithin) return;
    this.#isWithin = true;
    const version = numberOf(this.#sql.of("PRAGMA data_version").get() ?? {}, "data_version");
    const found = this.#sql.of("SELECT coalesce(max(id), 0) AS id FROM reading_stem").get();
    const last = Math.max(PAIR_BUCKETS, numberOf(found ?? {}, "id"));
    const isSame = version === this.#dataVersion && last === this.#last;
    if (!isSame || this.#ids.size > REMEMBERED_MAX) {
      this.#ids.clear();
      this.#stopWords = null;
    }
    this.#dataVersion = version;
    this.#last = last;
  }

  /** Call after commit or rollback. */
  end(): void {
    this.#isWithin = false;
  }

  of(stem: string): number {
    const known = this.#ids.get(stem);
    if (known !== undefined) return known;
    const found = this.#sql.of("SELECT id FROM reading_stem WHERE stem = ?").get(stem);
    const id = found === undefined ? this.#make(stem) : numberOf(found, "id");
    this.#ids.set(stem, id);
    return id;
  }

  isStopWord(id: number): boolean {
    this.#stopWords ??= this.#readStopWords();
    return this.#stopWords.has(id);
  }

  #readStopWords(): Set<number> {
    const found = this.#sql.of("SELECT id FROM reading_stem WHERE stem >= ? AND stem < ?");
    const mark = smallWordKey("");
    return new Set(found.all(mark, `${mark}\u{10ffff}`).map((stem) => numberOf(stem, "id")));
  }

  #make(stem: string): number {
    const insert = this.#sql.of("INSERT INTO reading_stem VALUES (?1, ?2, 0, row_hash(?1, ?2, 0))");
    insert.run(this.#last + 1, stem);
    this.#last += 1;
    if (stem.startsWith(smallWordKey(""))) this.#stopWords?.add(this.#last);
    return this.#last;
  }
}
