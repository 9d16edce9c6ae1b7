import { numberOf, textOf } from "../sqlite/columns.ts";
import type { Statements } from "../sqlite/statements.ts";

/**
 * Looks up an item's number, where numbers are assigned elsewhere.
 * @throws when unknown.
 */
export type RowNumberOf = (itemId: string) => number;

/** Assigns each item a permanent number, published or not; loaded per block. */
export class RowNumbers {
  readonly #sql: Statements;
  readonly #given: RowNumberOf | undefined;
  readonly #rows = new Map<string, number>();
  readonly #fresh = new Set<number>();

  constructor(sql: Statements, given?: RowNumberOf) {
    this.#sql = sql;
    this.#given = given;
  }

  /** Finds or assigns the numbers of these items, in this order, and forgets those of earlier blocks. */
  load(itemIds: Iterable<string>): void {
    this.forget();
    const wanted = new Set(itemIds);
    const known = this.#sql
      .of("SELECT item_id, row FROM reading_row WHERE item_id IN (SELECT value FROM json_each(?))")
      .all(JSON.stringify([...wanted]));
    for (const found of known) this.#rows.set(textOf(found, "item_id"), numberOf(found, "row"));
    for (const itemId of wanted) if (!this.#rows.has(itemId)) this.#make(itemId);
  }

  forget(): void {
    this.#rows.clear();
    this.#fresh.clear();
  }

  of(itemId: string): number {
    return this.#rows.get(itemId) ?? this.#find(itemId) ?? this.#make(itemId);
  }

  /** Whether the number was assigned in this block. Then nothing else refers to it yet. */
  isFresh(row: number): boolean {
    return this.#fresh.has(row);
  }

  #find(itemId: string): number | undefined {
    const found = this.#sql.of("SELECT row FROM reading_row WHERE item_id = ?").get(itemId);
    if (found === undefined) return undefined;
    const row = numberOf(found, "row");
    this.#rows.set(itemId, row);
    return row;
  }

  #make(itemId: string): number {
    const insert = this.#sql.of("INSERT INTO reading_row (row, item_id) VALUES (?, ?)");
    const given = this.#given?.(itemId) ?? null;
    const { lastInsertRowid } = insert.run(given, itemId);
    const row = given ?? Number(lastInsertRowid);
    this.#rows.set(itemId, row);
    this.#fresh.add(row);
    return row;
  }
}
