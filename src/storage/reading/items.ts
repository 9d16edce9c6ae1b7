import {
  type ItemSummary,
  type PublishedItem,
  SUMMARY_TEXT_CHARACTERS_MAX,
} from "../../content/library.ts";
import type { FieldValue } from "../../content/types/content-type.ts";
import {
  numberOf,
  numberOrNull,
  type Row,
  rowInListSql,
  textOf,
  textOrNull,
} from "../sqlite/columns.ts";
import { rowHash, rowHashOfFirstColumns } from "../sqlite/row-hash.ts";
import type { StatementCache } from "../sqlite/statements.ts";
import {
  LISTED_ITEM_COLUMNS,
  requireEqualHash,
  UNLISTED_ITEM_COLUMNS,
  wrongRowError,
} from "./hashed-rows.ts";
import { type LinksAndCounts, parseLinksAndCounts, parsePageRelations } from "./stored-related.ts";

/**
 * The columns of `reading_item` that the hash of a row covers, in the order in which they are hashed. The
 * last column is the hash itself.
 */
const OWN_COLUMNS = [...LISTED_ITEM_COLUMNS, ...UNLISTED_ITEM_COLUMNS, "hash"]
  .map((name) => `i.${name}`)
  .join(", ");
const [ROW, TYPE, PATH, TITLE, SUMMARY, LANGUAGE, UPDATED_AT] = [0, 1, 2, 3, 4, 5, 6] as const;
const [ID, HAS_OWN_SUMMARY, TRANSLATION_OF, PUBLISHED_AT] = [7, 8, 9, 10] as const;
const [FIELDS, TEXT, HASH] = [11, 12, 13] as const;
/** Positions of the columns after `OWN_COLUMNS` in the queries for summaries and whole items. */
const [RELATED, RELATED_HASH] = [14, 15] as const;
/** Positions of the columns after `RELATED_HASH`. Only the query for whole items has these columns. */
const [HTML, HTML_HASH, MARKDOWN, MARKDOWN_HASH] = [16, 17, 18, 19] as const;
const [SURROUNDINGS, AROUND_HASH] = [20, 21] as const;
/** Positions of the columns in the query that reads the remainder of a long text. */
const [TEXT_REST, TEXT_HASH] = [1, 2] as const;

/** Limit on cached summaries, which take about 10 MB. */
const CACHED_SUMMARIES_MAX = 5000;

interface KnownSummary {
  summary: ItemSummary;
  /** Hash of the item's own row; `relatedHash` is the hash of the related items. */
  hash: number;
  relatedHash: number;
}

export class PublishedItems {
  readonly #sql: StatementCache;
  readonly #summaries = new Map<number, KnownSummary>();
  /**
   * Rows whose cached summary is known to be current. Cleared on every change of published content.
   */
  readonly #current = new Set<number>();
  /** The rows in `#current`, keyed by the path of the item. */
  readonly #rowsByPath = new Map<string, number>();

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  forget(): void {
    this.#current.clear();
    this.#rowsByPath.clear();
  }

  /** Returns the summaries in the order of `rows`. Omits unpublished rows. */
  summaries(rows: readonly number[]): ItemSummary[] {
    const isUnverified = (row: number) => !this.#current.has(row);
    this.#makeRoom(rows.filter(isUnverified).length);
    // Keeps cached summaries whose hashes are unchanged. A change affects few items, and comparing hashes
    // takes a fifth of the time needed to read the summaries.
    const cached = rows.filter((row) => isUnverified(row) && this.#summaries.has(row));
    if (cached.length > 0) this.#keepUnchanged(cached);
    const missing = rows.filter(isUnverified);
    if (missing.length > 0) this.#readSummaries(missing);
    return rows.flatMap((row) => {
      const found = this.#current.has(row) ? this.#summaries.get(row) : undefined;
      return found === undefined ? [] : [found.summary];
    });
  }

  /** @throws {DamageError} if a row that an index lists has no item. */
  listed(rows: readonly number[]): ItemSummary[] {
    const summaries = this.summaries(rows);
    if (summaries.length < rows.length) throw wrongRowError("reading_item", rows.join(" "));
    return summaries;
  }

  #makeRoom(rows: number): void {
    if (this.#summaries.size + rows <= CACHED_SUMMARIES_MAX) return;
    this.#summaries.clear();
    this.forget();
  }

  #keepUnchanged(rows: readonly number[]): void {
    const { test, parameter } = rowInListSql("i.row", rows);
    const found = this.#sql
      .withArrayRows(
        `SELECT i.row, i.hash, r.related_hash FROM reading_item i
         CROSS JOIN reading_related r ON r.row = i.row WHERE ${test}`,
      )
      .all(parameter);
    for (const item of found) {
      const row = numberOf(item, 0);
      const known = this.#summaries.get(row);
      if (known === undefined || known.hash !== item[1] || known.relatedHash !== item[2]) continue;
      this.#current.add(row);
      this.#rowsByPath.set(known.summary.path, row);
    }
  }

