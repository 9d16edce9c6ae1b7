import type { DatabaseSync } from "node:sqlite";
import type { Item } from "../../../content/items/item.ts";
import type { MediaFile } from "../../../content/media/media.ts";
import type { ContentType, ContentTypes } from "../../../content/types/content-type.ts";
import type { RenderedBody } from "../../../render/body/rendered-body.ts";
import type { IndexWriter } from "../../../search/postings/index-writer.ts";
import { SearchWriter } from "../../../search/postings/search-writer.ts";
import { numberOf } from "../../sqlite/columns.ts";
import { StatementCache } from "../../sqlite/statements.ts";
import type { ComputationSteps } from "../../sqlite/yield-between.ts";
import { countedRelationViews } from "../counts/counted-views.ts";
import { LinkCounts } from "../counts/link-counts.ts";
import { type RowNumberOf, RowNumbers } from "../row-numbers.ts";
import { INCREMENT_COPY_VERSION_SQL } from "../schema.ts";
import { BestFirstRankWriter, NO_OP_RANK_CHANGE_COLLECTOR } from "./best-writer.ts";
import { ChangeCollector } from "./change-collector.ts";
import { itemIdsOfChange } from "./changes.ts";
import { ItemWriter, type WrittenItem } from "./item-writer.ts";
import { LinkWriter } from "./link-writer.ts";
import { PathWriter } from "./path-writer.ts";
import { MediaMetadataWriter } from "./pictures.ts";
import type { BufferedChange, RetiredItem } from "./reading-writer.ts";
import { RelatedWriter } from "./related-writer.ts";
import { readRowBatchesOfType } from "./rows-of-type.ts";
import { TallyWriter } from "./tally-writer.ts";

const BATCH_ITEMS = 1000;
/** Items per step; the event loop runs between steps. */
const STEP_ITEMS = 50;

interface NewItem {
  item: Item;
  type: ContentType;
  written: WrittenItem;
  targets: readonly number[];
}

interface FillingOptions {
  origin: string;
  types: ContentTypes;
  /** Returns row numbers that the record has assigned. If absent, this writer assigns the numbers. */
  rowNumberOf?: RowNumberOf;
  index: IndexWriter;
}

/**
 * Fills an empty reading copy. Each item may be put only once. An item that links to items not written yet is
 * indexed at the end. The tables' indexes may be missing until {@link InitialFillWriter.finish}.
 */
export class InitialFillWriter extends ChangeCollector {
  readonly #sql: StatementCache;
  readonly #types: ContentTypes;
  readonly #pictures: MediaMetadataWriter;
  readonly #rows: RowNumbers;
  readonly #tally: TallyWriter;
  readonly #items: ItemWriter;
  readonly #counts: LinkCounts;
  readonly #links: LinkWriter;
  readonly #paths: PathWriter;
  readonly #related: RelatedWriter;
  readonly #search: SearchWriter;
  #changes: BufferedChange[] = [];
  /** Rows that link to items not yet written. */
  readonly #deferred: number[] = [];
  #updatedAt = "";

