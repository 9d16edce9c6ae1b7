import {
  type ContentTypes,
  type FieldValue,
  type RelationView,
  relationViews,
} from "../../content/content-type.ts";
import type { ItemSummary, LinkedItem, PublishedItem } from "../../content/library.ts";
import { numberOf, type Row, textOf, textOrNull } from "./columns.ts";
import { countedViews } from "./link-counts.ts";
import type { Statements } from "./statements.ts";

const SUMMARY_COLUMNS = `i.row, i.type, i.path, i.title, i.summary, i.language, i.published_at,
  i.updated_at, i.fields, i.text`;

/** Some 10 MB of them. */
const SUMMARIES_MAX = 5000;

/** What belongs to every item of a type. */
interface TypeViews {
  own: RelationView[];
  /** Is it counted what others relate to it? */
  counted: boolean;
}

const NOTHING_FOUND: ReadonlyMap<number, Row[]> = new Map();

/** Published items as readers see them, put together from their rows. */
export class Items {
  readonly #sql: Statements;
  #types: ContentTypes = new Map();
  /** Emptied whenever something published changes. */
  readonly #summaries = new Map<number, ItemSummary>();
  readonly #views = new Map<string, TypeViews>();

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  useTypes(types: ContentTypes): void {
    this.#types = types;
    this.#views.clear();
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

  /** All rows of a page with one statement for each of their parts. */
  #readSummaries(rows: readonly number[]): void {
    const { test, parameter } = among("i.row", rows);
    const found = this.#sql
      .of(`SELECT ${SUMMARY_COLUMNS} FROM reading_item i WHERE ${test}`)
      .all(parameter);
    const { links, counts } = this.#partsOf(found);
    for (const item of found) {
      const row = numberOf(item, "row");
      const parts = { links: links.get(row) ?? [], counts: counts.get(row) ?? [] };
      this.#summaries.set(row, this.#summary(item, parts));
    }
  }

  /** What belongs to items but does not stand in their rows, by these. */
  #partsOf(found: readonly Row[]): Record<"links" | "counts", ReadonlyMap<number, Row[]>> {
    const rows = found.map((item) => numberOf(item, "row"));
    const types = new Set(found.map((item) => textOf(item, "type")));
    const views = [...types].map((type) => this.#viewsOf(type));
    return {
      links: views.some(({ own }) => own.length > 0) ? this.#linksOf(rows) : NOTHING_FOUND,
      counts: views.some(({ counted }) => counted) ? this.#countsOf(rows) : NOTHING_FOUND,
    };
  }

  atPath(path: string): PublishedItem | null {
    const found = this.#sql
      .of(
        `SELECT ${SUMMARY_COLUMNS}, i.id, i.has_own_summary, i.translation_of, b.html, b.markdown
         FROM reading_item i CROSS JOIN reading_body b ON b.row = i.row WHERE i.path = ?`,
      )
      .get(path);
    if (found === undefined) return null;
    const row = numberOf(found, "row");
    const { links, counts } = this.#partsOf([found]);
    const parts = { links: links.get(row) ?? [], counts: counts.get(row) ?? [] };
    return {
      ...this.#summary(found, parts),
      id: textOf(found, "id"),
      hasOwnSummary: found["has_own_summary"] === 1,
      html: textOf(found, "html"),
      markdown: textOf(found, "markdown"),
      translations: this.#translations(found),
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

  #summary(found: Row, parts: { links: readonly Row[]; counts: readonly Row[] }): ItemSummary {
    const row = numberOf(found, "row");
    const type = textOf(found, "type");
    const fields: Record<string, FieldValue> = JSON.parse(textOf(found, "fields"));
    const links = this.#links(row, type, parts.links);
    return {
      path: textOf(found, "path"),
      type,
      title: textOf(found, "title"),
      summary: textOf(found, "summary"),
      text: textOf(found, "text"),
      fields,
      language: textOf(found, "language"),
      publishedAt: textOf(found, "published_at"),
      updatedAt: textOf(found, "updated_at"),
      links,
      counts: this.#counts(type, links, parts.counts),
    };
  }

  /** What items state, in the order in which they state it, by their rows. */
  #linksOf(rows: readonly number[]): ReadonlyMap<number, Row[]> {
    const { test, parameter } = among("l.source", rows);
    return byRow(
      this.#sql
        .of(
          `SELECT l.source AS row, l.relation, l.note, t.path, t.type, t.title FROM reading_link l
           CROSS JOIN reading_item t ON t.row = l.target
           WHERE ${test}
           ORDER BY l.source, l.relation, l.position`,
        )
        .all(parameter),
    );
  }

