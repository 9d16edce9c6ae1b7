import type { LinkedItem, PublishedItem } from "../../content/library.ts";
import { incomingFactViews } from "../../content/pages/items/item-facts.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import { type RelationView, relationViews } from "../../content/types/relation-views.ts";
import { numberOf, type Row, rowInListSql, textOf, textOrNull } from "../sqlite/columns.ts";
import type { StatementCache } from "../sqlite/statements.ts";
import { countedRelationViews } from "./counts/counted-views.ts";
import type { LinksAndCounts, PageRelations } from "./stored-related.ts";

/** Limit on the neighbours of the same type that an item's page lists. */
const NEIGHBOURS_MAX = 100;

interface TypeViews {
  own: readonly RelationView[];
  neighbours: readonly RelationView[];
  /** Whether incoming links are counted. */
  counted: boolean;
}

const NOTHING_FOUND: ReadonlyMap<number, Row[]> = new Map();

/** Collects the related items that an item shows. */
export class RelatedItems {
  readonly #sql: StatementCache;
  readonly #types: ContentTypes;
  readonly #views = new Map<string, TypeViews>();

  constructor(sql: StatementCache, types: ContentTypes) {
    this.#sql = sql;
    this.#types = types;
  }

  /**
   * Returns the related items of each item, keyed by row. Reads the links and counts of all items together.
   */
  of(items: readonly { row: number; type: string }[]): ReadonlyMap<number, LinksAndCounts> {
    const rows = items.map(({ row }) => row);
    const views = [...new Set(items.map(({ type }) => type))].map((type) => this.#viewsOf(type));
    const links = views.some(({ own }) => own.length > 0) ? this.#linksOf(rows) : NOTHING_FOUND;
    const counts = views.some(({ counted }) => counted) ? this.#countsOf(rows) : NOTHING_FOUND;
    return new Map(
      items.map(({ row, type }) => {
        const ownLinks = this.#links(row, type, links.get(row) ?? []);
        const counted = this.#counts(type, ownLinks, counts.get(row) ?? []);
        return [row, { links: ownLinks, counts: counted }];
      }),
    );
  }

  pageRelations(
    item: { row: number; type: string; translationOf: number | null; isTranslated: boolean },
    counts: LinksAndCounts["counts"],
  ): PageRelations {
    const views = this.#viewsOf(item.type).neighbours.filter(({ name }) => counts[name] !== 0);
    return {
      translations:
        item.isTranslated || item.translationOf !== null
          ? this.#translations(item.row, item.translationOf ?? item.row)
          : [],
      neighbours: Object.fromEntries(
        views.map((view) => [view.name, this.#neighbours(item.row, view)]),
      ),
    };
  }

  /** Returns the given rows whose items have translations. */
  originalsAmong(rows: readonly number[]): ReadonlySet<number> {
    const { test, parameter } = rowInListSql("translation_of", rows);
    const found = this.#sql
      .of(`SELECT DISTINCT translation_of AS row FROM reading_item WHERE ${test}`)
      .all(parameter);
    return new Set(found.map((original) => numberOf(original, "row")));
  }

  /**
   * Returns the neighbours that one relation view lists: related items of the same type, in the type's
   * default order. Because of the `LIMIT -1` in the subquery, SQLite joins before it sorts. Otherwise
   * SQLite would read every item of a {@link ReadingOverlay}.
   */
  #neighbours(row: number, { direction, relation, otherType }: RelationView): LinkedItem[] {
    const type = this.#types.get(otherType);
    if (type === undefined) return [];
    const incoming = `SELECT source AS row FROM reading_link
      WHERE target = ?1 AND relation = ?2 AND source_type = ?3`;
    const outgoing = "SELECT target AS row FROM reading_link WHERE source = ?1 AND relation = ?2";
    const isSymmetric = type.relations[relation]?.symmetric === true;
    const rows = isSymmetric
      ? `${incoming} UNION ${outgoing}`
      : direction === "in"
        ? incoming
        : outgoing;
    const sort = type.defaultSort;
    const byRow = sort === "added";
    const value = byRow ? "t.row" : "s.value";
    const valueJoin = byRow ? "" : "CROSS JOIN reading_value s ON s.row = t.row AND s.name = ?4";
    return this.#sql
      .of(
        `SELECT path, type, title, NULL AS note FROM (
           SELECT t.row, t.path, t.type, t.title, ${value} AS value FROM (${rows}) r
           CROSS JOIN reading_item t ON t.row = r.row AND t.type = ?3 ${valueJoin} LIMIT -1)
         ORDER BY value, row LIMIT ${NEIGHBOURS_MAX}`,
      )
      .all(row, relation, otherType, ...(byRow ? [] : [sort]))
      .map(linkedItem);
  }

  /** Outgoing links of the items, in order, keyed by the row of the item. */
  #linksOf(rows: readonly number[]): ReadonlyMap<number, Row[]> {
    const { test, parameter } = rowInListSql("l.source", rows);
    const found = this.#sql
      .of(
        `SELECT l.source AS row, l.relation, l.note, l.position AS place, t.path, t.type, t.title
         FROM reading_link l CROSS JOIN reading_item t ON t.row = l.target WHERE ${test}`,
      )
      .all(parameter);
    return byRow(sortedByPlace(found));
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
      const ownLinks = links[view.name] ?? [];
      const paths = new Set(ownLinks.map((link) => link.path));
      ownLinks.push(...this.#linksFrom(row, view.name).filter((link) => !paths.has(link.path)));
    }
    return links;
  }

  /** Links of a symmetric relation that are stored in other items and point to this item. */
  #linksFrom(row: number, relation: string): LinkedItem[] {
    const found = this.#sql
      .of(
        `SELECT l.note, l.source AS place, t.path, t.type, t.title FROM reading_link l
         CROSS JOIN reading_item t ON t.row = l.source WHERE l.target = ? AND l.relation = ?`,
      )
      .all(row, relation);
    return sortedByPlace(found).map(linkedItem);
  }

  /** Counts of incoming links, keyed by the row of the item. */
  #countsOf(rows: readonly number[]): ReadonlyMap<number, Row[]> {
    const { test, parameter } = rowInListSql("row", rows);
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

  #translations(row: number, original: number): PublishedItem["translations"] {
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
      neighbours: incomingFactViews(this.#types, type),
      counted: countedRelationViews(this.#types, type).length > 0,
    };
    this.#views.set(type, views);
    return views;
  }
}

/**
 * Sorts outside SQLite, because SQLite would read all items of a {@link ReadingOverlay} in order to
 * sort a join.
 */
function sortedByPlace(found: readonly Row[]): Row[] {
  return found.toSorted((a, b) => numberOf(a, "place") - numberOf(b, "place"));
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
