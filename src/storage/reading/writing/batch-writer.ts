import type { Item } from "../../../content/items/item.ts";
import type { ContentTypes } from "../../../content/types/content-type.ts";
import type { BodyRenderOptions } from "../../../render/body/body.ts";
import type { RenderedBody } from "../../../render/body/rendered-body.ts";
import type { NameUpdatingIndexWriter } from "../../../search/postings/index-writer.ts";
import { ReferringItemNamesWriter } from "../../../search/postings/referring-items-writer.ts";
import { SearchWriter } from "../../../search/postings/search-writer.ts";
import { numberOf, numberOrNull, textOf } from "../../sqlite/columns.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import type { ComputationSteps } from "../../sqlite/yield-between.ts";
import { LinkCounts } from "../counts/link-counts.ts";
import { type RowNumberOf, RowNumbers } from "../row-numbers.ts";
import { BestFirstRankWriter } from "./best-writer.ts";
import { itemIdsOfChange } from "./changes.ts";
import { ItemWriter } from "./item-writer.ts";
import { LinkWriter } from "./link-writer.ts";
import { PathWriter } from "./path-writer.ts";
import type { BufferedChange, RetiredItem } from "./reading-writer.ts";
import { RelatedWriter } from "./related-writer.ts";
import { TallyWriter } from "./tally-writer.ts";

interface PublishedState {
  type: string;
  title: string;
  path: string;
  translationOf: number | null;
}

interface BatchWriterOptions {
  rendering: BodyRenderOptions;
  rowNumberOf: RowNumberOf | undefined;
  /** Null if the search index stays unchanged. */
  index: NameUpdatingIndexWriter | null;
}

/**
 * Writes a batch of changes in which no item occurs twice: first the rows of the items, then all
 * derived data.
 */
export class BatchWriter {
  readonly #sql: StatementCache;
  readonly #rows: RowNumbers;
  readonly #counts: LinkCounts;
  readonly #tally: TallyWriter;
  readonly #items: ItemWriter;
  readonly #links: LinkWriter;
  readonly #paths: PathWriter;
  readonly #related: RelatedWriter;
  readonly #search: SearchWriter;
  readonly #referrers: ReferringItemNamesWriter;
  readonly #best: BestFirstRankWriter;
  readonly #published = new Map<number, PublishedState>();
  readonly #typeCountChanges = new Map<string, number>();

