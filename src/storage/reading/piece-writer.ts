import type { ContentTypes } from "../../content/content-type.ts";
import type { ItemSummary, PublishedItem } from "../../content/library.ts";
import { cardPieces, pagePieces } from "../../render/pieces.ts";
import { among, numberOf, numberOrNull, type Row, textOf } from "./columns.ts";
import { ownFacts } from "./items.ts";
import { RelatedItems } from "./related-items.ts";
import type { Statements } from "./statements.ts";
import { serializeRelated, serializeSurroundings } from "./stored-related.ts";

const NOTHING_RELATED = { links: {}, counts: {} };

/** Others may have the processor after so many. */
const STEP_ITEMS = 50;

/**
 * Puts together what items show, once all else about a block of changes is written. Whoever changes
 * what an item shows, by itself or through another, tells it here.
 */
export class PieceWriter {
  readonly #sql: Statements;
  readonly #origin: string;
  /** Rows whose page and card are to be made anew, and those of which only counts changed. */
  readonly #changed = new Set<number>();
  readonly #recounted = new Set<number>();
  /** Originals whose translations name each other. */
  readonly #translated = new Set<number>();

  constructor(sql: Statements, { origin }: { origin: string }) {
    this.#sql = sql;
    this.#origin = origin;
  }

  /** The item shows something else, unless it is not published. */
  changed(row: number): void {
    this.#changed.add(row);
  }

  /** Perhaps the number of items that are related to this one is another. */
  recounted(row: number): void {
    this.#recounted.add(row);
  }

  /** The item of these links is another one to those that name it for a link from its end. */
  relatedTo(
    type: string,
    links: readonly { relation: string; target: number }[],
    types: ContentTypes,
  ): void {
    const relations = types.get(type)?.relations ?? {};
    for (const { relation, target } of links) {
      const declared = relations[relation];
      if (declared?.target === type || declared?.symmetric === true) this.#changed.add(target);
    }
  }

  /** What states a link to the item shows its title and where it stands. */
  namedAnew(row: number): void {
    const sources = this.#sql.of("SELECT DISTINCT source FROM reading_link WHERE target = ?");
    for (const found of sources.all(row)) this.#changed.add(numberOf(found, "source"));
  }

  /** The items of its own kind the item has a symmetric relation with list it in some order. */
  reordered(row: number, type: string, types: ContentTypes): void {
    const relations = Object.entries(types.get(type)?.relations ?? {});
    for (const [name, { symmetric }] of relations) {
      if (symmetric !== true) continue;
      const sources = this.#sql.of(
        "SELECT source FROM reading_link WHERE target = ? AND relation = ?",
      );
      for (const found of sources.all(row, name)) this.#changed.add(numberOf(found, "source"));
    }
  }

  /** The translations of this original name each other. */
  translated(original: number): void {
    this.#translated.add(original);
  }

  *flush(types: ContentTypes): Generator<void> {
    for (const original of this.#translated) this.#changeTranslations(original);
    const related = new RelatedItems(this.#sql, types);
    const context = { types, origin: this.#origin };
    const rows = [...new Set([...this.#changed, ...this.#recounted])];
    for (let from = 0; from < rows.length; from += STEP_ITEMS) {
      this.#write(rows.slice(from, from + STEP_ITEMS), related, context);
      yield;
    }
    this.discard();
  }

  discard(): void {
    this.#changed.clear();
    this.#recounted.clear();
    this.#translated.clear();
  }

  #changeTranslations(original: number): void {
    const group = this.#sql.of(
      "SELECT row FROM reading_item WHERE row = ?1 OR translation_of = ?1",
    );
    for (const found of group.all(original)) this.#changed.add(numberOf(found, "row"));
  }

  #write(
    rows: readonly number[],
    related: RelatedItems,
    context: { types: ContentTypes; origin: string },
  ): void {
    const { test, parameter } = among("i.row", rows);
    const items = this.#sql
      .of(
        `SELECT i.*, b.html, b.markdown FROM reading_item i
         CROSS JOIN reading_body b ON b.row = i.row WHERE ${test}`,
      )
      .all(parameter)
      .map((found) => ({ found, row: numberOf(found, "row"), type: textOf(found, "type") }));
    const parts = related.of(items);
    const originals = related.originalsAmong(items.map(({ row }) => row));
    for (const { found, row, type } of items) {
      const summary = { ...ownFacts(found), ...(parts.get(row) ?? NOTHING_RELATED) };
      this.#writeCard(row, summary, context);
      if (!this.#changed.has(row)) continue;
      const translationOf = numberOrNull(found, "translation_of");
      const place = { row, type, translationOf, isTranslated: originals.has(row) };
      const surroundings = related.around(place, summary.counts);
      this.#writePage(row, publishedOf(found, { ...summary, ...surroundings }), context);
    }
  }

  #writeCard(
    row: number,
    item: ItemSummary,
    context: { types: ContentTypes; origin: string },
  ): void {
    const { html, markdown } = cardPieces(item, context);
    this.#sql
      .of("INSERT OR REPLACE INTO reading_card VALUES (?, ?, ?, ?, ?, ?, ?)")
      .get(row, serializeRelated(item), item.updatedAt, ...html, ...markdown);
  }

  #writePage(
    row: number,
    item: PublishedItem,
    context: { types: ContentTypes; origin: string },
  ): void {
    const { html, markdown } = pagePieces(item, context);
    this.#sql
      .of("INSERT OR REPLACE INTO reading_page VALUES (?, ?, ?, ?, ?, ?)")
      .get(row, serializeSurroundings(item), ...html, ...markdown);
  }
}

function publishedOf(
  found: Row,
  item: Omit<PublishedItem, "id" | "hasOwnSummary" | "html" | "markdown">,
): PublishedItem {
  return {
    ...item,
    id: textOf(found, "id"),
    hasOwnSummary: found["has_own_summary"] === 1,
    html: textOf(found, "html"),
    markdown: textOf(found, "markdown"),
  };
}
