import type { ContentType } from "../../../content/types/content-type.ts";
import { textOf } from "../../sqlite/columns.ts";
import type { Statements } from "../../sqlite/statements.ts";
import { isTallied, MISSING_VALUE, type StoredValue } from "../values.ts";

interface Change {
  type: string;
  name: string;
  value: string | number;
  more: number;
}

/** Counts the items with each value that lists can be filtered by. Writes changes once per block. */
export class TallyWriter {
  readonly #sql: Statements;
  readonly #changes = new Map<string, Change>();

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  added(type: ContentType, name: string, value: StoredValue): void {
    if (value !== null && isTallied(type, name)) this.#change(type.name, name, { value, more: 1 });
  }

  /** Call before the values of an item are deleted. Values that were never counted are ignored. */
  removing(row: number): void {
    const values = this.#sql
      .of("SELECT type, name, value FROM reading_value WHERE row = ? AND value < ?")
      .all(row, MISSING_VALUE);
    for (const found of values) {
      const { value } = found;
      if (typeof value !== "string" && typeof value !== "number") continue;
      this.#change(textOf(found, "type"), textOf(found, "name"), { value, more: -1 });
    }
  }

  /** A row whose hash was wrong keeps a wrong hash. */
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
    for (const { type, name, value, more } of this.#changes.values()) {
      if (more > 0) start.run(type, name, value);
      if (more !== 0) count.run(type, name, value, more);
      if (more < 0) end.run(type, name, value);
    }
    this.discard();
  }

  discard(): void {
    this.#changes.clear();
  }

  #change(type: string, name: string, { value, more }: Pick<Change, "value" | "more">): void {
    const key = JSON.stringify([type, name, value]);
    const earlier = this.#changes.get(key)?.more ?? 0;
    this.#changes.set(key, { type, name, value, more: earlier + more });
  }
}
