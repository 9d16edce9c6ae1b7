import { requireEqualHash, requireRowHash } from "../../storage/reading/hashed-rows.ts";
import { numberOf, textOf } from "../../storage/sqlite/columns.ts";
import { rowHash } from "../../storage/sqlite/row-hash.ts";
import type { StatementCache } from "../../storage/sqlite/statements.ts";
import { baseLanguage } from "../language/languages.ts";
import { ROWS_PER_BLOCK } from "./postings.ts";

/**
 * Represents every kind whose number does not fit into two bytes. For rows with this number, the kind
 * is read from the item.
 */
export const UNNUMBERED_KIND = 65_535;

/**
 * Type and language of an item. Cached in memory for every row, because type and language are the most
 * common filters.
 */
export interface ItemKind {
  type: string;
  /** BCP 47, in lower case. */
  language: string;
}

/** Reads the kind of every indexed row. */
export class ItemKindReader {
  readonly #sql: StatementCache;
  /** The number of the kind by row; loaded on first use. */
  #numbersByRow: Uint16Array | null = null;
  #numbered: readonly { id: number; kind: ItemKind }[] | null = null;

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  /** Clears the cached data. Call after any change of published content. */
  forget(): void {
    this.#numbersByRow = null;
    this.#numbered = null;
  }

  /** The languages of all items ever published, without regions. */
  languages(): string[] {
    return [...new Set(this.#all().map(({ kind }) => baseLanguage(kind.language)))];
  }

  /**
   * Returns a function that checks whether a row's kind is wanted. Only unnumbered kinds are read from
   * the store.
   */
  test(isWanted: (kind: ItemKind) => boolean): (row: number) => boolean {
    const all = this.#all();
    const isWantedId = new Uint8Array(UNNUMBERED_KIND);
    for (const { id, kind } of all) if (isWanted(kind)) isWantedId[id] = 1;
    const numbersByRow = this.numbersByRow();
    return (row) => {
      const id = numbersByRow[row] ?? 0;
      return id === UNNUMBERED_KIND ? this.#isWantedItem(row, isWanted) : isWantedId[id] === 1;
    };
  }

  /** The number of each row's kind; 0 if the row is not indexed. */
  numbersByRow(): Uint16Array {
    this.#numbersByRow ??= this.#read();
    return this.#numbersByRow;
  }

  /**
   * Returns the number of items of each type, keyed by type, largest first. `items` has the number of items
   * of each kind, keyed by the id of the kind. Leaves out items of kind {@link UNNUMBERED_KIND}.
   */
  countsOfTypes(items: ReadonlyMap<number, number>): Record<string, number> {
    const counts = new Map<string, number>();
    for (const { id, kind } of this.#all()) {
      const itemCount = items.get(id) ?? 0;
      if (itemCount > 0) counts.set(kind.type, (counts.get(kind.type) ?? 0) + itemCount);
    }
    return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
  }

  #isWantedItem(row: number, isWanted: (kind: ItemKind) => boolean): boolean {
    const found = this.#sql.of("SELECT type, language FROM reading_item WHERE row = ?").get(row);
    if (found === undefined) return false;
    const language = textOf(found, "language").toLowerCase();
    return isWanted({ type: textOf(found, "type"), language });
  }

  #all(): readonly { id: number; kind: ItemKind }[] {
    this.#numbered ??= this.#readNumbered();
    return this.#numbered;
  }

  #readNumbered(): { id: number; kind: ItemKind }[] {
    return this.#sql
      .withArrayRows("SELECT id, type, language, hash FROM reading_kind")
      .all()
      .map((found) => {
        requireRowHash(found, 3, "reading_kind");
        const kind = { type: textOf(found, 1), language: textOf(found, 2) };
        return { id: numberOf(found, 0), kind };
      });
  }

  #read(): Uint16Array {
    const last = this.#sql.of("SELECT max(block) AS last FROM reading_kinds").get()?.["last"];
    const blocks = typeof last === "number" ? last + 1 : 0;
    const numbersByRow = new Uint16Array(blocks * ROWS_PER_BLOCK);
    for (let block = 0; block < blocks; block++) {
      numbersByRow.set(readKindNumbersOfBlock(this.#sql, block), block * ROWS_PER_BLOCK);
    }
    return numbersByRow;
  }
}

/** Reads the kinds of a block of rows from `reading_kinds`. */
export function readKindNumbersOfBlock(sql: StatementCache, block: number): Uint16Array {
  const found = sql.of("SELECT kinds, hash FROM reading_kinds WHERE block = ?").get(block);
  const bytes = found?.["kinds"];
  if (!(bytes instanceof Uint8Array)) return new Uint16Array();
  requireEqualHash(
    { stored: found?.["hash"], found: rowHash(block, bytes) },
    "reading_kinds",
    block,
  );
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : bytes.slice();
  return new Uint16Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 2);
}
