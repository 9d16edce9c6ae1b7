import type { Item } from "../../../content/items/item.ts";
import {
  AFTER_INTERLEAVED_ITEMS,
  adjustScoreForLinkNote,
  canInterleaveAuthors,
  computeBestFirstScore,
  creatorRelation,
  hasRankedLists,
  ONLY_ITEM_OF_AUTHOR,
  rankInList,
} from "../../../content/lists/best-first.ts";
import { findPlaceFieldName, isSingleTargetRelation } from "../../../content/lists/places.ts";
import {
  BEST_FIRST_SORT,
  type ContentType,
  type ContentTypes,
} from "../../../content/types/content-type.ts";
import { numberOf, numberOrNull, textOf, textOrNull } from "../../sqlite/columns.ts";
import { rowHash } from "../../sqlite/row-hash.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import type { LinkCounts } from "../counts/link-counts.ts";
import type { RowNumbers } from "../row-numbers.ts";
import { INSERT_VALUE_SQL, partSortKey, partSortKeyName, valueRowParameters } from "../values.ts";
import type { RankChangeCollector } from "./best-writer.ts";
import type { RelatedWriter } from "./related-writer.ts";
import type { TallyWriter } from "./tally-writer.ts";

interface StoredLink {
  relation: string;
  target: number;
  /** The language of the item that has the link, in lower case. */
  language: string;
  note: string | null;
  /** Author, score and rank are as in `reading_link`: null for types without a ranked order. */
  author: number | null;
  score: number | null;
  rank: number | null;
}

const UNRANKED_ITEM = { author: null, score: null, rank: null };

/** Writes the links of published items. */
export class LinkWriter {
  readonly #sql: StatementCache;
  readonly #rows: RowNumbers;
  readonly #counts: LinkCounts;
  readonly #tally: TallyWriter;
  readonly #related: RelatedWriter;
  readonly #rankChanges: RankChangeCollector;

  constructor(
    sql: StatementCache,
    parts: {
      rows: RowNumbers;
      counts: LinkCounts;
      tally: TallyWriter;
      related: RelatedWriter;
      rankChanges: RankChangeCollector;
    },
  ) {
    this.#sql = sql;
    this.#rows = parts.rows;
    this.#counts = parts.counts;
    this.#tally = parts.tally;
    this.#related = parts.related;
    this.#rankChanges = parts.rankChanges;
  }

  /**
   * Writes the links of an item. Does not update derived data of other items.
   * @returns the rows to which the item links.
   */
  insert(row: number, item: Item, types: ContentTypes): number[] {
    const links = this.#itemLinks(item, types);
    this.#insert(row, item.type, links);
    this.#insertOrder(row, item, { links, types });
    this.#tally.linked(item.type, links);
    return links.map(({ target }) => target);
  }

  /**
   * Writes the links of an item that was unpublished before.
   * @returns the rows to which the item links.
   */
  start(row: number, item: Item, types: ContentTypes): number[] {
    const links = this.#itemLinks(item, types);
    this.#insert(row, item.type, links);
    this.#insertOrder(row, item, { links, types });
    this.#tally.linked(item.type, links);
    this.#noteRankChanges(item.type, links, types);
    this.#count(row, item.type, { links, change: 1, types });
    this.#counts.start(row, item.type);
    return links.map(({ target }) => target);
  }

  /**
   * Writes the links of an item that is already published.
   * @returns the rows to which the item links.
   */
  change(row: number, item: Item, types: ContentTypes): number[] {
    const before = this.#publishedLinks(row);
    const after = this.#itemLinks(item, types);
    const targets = after.map(({ target }) => target);
    this.#related.relatedTo(item.type, after, types);
    this.#insertOrder(row, item, { links: after, types });
    this.#tally.linked(item.type, after);
    this.#noteRankChanges(item.type, [...before, ...after], types);
    if (sameLinks(before, after)) return targets;
    this.#sql.of("DELETE FROM reading_link WHERE source = ?").run(row);
    this.#insert(row, item.type, after);
    this.#count(row, item.type, { links: without(before, after), change: -1, types });
    this.#count(row, item.type, { links: without(after, before), change: 1, types });
    return targets;
  }

  /** Removes the links of an item. Call after the item itself and its values were removed. */
  end(row: number, type: string, types: ContentTypes): void {
    const links = this.#publishedLinks(row);
    this.#noteRankChanges(type, links, types);
    this.#sql.of("DELETE FROM reading_link WHERE source = ?").run(row);
    this.#count(row, type, { links, change: -1, types });
    this.#counts.end(row, type, types);
  }

