import type { StatementCache } from "../../sqlite/statements.ts";
import type { BufferedChange, RetiredItem } from "./reading-writer.ts";

/** A buffered change of a redirect, or of a path that answers 410 although it never had an item. */
export type PathChange = Extract<
  BufferedChange,
  { kind: "redirect" | "lead" | "leadNowhere" | "dropRedirect" }
>;

const PUT_PATH =
  "INSERT OR REPLACE INTO reading_path VALUES (?1, ?2, ?3, ?4, row_hash(?1, ?2, ?3, ?4))";

/** Writes paths without an item: redirects and gone pages. */
export class PathWriter {
  readonly #sql: StatementCache;
  #isEmpty = false;

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  /**
   * Starts a batch. `onlyPuts`: the batch consists of `put` calls only. If `reading_path` is also
   * empty, as in most bulk loads, `clear` and `forgetGone` run no statement.
   */
  begin({ onlyPuts }: { onlyPuts: boolean }): void {
    const isEmpty = () => this.#sql.of("SELECT 1 FROM reading_path LIMIT 1").get() === undefined;
    this.#isEmpty = onlyPuts && isEmpty();
  }

  /** Removes any redirect or gone page at this path. Call when an item gets the path. */
  clear(path: string): void {
    if (!this.#isEmpty) this.#sql.of("DELETE FROM reading_path WHERE path = ?").run(path);
  }

  /**
   * Removes the entries that make paths of this item answer 410. Call when the item exists again, or
   * when its former existence must stay private.
   */
  forgetGone(row: number): void {
    if (this.#isEmpty) return;
    this.#sql.of("DELETE FROM reading_path WHERE row = ? AND gone_title IS NOT NULL").run(row);
  }

  gone(row: number, { path, title, type }: RetiredItem): void {
    this.#sql.of(PUT_PATH).run(path, row, title, type);
  }

  /** Writes a change. `rowOf` returns the row of an item id. */
  write(change: PathChange, rowOf: (itemId: string) => number): void {
    switch (change.kind) {
      case "redirect":
        this.#redirect(change.from, rowOf(change.toItemId));
        break;
      case "lead":
        this.#lead(change.from, change.toPath);
        break;
      case "leadNowhere":
        this.#lead(change.from, "");
        break;
      case "dropRedirect":
        this.#drop(change.from);
        break;
    }
  }

  #redirect(from: string, row: number): void {
    this.#sql.of(PUT_PATH).run(from, row, null, null);
  }

  #lead(from: string, toPath: string): void {
    this.#drop(from);
    this.#sql.of("INSERT INTO reading_lead VALUES (?1, ?2, row_hash(?1, ?2))").run(from, toPath);
  }

  #drop(from: string): void {
    this.#sql.of("DELETE FROM reading_path WHERE path = ?").run(from);
    this.#sql.of("DELETE FROM reading_lead WHERE path = ?").run(from);
  }
}
