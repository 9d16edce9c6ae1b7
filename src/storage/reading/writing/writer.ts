import type { DatabaseSync } from "node:sqlite";
import type { MediaFile } from "../../../content/media/media.ts";
import type { SiteProfile } from "../../../content/site/site.ts";
import type { ContentTypes } from "../../../content/types/content-type.ts";
import {
  createIndexWriter,
  type NameUpdatingIndexWriter,
} from "../../../search/postings/index-writer.ts";
import { StatementCache } from "../../sqlite/statements.ts";
import type { ComputationSteps } from "../../sqlite/yield-between.ts";
import type { RowNumberOf } from "../row-numbers.ts";
import { INCREMENT_COPY_VERSION_SQL } from "../schema.ts";
import { parseContentTypes, serializeContentTypes } from "../stored-types.ts";
import { BatchWriter } from "./batch-writer.ts";
import { ChangeCollector } from "./change-collector.ts";
import { MediaMetadataWriter } from "./pictures.ts";
import type { BufferedChange, ReadingWriter } from "./reading-writer.ts";

interface WriterOptions {
  origin: string;
  /** Returns row numbers that the record has assigned. If absent, this writer assigns the numbers. */
  rowNumberOf?: RowNumberOf;
  /**
   * The index writer, shared with other writers on this connection. If absent, a new one is used;
   * if null, nothing is indexed.
   */
  index?: NameUpdatingIndexWriter | null;
}

export function createReadingWriter(db: DatabaseSync, options: WriterOptions): ReadingWriter {
  return new SqliteReadingWriter(db, options);
}

class SqliteReadingWriter extends ChangeCollector implements ReadingWriter {
  readonly #sql: StatementCache;
  readonly #pictures: MediaMetadataWriter;
  readonly #batchWriter: BatchWriter;
  #changes: BufferedChange[] = [];
  #isFinished = true;
  #typesText = "";
  #types: ContentTypes = new Map();

  constructor(
    db: DatabaseSync,
    { origin, rowNumberOf, index = createIndexWriter(db) }: WriterOptions,
  ) {
    super();
    this.#sql = new StatementCache(db);
    this.#pictures = new MediaMetadataWriter(this.#sql);
    const rendering = { origin, findPicture: this.#pictures.find };
    this.#batchWriter = new BatchWriter(this.#sql, { rendering, rowNumberOf, index });
  }

  add(change: BufferedChange): void {
    this.#changes.push(change);
  }

  *flush(): ComputationSteps {
    const changes = this.#changes;
    if (changes.length === 0) return;
    this.#changes = [];
    this.#isFinished = false;
    const types = this.#currentTypes();
    for (const batch of batchesOf(changes)) yield* this.#batchWriter.write(batch, types);
    this.#touch(changes);
  }

  *finish(): ComputationSteps {
    yield* this.flush();
    if (this.#isFinished) return;
    yield* this.#batchWriter.finish(this.#currentTypes());
    this.#isFinished = true;
  }

  discard(): void {
    this.#changes = [];
    this.#isFinished = true;
    this.#batchWriter.discard();
  }

  putMedium(medium: MediaFile): void {
    this.#pictures.put(medium);
    this.#touch([]);
  }

  removeMedium(id: string): void {
    this.#pictures.remove(id);
    this.#touch([]);
  }

  saveSite(profile: SiteProfile, types: ContentTypes): boolean {
    const before = this.#currentTypes();
    const isSame = serializeContentTypes(before) === serializeContentTypes(types);
    const isStale = before.size > 0 && !isSame && this.#hasItems();
    this.#sql
      .of(
        `UPDATE reading_site
         SET profile = ?1, types = ?2, stale = max(stale, ?3), hash = row_hash(?1, ?2)`,
      )
      .run(JSON.stringify(profile), serializeContentTypes(types), isStale ? 1 : 0);
    this.#touch([]);
    return isStale;
  }

  #hasItems(): boolean {
    return this.#sql.of("SELECT 1 FROM reading_item LIMIT 1").get() !== undefined;
  }

  #touch(changes: readonly BufferedChange[]): void {
    const updatedAt = changes.map((change) => ("item" in change ? change.item.updatedAt : ""));
    this.#sql.of(INCREMENT_COPY_VERSION_SQL).run(updatedAt.sort().at(-1) ?? "");
  }

  /**
   * Returns the types as stored. Compares the stored text on each call, because the transaction
   * that saved the cached types may have been rolled back.
   */
  #currentTypes(): ContentTypes {
    const stored = this.#sql.of("SELECT types FROM reading_site").get()?.["types"];
    if (typeof stored === "string" && stored !== this.#typesText) {
      this.#typesText = stored;
      this.#types = parseContentTypes(stored);
    }
    return this.#types;
  }
}

/** Splits changes into batches in which no item occurs twice. */
function* batchesOf(changes: readonly BufferedChange[]): Generator<BufferedChange[]> {
  let batch: BufferedChange[] = [];
  const changed = new Set<string>();
  for (const change of changes) {
    if ("item" in change) {
      if (changed.has(change.item.id)) {
        yield batch;
        batch = [];
        changed.clear();
      }
      changed.add(change.item.id);
    }
    batch.push(change);
  }
  if (batch.length > 0) yield batch;
}