  #links(row: number, type: string, found: readonly Row[]): Record<string, LinkedItem[]> {
    const { own } = this.#viewsOf(type);
    if (own.length === 0) return {};
    const links: Record<string, LinkedItem[]> = Object.fromEntries(
      own.map((view) => [view.name, []]),
    );
    for (const link of found) links[textOf(link, "relation")]?.push(linkedItem(link));
    for (const view of own) {
      if (this.#types.get(type)?.relations[view.name]?.symmetric !== true) continue;
      const stated = links[view.name] ?? [];
      const paths = new Set(stated.map((link) => link.path));
      stated.push(...this.#linksFrom(row, view.name).filter((link) => !paths.has(link.path)));
    }
    return links;
  }

  /** A symmetric relation as stated by the other end. */
  #linksFrom(row: number, relation: string): LinkedItem[] {
    return this.#sql
      .of(
        `SELECT l.note, t.path, t.type, t.title FROM reading_link l
         CROSS JOIN reading_item t ON t.row = l.source
         WHERE l.target = ? AND l.relation = ? ORDER BY l.source`,
      )
      .all(row, relation)
      .map(linkedItem);
  }

  /** How much others relate to items, by their rows. */
  #countsOf(rows: readonly number[]): ReadonlyMap<number, Row[]> {
    const { test, parameter } = among("row", rows);
    return byRow(
      this.#sql
        .of(
          `SELECT row, name, value FROM reading_value
           WHERE ${test} AND name >= 'count:' AND name < 'count;'`,
        )
        .all(parameter),
    );
  }

  #counts(
    type: string,
    links: Readonly<Record<string, readonly LinkedItem[]>>,
    found: readonly Row[],
  ): Record<string, number> {
    const { own } = this.#viewsOf(type);
    const counts: Record<string, number> = {};
    for (const { name } of own) counts[name] = links[name]?.length ?? 0;
    for (const count of found) {
      counts[textOf(count, "name").slice("count:".length)] = 0 - numberOf(count, "value");
    }
    return counts;
  }

  #translations(found: Row): PublishedItem["translations"] {
    const row = numberOf(found, "row");
    const original = found["translation_of"] ?? row;
    return this.#sql
      .of(
        `SELECT language, path, title FROM reading_item
         WHERE (row = ?1 OR translation_of = ?1) AND row <> ?2 ORDER BY language, row`,
      )
      .all(original, row)
      .map((other) => ({
        language: textOf(other, "language"),
        path: textOf(other, "path"),
        title: textOf(other, "title"),
      }));
  }

  #viewsOf(type: string): TypeViews {
    const known = this.#views.get(type);
    if (known !== undefined) return known;
    const views = {
      own: relationViews(this.#types, type).filter((view) => view.direction === "out"),
      counted: countedViews(this.#types, type).length > 0,
    };
    this.#views.set(type, views);
    return views;
  }
}

/** That a column holds one of these rows; one alone is found without a list. */
function among(
  column: string,
  rows: readonly number[],
): { test: string; parameter: number | string } {
  const [row, ...others] = rows;
  if (row !== undefined && others.length === 0) return { test: `${column} = ?`, parameter: row };
  const test = `${column} IN (SELECT value FROM json_each(?))`;
  return { test, parameter: JSON.stringify(rows) };
}

function byRow(found: readonly Row[]): ReadonlyMap<number, Row[]> {
  return Map.groupBy(found, (part) => numberOf(part, "row"));
}

function linkedItem(link: Row): LinkedItem {
  return {
    path: textOf(link, "path"),
    type: textOf(link, "type"),
    title: textOf(link, "title"),
    note: textOrNull(link, "note"),
  };
}
