import type { FieldValue } from "../../content/content-type.ts";
import type { ItemSummary, PublishedItem } from "../../content/library.ts";
import { among, numberOf, numberOrNull, type Row, textOf, textOrNull } from "./columns.ts";
import type { Statements } from "./statements.ts";
import { parseRelated, parseSurroundings, type Related } from "./stored-related.ts";

/** What an item says in lists, in the order in which rows have it, and what stands behind it. */
const OWN_COLUMNS = `i.row, i.type, i.path, i.title, i.summary, i.language, i.published_at,
  i.updated_at, i.fields, i.text`;
const [ROW, TYPE, PATH, TITLE, SUMMARY, LANGUAGE, PUBLISHED_AT, UPDATED_AT, FIELDS, TEXT] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const;
/** Of an item as written. */
const TRANSLATION_OF = 10;
/** Of a summary. */
const RELATED = 10;
/** Of a whole item. */
const [ID, HAS_OWN_SUMMARY, HTML, MARKDOWN, SURROUNDINGS] = [11, 12, 13, 14, 15] as const;

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
      .listing(
        `SELECT ${OWN_COLUMNS}, r.related FROM reading_item i
         CROSS JOIN reading_related r ON r.row = i.row WHERE ${test}`,
      )
      .all(parameter);
    for (const item of found) this.#summaries.set(numberOf(item, ROW), summaryOf(item));
  }

  atPath(path: string): PublishedItem | null {
    const found = this.#sql
      .listing(
        `SELECT ${OWN_COLUMNS}, r.related, i.id, i.has_own_summary, b.html, b.markdown, r.surroundings
         FROM reading_item i CROSS JOIN reading_related r ON r.row = i.row
         CROSS JOIN reading_body b ON b.row = i.row WHERE i.path = ?`,
      )
      .get(path);
    if (found === undefined) return null;
    return {
      ...summaryOf(found),
      id: textOf(found, ID),
      hasOwnSummary: found[HAS_OWN_SUMMARY] === 1,
      html: textOf(found, HTML),
      markdown: textOf(found, MARKDOWN),
      ...parseSurroundings(textOrNull(found, SURROUNDINGS)),
    };
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
  return { ...ownFacts(found), ...parseRelated(textOf(found, RELATED)) };
}

/** An item as it stands in its own rows. */
export interface WrittenItem {
  row: number;
  type: string;
  translationOf: number | null;
  facts: Omit<ItemSummary, keyof Related>;
}

/** Items by their rows; those that are not published are left out. */
export function writtenItems(sql: Statements, rows: readonly number[]): WrittenItem[] {
  const { test, parameter } = among("i.row", rows);
  return sql
    .listing(`SELECT ${OWN_COLUMNS}, i.translation_of FROM reading_item i WHERE ${test}`)
    .all(parameter)
    .map((found) => ({
      row: numberOf(found, ROW),
      type: textOf(found, TYPE),
      translationOf: numberOrNull(found, TRANSLATION_OF),
      facts: ownFacts(found),
    }));
}

function ownFacts(found: Row): Omit<ItemSummary, keyof Related> {
  const fields: Record<string, FieldValue> = JSON.parse(textOf(found, FIELDS));
  return {
    path: textOf(found, PATH),
    type: textOf(found, TYPE),
    title: textOf(found, TITLE),
    summary: textOf(found, SUMMARY),
    text: textOf(found, TEXT),
    fields,
    language: textOf(found, LANGUAGE),
    publishedAt: textOf(found, PUBLISHED_AT),
    updatedAt: textOf(found, UPDATED_AT),
  };
}
