import type { FieldValue } from "../../content/content-type.ts";
import type { ItemSummary, PreparedItem } from "../../content/library.ts";
import { among, numberOf, type Row, textOf, textOrNull } from "./columns.ts";
import type { Statements } from "./statements.ts";
import { parseRelated, parseSurroundings, type Related } from "./stored-related.ts";

const SUMMARY_COLUMNS = `i.row, i.type, i.path, i.title, i.summary, i.language, i.published_at,
  i.updated_at, i.fields, i.text, c.related`;

/** Some 10 MB of them. */
const SUMMARIES_MAX = 5000;

/** Published items as readers see them. */
export class Items {
  readonly #sql: Statements;
  /** Emptied whenever something published changes. */
  readonly #summaries = new Map<number, ItemSummary>();

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  forget(): void {
    this.#summaries.clear();
  }

  /** In the order of the rows; rows that are not published are left out. */
  summaries(rows: readonly number[]): ItemSummary[] {
    const unknown = rows.filter((row) => !this.#summaries.has(row));
    if (this.#summaries.size + unknown.length > SUMMARIES_MAX) this.#summaries.clear();
    const read = rows.filter((row) => !this.#summaries.has(row));
    if (read.length > 0) this.#readSummaries(read);
    return rows.flatMap((row) => this.#summaries.get(row) ?? []);
  }

  #readSummaries(rows: readonly number[]): void {
    const { test, parameter } = among("i.row", rows);
    const found = this.#sql
      .of(
        `SELECT ${SUMMARY_COLUMNS} FROM reading_item i
         CROSS JOIN reading_card c ON c.row = i.row WHERE ${test}`,
      )
      .all(parameter);
    for (const item of found) this.#summaries.set(numberOf(item, "row"), summaryOf(item));
  }

  atPath(path: string): PreparedItem | null {
    const found = this.#sql
      .of(
        `SELECT ${SUMMARY_COLUMNS}, i.id, i.has_own_summary, b.html, b.markdown, c.surroundings
         FROM reading_item i CROSS JOIN reading_card c ON c.row = i.row
         CROSS JOIN reading_body b ON b.row = i.row WHERE i.path = ?`,
      )
      .get(path);
    if (found === undefined) return null;
    const item = {
      ...summaryOf(found),
      id: textOf(found, "id"),
      hasOwnSummary: found["has_own_summary"] === 1,
      html: textOf(found, "html"),
      markdown: textOf(found, "markdown"),
      ...parseSurroundings(textOrNull(found, "surroundings")),
    };
    return { row: numberOf(found, "row"), item };
  }

  rowAt(path: string): number | null {
    const found = this.#sql.of("SELECT row FROM reading_item WHERE path = ?").get(path);
    return found === undefined ? null : numberOf(found, "row");
  }

  /** The whole body as plain text. */
  fullText(row: number): string {
    const found = this.#sql
      .of(
        `SELECT i.text, b.text_rest FROM reading_item i
         CROSS JOIN reading_body b ON b.row = i.row WHERE i.row = ?`,
      )
      .get(row);
    return found === undefined ? "" : textOf(found, "text") + textOf(found, "text_rest");
  }
}

function summaryOf(found: Row): ItemSummary {
  return { ...ownFacts(found), ...parseRelated(textOf(found, "related")) };
}

/** What an item says in lists, without what it is related with. */
export function ownFacts(found: Row): Omit<ItemSummary, keyof Related> {
  const fields: Record<string, FieldValue> = JSON.parse(textOf(found, "fields"));
  return {
    path: textOf(found, "path"),
    type: textOf(found, "type"),
    title: textOf(found, "title"),
    summary: textOf(found, "summary"),
    text: textOf(found, "text"),
    fields,
    language: textOf(found, "language"),
    publishedAt: textOf(found, "published_at"),
    updatedAt: textOf(found, "updated_at"),
  };
}
