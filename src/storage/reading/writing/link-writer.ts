import type { Item } from "../../../content/items/item.ts";
import type { ContentTypes } from "../../../content/types/content-type.ts";
import { numberOf, textOf, textOrNull } from "../../sqlite/columns.ts";
import type { Statements } from "../../sqlite/statements.ts";
import type { LinkCounts } from "../link-counts.ts";
import type { RowNumbers } from "../row-numbers.ts";
import type { RelatedWriter } from "./related-writer.ts";

interface StoredLink {
  relation: string;
  target: number;
  note: string | null;
}

/** Writes the links stated by published items. */
export class LinkWriter {
  readonly #sql: Statements;
  readonly #rows: RowNumbers;
  readonly #counts: LinkCounts;
  readonly #related: RelatedWriter;

  constructor(
    sql: Statements,
    parts: { rows: RowNumbers; counts: LinkCounts; related: RelatedWriter },
  ) {
    this.#sql = sql;
    this.#rows = parts.rows;
    this.#counts = parts.counts;
    this.#related = parts.related;
  }

  /**
   * Leaves derived data of other items alone.
   * @returns the rows the item links to.
   */
  insert(row: number, item: Item, types: ContentTypes): number[] {
    const links = this.#statedBy(item, types);
    this.#insert(row, item.type, links);
    return links.map(({ target }) => target);
  }

  /**
   * For an item that was unpublished before.
   * @returns the rows it links to.
   */
  start(row: number, item: Item, types: ContentTypes): number[] {
    const links = this.#statedBy(item, types);
    this.#insert(row, item.type, links);
    this.#count(row, item.type, { links, change: 1, types });
    this.#counts.start(row, item.type);
    return links.map(({ target }) => target);
  }

  /**
   * For an item that is already published.
   * @returns the rows it links to.
   */
  change(row: number, item: Item, types: ContentTypes): number[] {
    const before = this.#stated(row);
    const after = this.#statedBy(item, types);
    const targets = after.map(({ target }) => target);
    this.#related.relatedTo(item.type, after, types);
    if (sameLinks(before, after)) return targets;
    this.#sql.of("DELETE FROM reading_link WHERE source = ?").run(row);
    this.#insert(row, item.type, after);
    this.#count(row, item.type, { links: without(before, after), change: -1, types });
    this.#count(row, item.type, { links: without(after, before), change: 1, types });
    return targets;
  }

  /** Call after removing the item itself and its values. */
  end(row: number, type: string, types: ContentTypes): void {
    const links = this.#stated(row);
    this.#sql.of("DELETE FROM reading_link WHERE source = ?").run(row);
    this.#count(row, type, { links, change: -1, types });
    this.#counts.end(row, type, types);
  }

  #stated(row: number): StoredLink[] {
    return this.#sql
      .of(
        "SELECT relation, target, note FROM reading_link WHERE source = ? ORDER BY relation, position",
      )
      .all(row)
      .map((link) => ({
        relation: textOf(link, "relation"),
        target: numberOf(link, "target"),
        note: textOrNull(link, "note"),
      }));
  }

  #statedBy(item: Item, types: ContentTypes): StoredLink[] {
    return Object.keys(types.get(item.type)?.relations ?? {})
      .sort()
      .flatMap((relation) => {
        const links = item.relations[relation] ?? [];
        const byTarget = new Map<number, StoredLink>();
        for (const { to, note } of links) {
          const target = this.#rows.of(to);
          if (!byTarget.has(target)) byTarget.set(target, { relation, target, note });
        }
        return [...byTarget.values()];
      });
  }

  #insert(row: number, type: string, links: readonly StoredLink[]): void {
    const insert = this.#sql.of(
      "INSERT INTO reading_link VALUES (?1, ?2, ?3, ?4, ?5, ?6, row_hash(?1, ?2, ?3, ?4, ?5, ?6))",
    );
    links.forEach(({ relation, target, note }, position) => {
      insert.get(row, relation, position, target, type, note);
    });
  }

  #count(
    row: number,
    type: string,
    how: { links: readonly StoredLink[]; change: 1 | -1; types: ContentTypes },
  ): void {
    this.#related.relatedTo(type, how.links, how.types);
    for (const link of how.links) {
      this.#counts.changed({ row, type }, link, how);
      const isCounted = how.types.get(type)?.relations[link.relation]?.inverse !== undefined;
      if (isCounted) this.#related.recounted(link.target);
    }
  }
}

function sameLinks(before: readonly StoredLink[], after: readonly StoredLink[]): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function without(links: readonly StoredLink[], others: readonly StoredLink[]): StoredLink[] {
  return links.filter(
    ({ relation, target }) =>
      !others.some((other) => other.relation === relation && other.target === target),
  );
}