  constructor(db: DatabaseSync, { origin, types, rowNumberOf, index }: FillingOptions) {
    super();
    const sql = new StatementCache(db);
    this.#sql = sql;
    this.#types = types;
    this.#pictures = new MediaMetadataWriter(sql);
    const rendering = { origin, findPicture: this.#pictures.find };
    const rows = new RowNumbers(sql, rowNumberOf);
    this.#rows = rows;
    this.#tally = new TallyWriter(sql);
    this.#items = new ItemWriter(sql, { rows, rendering, tally: this.#tally });
    this.#counts = new LinkCounts(sql, rows);
    this.#related = new RelatedWriter(sql);
    this.#links = new LinkWriter(sql, {
      rows,
      counts: this.#counts,
      tally: this.#tally,
      related: this.#related,
      rankChanges: NO_OP_RANK_CHANGE_COLLECTOR,
    });
    this.#paths = new PathWriter(sql);
    this.#search = new SearchWriter(sql, index);
  }

  add(change: BufferedChange): void {
    this.#changes.push(change);
  }

  putMedium(medium: MediaFile): void {
    this.#pictures.put(medium);
  }

  /** Writes the buffered items; the event loop may run between steps. */
  *flush(): ComputationSteps {
    const changes = this.#changes;
    this.#changes = [];
    yield* this.#rows.load(changes.flatMap(itemIdsOfChange));
    this.#paths.begin({ onlyPuts: changes.every(({ kind }) => kind === "put") });
    const puts: NewItem[] = [];
    for (const change of changes) {
      if (change.kind === "put") {
        puts.push(this.#put(change.item, yield* this.#items.rendered(change.item)));
      } else this.#writePath(change);
      yield;
    }
    this.#rows.forget();
    this.#tally.flush();
    this.#writeDerived(puts);
    yield* this.#related.flush(this.#types);
    yield* this.#search.flush(this.#types);
  }

  /**
   * Indexes the next batch of items that were deferred because they link to items that were not yet written.
   * Call it after everything has been put.
   * @returns whether more deferred items remain.
   */
  *flushDeferred(): ComputationSteps<boolean> {
    for (const row of this.#deferred.splice(-BATCH_ITEMS)) this.#search.indexDeferred(row);
    yield* this.#search.flush(this.#types);
    return this.#deferred.length > 0;
  }

  /** Writes the data that depends on all items. */
  *finish(): ComputationSteps {
    this.#sql
      .of(
        `INSERT INTO reading_count
         SELECT type, count(*), row_hash(type, count(*)) FROM reading_item GROUP BY type`,
      )
      .run();
    for (const type of this.#types.keys()) {
      if (countedRelationViews(this.#types, type).length > 0) yield* this.#countLinks(type);
    }
    yield* new BestFirstRankWriter(this.#sql).finishAll(this.#types);
    yield* this.#related.finish(this.#types);
    yield* this.#search.finish();
    this.#sql.of(INCREMENT_COPY_VERSION_SQL).run(this.#updatedAt);
  }

  #put(item: Item, body: RenderedBody): NewItem {
    const type = this.#types.get(item.type);
    if (type === undefined) throw new Error(`Content type ${item.type} is not declared`);
    const row = this.#rows.of(item.id);
    this.#paths.clear(item.path);
    const written = this.#items.start(row, item, { type, body });
    const targets = this.#links.insert(row, item, this.#types);
    this.#touch(item);
    return { item, type, written, targets };
  }

  #writePath(change: Exclude<BufferedChange, { kind: "put" }>): void {
    if (change.kind === "retire") {
      if (change.gone) this.#paths.gone(this.#rows.of(change.item.id), change.item);
      this.#touch(change.item);
    } else {
      this.#paths.write(change, (id) => this.#rows.of(id));
    }
  }

  #writeDerived(puts: readonly NewItem[]): void {
    const missing = this.#missingAmong(new Set(puts.flatMap(({ targets }) => targets)));
    for (const { item, type, written, targets } of puts) {
      const { row, text, translationOf } = written;
      const isDeferred = targets.some((target) => missing.has(target));
      if (isDeferred) this.#deferred.push(row);
      else
        this.#search.put({ ...item, row, isNew: true, mayHaveNewNames: true, type, text, targets });
      if (translationOf !== null) this.#related.changed(translationOf);
      const isCounted = countedRelationViews(this.#types, item.type).length > 0;
      if (isDeferred || isCounted || translationOf !== null) this.#related.changed(row);
      else this.#related.written(written);
    }
  }

  #missingAmong(rows: ReadonlySet<number>): ReadonlySet<number> {
    const missing = this.#sql
      .of("SELECT value AS row FROM json_each(?) WHERE value NOT IN (SELECT row FROM reading_item)")
      .all(JSON.stringify([...rows]));
    return new Set(missing.map((found) => numberOf(found, "row")));
  }

  #touch({ updatedAt }: RetiredItem): void {
    if (updatedAt > this.#updatedAt) this.#updatedAt = updatedAt;
  }

  *#countLinks(type: string): ComputationSteps {
    for (const rows of readRowBatchesOfType(this.#sql, type, STEP_ITEMS)) {
      for (const row of rows) this.#counts.start(row, type);
      yield* this.#counts.flush(this.#types);
      yield;
    }
  }
}
