import { numberOf } from "../../storage/sqlite/columns.ts";
import { rowHash } from "../../storage/sqlite/row-hash.ts";
import type { StatementCache } from "../../storage/sqlite/statements.ts";
import { type ItemKind, readKindNumbersOfBlock, UNNUMBERED_KIND } from "./item-kinds.ts";
import { ROWS_PER_BLOCK } from "./postings.ts";

/** Rows written per step; the event loop runs between steps. */
const STEP_ROWS = 1000;

/** Updates the stored kinds when items change. Buffers changes until {@link ItemKindWriter.flush}. */
export class ItemKindWriter {
  readonly #sql: StatementCache;
  readonly #changes = new Map<number, ItemKind | null>();

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  put(row: number, kind: ItemKind): void {
    this.#changes.set(row, kind);
  }

  remove(row: number): void {
    this.#changes.set(row, null);
  }

  *flush(): Generator<void> {
    const blocks = new Map<number, { kinds: Uint16Array; isChanged: boolean }>();
    const ids = new Map<string, number>();
    let done = 0;
    for (const [row, kind] of this.#changes) {
      const id = this.#idOf(kind, ids);
      const number = Math.floor(row / ROWS_PER_BLOCK);
      const block = blocks.get(number) ?? { kinds: this.#block(number), isChanged: false };
      blocks.set(number, block);
      block.isChanged ||= block.kinds[row % ROWS_PER_BLOCK] !== id;
      block.kinds[row % ROWS_PER_BLOCK] = id;
      if (++done % STEP_ROWS === 0) yield;
    }
    for (const [number, { kinds, isChanged }] of blocks) {
      if (isChanged) this.#writeBlock(number, kinds);
      yield;
    }
    this.#changes.clear();
  }

  discard(): void {
    this.#changes.clear();
  }

  #block(number: number): Uint16Array {
    const kinds = new Uint16Array(ROWS_PER_BLOCK);
    kinds.set(readKindNumbersOfBlock(this.#sql, number));
    return kinds;
  }

  #writeBlock(number: number, kinds: Uint16Array): void {
    const bytes = new Uint8Array(kinds.buffer);
    this.#sql
      .of("INSERT OR REPLACE INTO reading_kinds VALUES (?, ?, ?)")
      .run(number, bytes, rowHash(number, bytes));
  }

  #idOf(kind: ItemKind | null, ids: Map<string, number>): number {
    if (kind === null) return 0;
    const key = `${kind.type} ${kind.language}`;
    const known = ids.get(key);
    if (known !== undefined) return known;
    this.#sql
      .of(
        `INSERT OR IGNORE INTO reading_kind
         SELECT next, ?1, ?2, row_hash(next, ?1, ?2)
         FROM (SELECT coalesce(max(id), 0) + 1 AS next FROM reading_kind)
         WHERE next < ${UNNUMBERED_KIND}`,
      )
      .run(kind.type, kind.language);
    const found = this.#sql
      .of("SELECT id FROM reading_kind WHERE type = ? AND language = ?")
      .get(kind.type, kind.language);
    const id = found === undefined ? UNNUMBERED_KIND : numberOf(found, "id");
    ids.set(key, id);
    return id;
  }
}
