import { numberOf, textOf } from "../sqlite/columns.ts";
import type { StatementCache } from "../sqlite/statements.ts";
import type { ComputationSteps } from "../sqlite/yield-between.ts";

const STEP_ITEMS = 100;

/**
 * Returns the number that the record has assigned to an item. @throws if the item has no number.
 */
export type RowNumberOf = (itemId: string) => number;

/** Assigns a permanent number to each item, published or not. Loads the numbers of one batch at a time. */
export class RowNumbers {
  readonly #sql: StatementCache;
  readonly #rowNumberOf: RowNumberOf | undefined;
  readonly #rows = new Map<string, number>();
  readonly #new = new Set<number>();

  constructor(sql: StatementCache, rowNumberOf?: RowNumberOf) {
    this.#sql = sql;
    this.#rowNumberOf = rowNumberOf;
  }

  /**
   * Looks up or assigns the numbers of these items, in this order. Forgets the numbers of earlier
   * batches.
   */
  *load(itemIds: Iterable<string>): ComputationSteps {
    this.forget();
    const wanted = [...new Set(itemIds)];
    for (let from = 0; from < wanted.length; from += STEP_ITEMS) {
      this.#loadSome(wanted.slice(from, from + STEP_ITEMS));
      yield;
    }
  }

  forget(): void {
    this.#rows.clear();
    this.#new.clear();
  }

  of(itemId: string): number {
    return this.#rows.get(itemId) ?? this.#find(itemId) ?? this.#make(itemId);
  }

  /** Whether the number was assigned in this batch. Nothing else refers to a new number yet. */
  isNew(row: number): boolean {
    return this.#new.has(row);
  }

  #loadSome(itemIds: readonly string[]): void {
    const known = this.#sql
      .of("SELECT item_id, row FROM reading_row WHERE item_id IN (SELECT value FROM json_each(?))")
      .all(JSON.stringify(itemIds));
    for (const found of known) this.#rows.set(textOf(found, "item_id"), numberOf(found, "row"));
    for (const itemId of itemIds) if (!this.#rows.has(itemId)) this.#make(itemId);
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
    const assigned = this.#rowNumberOf?.(itemId) ?? null;
    const { lastInsertRowid } = insert.run(assigned, itemId);
    const row = assigned ?? Number(lastInsertRowid);
    this.#rows.set(itemId, row);
    this.#new.add(row);
    return row;
  }
}