  #publishedLinks(row: number): StoredLink[] {
    return this.#sql
      .of(
        `SELECT relation, target, language, note, author, score, rank FROM reading_link
         WHERE source = ? ORDER BY relation, position`,
      )
      .all(row)
      .map((link) => ({
        relation: textOf(link, "relation"),
        target: numberOf(link, "target"),
        language: textOf(link, "language"),
        note: textOrNull(link, "note"),
        author: numberOrNull(link, "author"),
        score: numberOrNull(link, "score"),
        rank: numberOrNull(link, "rank"),
      }));
  }

  #itemLinks(item: Item, types: ContentTypes): StoredLink[] {
    const type = types.get(item.type);
    const language = item.language.toLowerCase();
    const ranking =
      type === undefined || !hasRankedLists(type) ? null : this.#ranking(item, type, types);
    return Object.keys(type?.relations ?? {})
      .sort()
      .flatMap((relation) => {
        const links = item.relations[relation] ?? [];
        const byTarget = new Map<number, StoredLink>();
        for (const { to, note } of links) {
          const target = this.#rows.of(to);
          const ranked = ranking?.(relation, note) ?? UNRANKED_ITEM;
          if (byTarget.has(target)) continue;
          byTarget.set(target, { relation, target, language, note, ...ranked });
        }
        return [...byTarget.values()];
      });
  }

  /**
   * Returns a function that gives the author, score and preliminary rank of a link of this item.
   * `BestRankWriter` mixes the authors later.
   */
  #ranking(item: Item, type: ContentType, types: ContentTypes) {
    const score = computeBestFirstScore(item, type);
    const author = this.#authorOf(item, types);
    return (relation: string, note: string | null) => {
      const listScore = adjustScoreForLinkNote(score, note);
      return author !== null && canInterleaveAuthors(type, relation, types)
        ? { author, score: listScore, rank: rankInList(listScore, AFTER_INTERLEAVED_ITEMS) }
        : { author: null, score: null, rank: rankInList(listScore, ONLY_ITEM_OF_AUTHOR) };
    };
  }

  #authorOf(item: Item, types: ContentTypes): number | null {
    const type = types.get(item.type);
    const relation = type === undefined ? null : creatorRelation(type, types);
    const [first] = relation === null ? [] : (item.relations[relation] ?? []);
    return first === undefined ? null : this.#rows.of(first.to);
  }

  /**
   * Stores the item's rank among all items of its type, and its place in each item of which it is a
   * part.
   */
  #insertOrder(
    row: number,
    item: Item,
    { links, types }: { links: readonly StoredLink[]; types: ContentTypes },
  ): void {
    const type = types.get(item.type);
    if (type === undefined) return;
    const insert = this.#sql.of(INSERT_VALUE_SQL);
    if (hasRankedLists(type)) {
      const place =
        this.#authorOf(item, types) === null ? ONLY_ITEM_OF_AUTHOR : AFTER_INTERLEAVED_ITEMS;
      const value = rankInList(computeBestFirstScore(item, type), place);
      insert.get(...valueRowParameters(item.type, { name: BEST_FIRST_SORT, value, row }));
    }
    const field = findPlaceFieldName(type);
    if (field === null) return;
    const value = partSortKey(item, type);
    const partLinks = links.filter(({ relation }) => isSingleTargetRelation(type, relation));
    for (const target of new Set(partLinks.map((link) => link.target))) {
      insert.get(
        ...valueRowParameters(item.type, { name: partSortKeyName(target, field), value, row }),
      );
    }
  }

  #noteRankChanges(typeName: string, links: readonly StoredLink[], types: ContentTypes): void {
    const type = types.get(typeName);
    if (type === undefined || !hasRankedLists(type)) return;
    const creators = creatorRelation(type, types);
    for (const { relation, target, author } of links) {
      if (relation === creators) this.#rankChanges.changedAuthor(typeName, target);
      if (author === null) continue;
      this.#rankChanges.changedGroup({ target, relation, type: typeName, author });
    }
  }

  #insert(row: number, type: string, links: readonly StoredLink[]): void {
    const insert = this.#sql.of(
      "INSERT INTO reading_link VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    links.forEach(({ relation, target, language, note, author, score, rank }, position) => {
      const columns = [row, relation, position, target, type, language, note, author, score, rank];
      insert.get(...columns, rowHash(...columns));
    });
  }

  #count(
    row: number,
    type: string,
    changed: { links: readonly StoredLink[]; change: 1 | -1; types: ContentTypes },
  ): void {
    this.#related.relatedTo(type, changed.links, changed.types);
    for (const link of changed.links) {
      this.#counts.changed({ row, type }, link, changed);
      const isCounted = changed.types.get(type)?.relations[link.relation]?.inverse !== undefined;
      if (isCounted) this.#related.recounted(link.target);
    }
  }
}

/**
 * Whether the links are the same. Ignores the ranks of links to authors, which `BestRankWriter` computes later.
 */
function sameLinks(before: readonly StoredLink[], after: readonly StoredLink[]): boolean {
  return (
    JSON.stringify(before.map(withoutMixedRank)) === JSON.stringify(after.map(withoutMixedRank))
  );
}

function withoutMixedRank({ rank, ...link }: StoredLink) {
  return link.author === null ? { ...link, rank } : link;
}

function without(links: readonly StoredLink[], others: readonly StoredLink[]): StoredLink[] {
  return links.filter(
    ({ relation, target }) =>
      !others.some((other) => other.relation === relation && other.target === target),
  );
}
