import type { ContentType } from "../../../content/types/content-type.ts";
import { numberOf, numberOrNull, textOf } from "../../sqlite/columns.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import {
  authorTallyName,
  isCountedValue,
  linkTallyName,
  MISSING_VALUE,
  type StoredValue,
} from "../values.ts";

interface TallyChange {
  type: string;
  name: string;
  value: string | number;
  change: number;
}

interface LinkToCount {
  relation: string;
  target: number;
  /** The language of the item that has the link, in lower case. */
  language: string;
  /** The row of its author, as in `reading_link`. */
  author: number | null;
}

/**
 * Updates the number of items for each value by which lists can be filtered, and the number of items
 * that link to each item, by language and by author. Writes changes once per batch.
 */
export class TallyWriter {
  readonly #sql: StatementCache;
  readonly #changes = new Map<string, TallyChange>();

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  added(type: ContentType, name: string, value: StoredValue): void {
    if (value !== null && isCountedValue(type, name))
      this.#change(type.name, name, { value, change: 1 });
  }

  /** Adds a published item to the counts of all items to which it links. */
  linked(type: string, links: readonly LinkToCount[]): void {
    for (const link of links) this.#changeLink(type, link, 1);
  }

  /**
   * Subtracts an item from the counts of its values and links. Call before these are deleted.
   * Values that were never counted are ignored.
   */
  removing(row: number): void {
    const values = this.#sql
      .of("SELECT type, name, value FROM reading_value WHERE row = ? AND value < ?")
      .all(row, MISSING_VALUE);
    for (const found of values) {
      const { value } = found;
      if (typeof value !== "string" && typeof value !== "number") continue;
      this.#change(textOf(found, "type"), textOf(found, "name"), { value, change: -1 });
    }
    this.#removingLinks(row);
  }

  /**
   * Writes the changes. If a row was damaged, its hash stays wrong, so that checks still detect the
   * damage.
   */
  flush(): void {
    const start = this.#sql.of(
      `INSERT INTO reading_tally SELECT ?1, ?2, ?3, 0, row_hash(?1, ?2, ?3, 0)
       WHERE NOT EXISTS (SELECT 1 FROM reading_tally WHERE type = ?1 AND name = ?2 AND value = ?3)`,
    );
    const count = this.#sql.of(
      `UPDATE reading_tally SET items = items + ?4,
         hash = row_hash(type, name, value, items + ?4) + hash - row_hash(type, name, value, items)
       WHERE type = ?1 AND name = ?2 AND value = ?3`,
    );
    const end = this.#sql.of(
      "DELETE FROM reading_tally WHERE type = ? AND name = ? AND value = ? AND items = 0",
    );
    for (const { type, name, value, change } of this.#changes.values()) {
      if (change > 0) start.run(type, name, value);
      if (change !== 0) count.run(type, name, value, change);
      if (change < 0) end.run(type, name, value);
    }
    this.discard();
  }

  discard(): void {
    this.#changes.clear();
  }

  #removingLinks(row: number): void {
    const links = this.#sql
      .of(
        "SELECT source_type, relation, target, language, author FROM reading_link WHERE source = ?",
      )
      .all(row);
    for (const link of links) {
      const stored = {
        relation: textOf(link, "relation"),
        target: numberOf(link, "target"),
        language: textOf(link, "language"),
        author: numberOrNull(link, "author"),
      };
      this.#changeLink(textOf(link, "source_type"), stored, -1);
    }
  }

  #changeLink(
    type: string,
    { relation, target, language, author }: LinkToCount,
    change: 1 | -1,
  ): void {
    this.#change(type, linkTallyName(relation, target), { value: language, change });
    if (author === null) return;
    this.#change(type, authorTallyName(relation, target), { value: author, change });
  }

  #change(
    type: string,
    name: string,
    { value, change }: Pick<TallyChange, "value" | "change">,
  ): void {
    const key = JSON.stringify([type, name, value]);
    const earlier = this.#changes.get(key)?.change ?? 0;
    this.#changes.set(key, { type, name, value, change: earlier + change });
  }
}
