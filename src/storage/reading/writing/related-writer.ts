import type { ContentTypes } from "../../../content/types/content-type.ts";
import { numberOf } from "../../sqlite/columns.ts";
import { rowHash } from "../../sqlite/row-hash.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import type { ComputationSteps } from "../../sqlite/yield-between.ts";
import { readStoredItems, type StoredItem } from "../items.ts";
import { readRowBatchesLinkingTo } from "../referrers.ts";
import { RelatedItems } from "../related-items.ts";
import {
  type LinksAndCounts,
  type PageRelations,
  serializeLinksAndCounts,
  serializePageRelations,
} from "../stored-related.ts";

const NOTHING_RELATED: LinksAndCounts = { links: {}, counts: {} };

/** Items per step; the event loop runs between steps. */
const STEP_ITEMS = 50;

/**
 * Writes what items show about related items: links, counts, translations and neighbours. Runs last in
 * a batch. The other writers first report which items a change affects.
 */
export class RelatedWriter {
  readonly #sql: StatementCache;
  /** Items that the current batch has written, so that they need not be read again. */
  readonly #written = new Map<number, StoredItem>();
  /** Rows whose related items must all be computed again. */
  readonly #changed = new Set<number>();
  /** Rows for which only the counts have changed. */
  readonly #recounted = new Set<number>();
  /** Rows with a new title or path. */
  readonly #renamed = new Set<number>();
  /**
   * Originals whose translations changed in this batch. The original and all its translations are
   * written again.
   */
  readonly #translated = new Set<number>();

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  /** Records that an item was written in the current batch. */
  written(item: StoredItem): void {
    this.#written.set(item.row, item);
  }

  /**
   * Notes that the related items of this item must all be computed again. Has no effect if this
   * item is not published.
   */
  changed(row: number): void {
    this.#changed.add(row);
  }

  /** Notes that the number of items related to this item may have changed. */
  recounted(row: number): void {
    this.#recounted.add(row);
  }

  /**
   * Marks those targets of the links that show the linking item, which has the type `type`. These are the
   * targets of relations between items of this type, and the targets of symmetric relations.
   */
  relatedTo(
    type: string,
    links: readonly { relation: string; target: number }[],
    types: ContentTypes,
  ): void {
    const relations = types.get(type)?.relations ?? {};
    for (const { relation, target } of links) {
      const declared = relations[relation];
      if (declared?.target === type || declared?.symmetric === true) this.changed(target);
    }
  }

  /** Marks the items that link to this item, because they show its title and path. */
  renamed(row: number): void {
    this.#renamed.add(row);
  }

  /**
   * Marks the items that link to this item by a symmetric relation. The position of this item among
   * their related items may have changed.
   */
  reordered(row: number, type: string, types: ContentTypes): void {
    const relations = Object.entries(types.get(type)?.relations ?? {});
    for (const [name, { symmetric }] of relations) {
      if (symmetric !== true) continue;
      const sources = this.#sql.of(
        "SELECT source FROM reading_link WHERE target = ? AND relation = ?",
      );
      for (const found of sources.all(row, name)) this.changed(numberOf(found, "source"));
    }
  }

  /** Marks an original whose translations have changed, because each translation links to the others. */
  translationsChanged(original: number): void {
    this.#translated.add(original);
  }

  /** Writes the items of this batch. Later changes to other items may affect them again. */
  *flush(types: ContentTypes): ComputationSteps {
    for (const original of this.#translated) this.#changeTranslations(original);
    this.#translated.clear();
    yield* this.#writeAll([...this.#written.keys()], types);
    this.#written.clear();
  }

  /** Writes all other affected items; call once, after all batches. */
  *finish(types: ContentTypes): ComputationSteps {
    for (const target of this.#renamed) {
      for (const sources of readRowBatchesLinkingTo(this.#sql, target)) {
        for (const row of sources) this.changed(row);
        yield;
      }
    }
    yield* this.#writeAll([...new Set([...this.#changed, ...this.#recounted])], types);
    this.discard();
  }

  discard(): void {
    this.#written.clear();
    this.#changed.clear();
    this.#recounted.clear();
    this.#renamed.clear();
    this.#translated.clear();
  }

  *#writeAll(rows: readonly number[], types: ContentTypes): ComputationSteps {
    const related = new RelatedItems(this.#sql, types);
    for (let from = 0; from < rows.length; from += STEP_ITEMS) {
      this.#write(rows.slice(from, from + STEP_ITEMS), related);
      yield;
    }
  }

  #changeTranslations(original: number): void {
    const group = this.#sql.of(
      "SELECT row FROM reading_item WHERE row = ?1 OR translation_of = ?1",
    );
    for (const found of group.all(original)) this.changed(numberOf(found, "row"));
  }

  #write(rows: readonly number[], related: RelatedItems): void {
    const items = this.#itemsOf(rows);
    const relatedByRow = related.of(items);
    const changed = items.filter(({ row }) => this.#written.has(row) || this.#changed.has(row));
    const originals = related.originalsAmong(changed.map(({ row }) => row));
    for (const item of items) {
      const { row } = item;
      const own = relatedByRow.get(row) ?? NOTHING_RELATED;
      if (changed.includes(item)) {
        const shown = { ...item, isTranslated: originals.has(row) };
        this.#replace(row, own, related.pageRelations(shown, own.counts));
      } else this.#update(row, own);
      this.#changed.delete(row);
      this.#recounted.delete(row);
    }
  }

  #itemsOf(rows: readonly number[]): StoredItem[] {
    const written = rows.flatMap((row) => this.#written.get(row) ?? []);
    if (written.length === rows.length) return written;
    return readStoredItems(this.#sql, rows);
  }

  #replace(row: number, related: LinksAndCounts, surroundings: PageRelations): void {
    const [own, around] = [serializeLinksAndCounts(related), serializePageRelations(surroundings)];
    this.#sql
      .of("INSERT OR REPLACE INTO reading_related VALUES (?, ?, ?, ?, ?)")
      .get(row, own, around, rowHash(row, own), rowHash(row, around));
  }

  #update(row: number, related: LinksAndCounts): void {
    const own = serializeLinksAndCounts(related);
    this.#sql
      .of("UPDATE reading_related SET related = ?, related_hash = ? WHERE row = ?")
      .get(own, rowHash(row, own), row);
  }
}