  #readSummaries(rows: readonly number[]): void {
    const { test, parameter } = rowInListSql("i.row", rows);
    const found = this.#sql
      .withArrayRows(
        `SELECT ${OWN_COLUMNS}, r.related, r.related_hash FROM reading_item i
         CROSS JOIN reading_related r ON r.row = i.row WHERE ${test}`,
      )
      .all(parameter);
    for (const item of found) this.#keep(item, summaryOf(item));
  }

  #keep(found: Row, summary: ItemSummary): void {
    const row = numberOf(found, ROW);
    const hash = numberOf(found, HASH);
    const relatedHash = numberOf(found, RELATED_HASH);
    this.#summaries.set(row, { summary, hash, relatedHash });
    this.#current.add(row);
    this.#rowsByPath.set(summary.path, row);
  }

  atPath(path: string): PublishedItem | null {
    const found = this.#whole("i.path = ?", path);
    if (found === undefined) return null;
    const summary = summaryOf(found);
    // Detects a damaged index, which may return another item that is itself intact.
    if (summary.path !== path) throw wrongRowError("reading_item", path);
    // Caches the summary, because the item's page looks up this item's row and its neighbours next.
    this.#makeRoom(1);
    this.#keep(found, summary);
    return wholeItem(found, summary);
  }

  /** Returns null if the row's item is not published. */
  atRow(row: number): PublishedItem | null {
    const found = this.#whole("i.row = ?", row);
    if (found !== undefined) return wholeItem(found, summaryOf(found));
    if (this.#isListed(row)) throw wrongRowError("reading_item", String(row));
    return null;
  }

  #whole(test: string, parameter: string | number): Row | undefined {
    return this.#sql
      .withArrayRows(
        `SELECT ${OWN_COLUMNS}, r.related, r.related_hash, b.html, b.html_hash,
           b.markdown, b.markdown_hash, r.surroundings, r.around_hash
         FROM reading_item i CROSS JOIN reading_related r ON r.row = i.row
         CROSS JOIN reading_body b ON b.row = i.row WHERE ${test}`,
      )
      .get(parameter);
  }

  #isListed(row: number): boolean {
    return this.#sql.of("SELECT 1 FROM reading_item WHERE row = ?").get(row) !== undefined;
  }

  rowAt(path: string): number | null {
    const known = this.#rowsByPath.get(path);
    if (known !== undefined) return known;
    const found = this.#sql.of("SELECT row FROM reading_item WHERE path = ?").get(path);
    if (found === undefined) return null;
    const row = numberOf(found, "row");
    const [item] = this.summaries([row]);
    if (item !== undefined && item.path !== path) throw wrongRowError("reading_item", path);
    return row;
  }

  /** Returns null if the row's item is not published. */
  pathOf(row: number): string | null {
    return this.summaries([row])[0]?.path ?? null;
  }

  /**
   * Summaries with the whole body as plain text, in the order of `rows`. Omits unpublished rows.
   */
  withTexts(rows: readonly number[]): { item: ItemSummary; text: string }[] {
    this.summaries(rows);
    const items = rows.flatMap((row) => this.summaries([row]).map((item) => ({ row, item })));
    const rests = this.#textRests(
      items.filter(({ item }) => mayContinue(item)).map(({ row }) => row),
    );
    return items.map(({ row, item }) => ({ item, text: item.text + (rests.get(row) ?? "") }));
  }

  /** The rest of each text, after the part in the summary. */
  #textRests(rows: readonly number[]): Map<number, string> {
    if (rows.length === 0) return new Map();
    const { test, parameter } = rowInListSql("row", rows);
    const found = this.#sql
      .withArrayRows(`SELECT row, text_rest, text_hash FROM reading_body WHERE ${test}`)
      .all(parameter);
    return new Map(
      found.map((body) => [
        numberOf(body, ROW),
        verifiedText(body, TEXT_REST, TEXT_HASH, "reading_body") ?? "",
      ]),
    );
  }
}

/**
 * Whether the summary possibly contains only a part of the text. A part can be one code unit shorter than
 * the maximum, because it never ends within a character.
 */
function mayContinue({ text }: ItemSummary): boolean {
  return text.length >= SUMMARY_TEXT_CHARACTERS_MAX - 1;
}

function summaryOf(found: Row): ItemSummary {
  const facts = ownFacts(found);
  const related = verifiedText(found, RELATED, RELATED_HASH, "reading_related") ?? "";
  return { ...facts, ...parseLinksAndCounts(related) };
}

function wholeItem(found: Row, summary: ItemSummary): PublishedItem {
  return {
    ...summary,
    id: textOf(found, ID),
    hasOwnSummary: found[HAS_OWN_SUMMARY] === 1,
    html: verifiedText(found, HTML, HTML_HASH, "reading_body") ?? "",
    markdown: verifiedText(found, MARKDOWN, MARKDOWN_HASH, "reading_body") ?? "",
    ...parsePageRelations(verifiedText(found, SURROUNDINGS, AROUND_HASH, "reading_related")),
  };
}

/** Verifies and returns a text that has its own hash. */
function verifiedText(
  found: Row,
  column: number,
  hashColumn: number,
  table: string,
): string | null {
  const row = numberOf(found, ROW);
  const text = textOrNull(found, column);
  requireEqualHash({ stored: found[hashColumn], found: rowHash(row, text) }, table, row);
  return text;
}

/** The data in an item's own row, without related items. */
export interface StoredItem {
  row: number;
  type: string;
  translationOf: number | null;
  facts: Omit<ItemSummary, keyof LinksAndCounts>;
}

/** Reads items by row. Omits unpublished items. */
export function readStoredItems(sql: StatementCache, rows: readonly number[]): StoredItem[] {
  const { test, parameter } = rowInListSql("i.row", rows);
  return sql
    .withArrayRows(`SELECT ${OWN_COLUMNS} FROM reading_item i WHERE ${test}`)
    .all(parameter)
    .map((found) => ({
      row: numberOf(found, ROW),
      type: textOf(found, TYPE),
      translationOf: numberOrNull(found, TRANSLATION_OF),
      facts: ownFacts(found),
    }));
}

function ownFacts(found: Row): Omit<ItemSummary, keyof LinksAndCounts> {
  requireEqualHash(
    { stored: found[HASH], found: rowHashOfFirstColumns(HASH, found) },
    "reading_item",
    rowNumberText(found),
  );
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

function rowNumberText(found: Row): string {
  return String(found[ROW]);
}