  constructor(sql: StatementCache, { rendering, rowNumberOf, index }: BatchWriterOptions) {
    this.#sql = sql;
    this.#rows = new RowNumbers(sql, rowNumberOf);
    this.#counts = new LinkCounts(sql, this.#rows);
    this.#tally = new TallyWriter(sql);
    this.#items = new ItemWriter(sql, { rows: this.#rows, rendering, tally: this.#tally });
    this.#related = new RelatedWriter(sql);
    this.#best = new BestFirstRankWriter(sql);
    this.#links = new LinkWriter(sql, {
      rows: this.#rows,
      counts: this.#counts,
      tally: this.#tally,
      related: this.#related,
      rankChanges: this.#best,
    });
    this.#paths = new PathWriter(sql);
    this.#search = new SearchWriter(sql, index);
    this.#referrers = new ReferringItemNamesWriter(sql, { index, search: this.#search });
  }

  *write(changes: readonly BufferedChange[], types: ContentTypes): ComputationSteps {
    yield* this.#rows.load(changes.flatMap(itemIdsOfChange));
    this.#loadPublished(changes);
    this.#paths.begin({ onlyPuts: changes.every(({ kind }) => kind === "put") });
    yield;
    for (const change of changes) {
      switch (change.kind) {
        case "put":
          this.#put(change.item, yield* this.#items.rendered(change.item), types);
          break;
        case "retire":
          this.#retire(change.item, change.gone, types);
          break;
        default:
          this.#paths.write(change, (id) => this.#rows.of(id));
      }
      yield;
    }
    yield* this.#counts.flush(types);
    this.#tally.flush();
    this.#countTypes();
    yield* this.#related.flush(types);
    yield* this.#referrers.flush(types);
    yield* this.#search.flush(types);
    this.#forget();
  }

  *finish(types: ContentTypes): ComputationSteps {
    yield* this.#best.finish(types);
    yield* this.#related.finish(types);
    yield* this.#search.finish();
  }

  discard(): void {
    this.#forget();
    this.#best.discard();
    this.#related.discard();
    this.#referrers.discard();
    this.#search.discard();
  }

  #forget(): void {
    this.#published.clear();
    this.#typeCountChanges.clear();
    this.#rows.forget();
    this.#counts.discard();
    this.#tally.discard();
  }

  #put(item: Item, body: RenderedBody, types: ContentTypes): void {
    const type = types.get(item.type);
    if (type === undefined) throw new Error(`Content type ${item.type} is not declared`);
    const row = this.#rows.of(item.id);
    const before = this.#published.get(row);
    if (before !== undefined && before.type !== item.type) this.#remove(row, before.type, types);
    this.#paths.clear(item.path);
    if (!this.#rows.isNew(row)) this.#paths.forgetGone(row);
    const isNew = before?.type !== item.type;
    const written = isNew
      ? this.#items.start(row, item, { type, body })
      : this.#items.change(row, item, { type, body });
    const targets = isNew
      ? this.#links.start(row, item, types)
      : this.#links.change(row, item, types);
    if (isNew) this.#countType(item.type, 1);
    const { language, title, path, fields } = item;
    const { text } = written;
    const identity = { row, isNew, mayHaveNewNames: true, language, title, path };
    this.#search.put({ ...identity, type, fields, text, targets });
    if (before?.title !== title) this.#titleChanged(row, before?.title ?? "");
    this.#related.written(written);
    this.#changeRelated(row, item, { before, types });
  }

  /**
   * Marks the items that show this item, so that what they say of it is written again. Nothing links to a new
   * row yet, but the original of a new translation names it, and is marked.
   */
  #changeRelated(
    row: number,
    item: Item,
    { before, types }: { before: PublishedState | undefined; types: ContentTypes },
  ): void {
    const translationOf = item.translationOf === null ? null : this.#rows.of(item.translationOf);
    if (translationOf !== null) this.#related.translationsChanged(translationOf);
    if (this.#rows.isNew(row)) return;
    const isRenamed =
      before?.type !== item.type || before.title !== item.title || before.path !== item.path;
    if (isRenamed) this.#related.renamed(row);
    else this.#related.reordered(row, item.type, types);
    this.#related.translationsChanged(before?.translationOf ?? row);
    this.#related.translationsChanged(row);
  }

  #retire(item: RetiredItem, gone: boolean, types: ContentTypes): void {
    const row = this.#rows.of(item.id);
    const before = this.#published.get(row);
    if (before !== undefined) {
      this.#remove(row, before.type, types);
      this.#titleChanged(row, before.title);
      this.#related.renamed(row);
      this.#related.translationsChanged(before.translationOf ?? row);
    }
    this.#paths.forgetGone(row);
    if (gone) this.#paths.gone(row, item);
  }

  #remove(row: number, type: string, types: ContentTypes): void {
    this.#items.remove(row);
    this.#links.end(row, type, types);
    this.#search.remove(row);
    this.#countType(type, -1);
  }

  /**
   * Notes that this item's title has changed. The items that link to it must be reindexed, because their
   * index entries contain its title. A new row needs no note: all items that link to it are in this batch,
   * and are indexed anyway.
   */
  #titleChanged(row: number, before: string): void {
    if (!this.#rows.isNew(row)) this.#referrers.noteTitleChange(row, before);
  }

  #countType(type: string, change: number): void {
    this.#typeCountChanges.set(type, (this.#typeCountChanges.get(type) ?? 0) + change);
  }

  #countTypes(): void {
    const start = this.#sql.of(
      `INSERT INTO reading_count SELECT ?1, 0, row_hash(?1, 0)
       WHERE NOT EXISTS (SELECT 1 FROM reading_count WHERE type = ?1)`,
    );
    const count = this.#sql.of(
      `UPDATE reading_count SET items = items + ?2, hash = row_hash(type, items + ?2)
       WHERE type = ?1`,
    );
    for (const [type, change] of this.#typeCountChanges) {
      if (change === 0) continue;
      start.run(type);
      count.run(type, change);
    }
    this.#sql.of("DELETE FROM reading_count WHERE items = 0").run();
  }

  #loadPublished(changes: readonly BufferedChange[]): void {
    this.#published.clear();
    const rows = changes.flatMap((change) => {
      if (!("item" in change)) return [];
      const row = this.#rows.of(change.item.id);
      return this.#rows.isNew(row) ? [] : [row];
    });
    if (rows.length === 0) return;
    const found = this.#sql
      .of(
        `SELECT row, type, title, path, translation_of FROM reading_item
         WHERE row IN (SELECT value FROM json_each(?))`,
      )
      .all(JSON.stringify(rows));
    for (const item of found) {
      this.#published.set(numberOf(item, "row"), {
        type: textOf(item, "type"),
        title: textOf(item, "title"),
        path: textOf(item, "path"),
        translationOf: numberOrNull(item, "translation_of"),
      });
    }
  }
}
