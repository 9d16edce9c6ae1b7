import type { DatabaseSync } from "node:sqlite";
import type { Item } from "../../../content/items/item.ts";
import type { Medium } from "../../../content/media/media.ts";
import type { SiteProfile } from "../../../content/site/site.ts";
import type { ContentTypes } from "../../../content/types/content-type.ts";
import { createIndexWriter, type IndexWriter } from "../../../search/postings/index-writer.ts";
import { Statements } from "../../sqlite/statements.ts";
import type { NumberOf } from "../row-numbers.ts";
import { TOUCH } from "../schema.ts";
import { parseTypes, serializeTypes } from "../stored-types.ts";
import { BlockWriter } from "./block-writer.ts";
import { Pictures } from "./pictures.ts";

/**
 * Keeps the reading copy in step with the record. Every call belongs into the write transaction of
 * the change it mirrors, on the same connection. Changes of items and paths are kept back until
 * {@link ReadingWriter.flush}, so that what follows from many of them is worked out once.
 */
export interface ReadingWriter {
  /** Shows a published item, or its new state. Call {@link ReadingWriter.redirect} for its old path. */
  put(item: Item): void;
  /** Takes an item away; its path answers 410 when `gone`, and otherwise as if it had never been. */
  retire(item: RetiredItem, gone: boolean): void;
  /** From now on `from` leads to wherever the item stands; an item put at `from` takes it back. */
  redirect(from: string, toItemId: string): void;
  /** From now on `from` leads to another page of the site that is no item. */
  lead(from: string, toPath: string): void;
  /** What `from` leads to is forgotten, and so is whatever was gone there. */
  dropRedirect(from: string): void;
  /** Writes what was kept back, step by step: between two steps, others may have the processor. */
  flush(): Generator<void>;
  /** Writes what flushing keeps back for the sake of many; call it last, before the transaction ends. */
  finish(): Generator<void>;
  /** Forgets what was kept back, since the transaction is undone. */
  discard(): void;
  /** From now on items that are put show this of the file. */
  putMedium(medium: Medium): void;
  removeMedium(id: string): void;
  /**
   * @returns whether the types changed so that everything published has to be put again; if that
   * does not happen now, `ensureSchema` asks for it at the next start.
   */
  saveSite(profile: SiteProfile, types: ContentTypes): boolean;
}

/** What is left to know of an item that is taken away. */
export type RetiredItem = Pick<Item, "id" | "type" | "path" | "title" | "updatedAt">;

interface WriterOptions {
  origin: string;
  /** Where several copies follow one record, it gives the numbers; absent: they are made here. */
  numberOf?: NumberOf;
  /** Shared with others that write on this connection; absent: one is made. */
  index?: IndexWriter;
}

export function createReadingWriter(db: DatabaseSync, options: WriterOptions): ReadingWriter {
  return new SqliteReadingWriter(db, options);
}

/** One thing to be mirrored that is kept back. */
export type Change =
  | { kind: "put"; item: Item }
  | { kind: "retire"; item: RetiredItem; gone: boolean }
  | { kind: "redirect"; from: string; toItemId: string }
  | { kind: "lead"; from: string; toPath: string }
  | { kind: "dropRedirect"; from: string };

class SqliteReadingWriter implements ReadingWriter {
  readonly #sql: Statements;
  readonly #pictures: Pictures;
  readonly #block: BlockWriter;
  #changes: Change[] = [];
  #isFinished = true;
  #typesText = "";
  #types: ContentTypes = new Map();

  constructor(
    db: DatabaseSync,
    { origin, numberOf, index = createIndexWriter(db) }: WriterOptions,
  ) {
    this.#sql = new Statements(db);
    this.#pictures = new Pictures(this.#sql);
    const rendering = { origin, findPicture: this.#pictures.find };
    this.#block = new BlockWriter(this.#sql, { rendering, numberOf, index });
  }

  put(item: Item): void {
    this.#changes.push({ kind: "put", item });
  }

  retire(item: RetiredItem, gone: boolean): void {
    this.#changes.push({ kind: "retire", item, gone });
  }

  redirect(from: string, toItemId: string): void {
    this.#changes.push({ kind: "redirect", from, toItemId });
  }

  lead(from: string, toPath: string): void {
    this.#changes.push({ kind: "lead", from, toPath });
  }

  dropRedirect(from: string): void {
    this.#changes.push({ kind: "dropRedirect", from });
  }

  *flush(): Generator<void> {
    const changes = this.#changes;
    if (changes.length === 0) return;
    this.#changes = [];
    this.#isFinished = false;
    const types = this.#currentTypes();
    for (const block of blocksOf(changes)) yield* this.#block.write(block, types);
    this.#touch(changes);
  }

  *finish(): Generator<void> {
    yield* this.flush();
    if (this.#isFinished) return;
    yield* this.#block.finish(this.#currentTypes());
    this.#isFinished = true;
  }

  discard(): void {
    this.#changes = [];
    this.#isFinished = true;
    this.#block.discard();
  }

  putMedium(medium: Medium): void {
    this.#pictures.put(medium);
  }

  removeMedium(id: string): void {
    this.#pictures.remove(id);
  }

  saveSite(profile: SiteProfile, types: ContentTypes): boolean {
    const before = this.#currentTypes();
    const isSame = serializeTypes(before) === serializeTypes(types);
    const isStale = before.size > 0 && !isSame && this.#hasItems();
    this.#sql
      .of(
        `UPDATE reading_site
         SET profile = ?1, types = ?2, stale = max(stale, ?3), hash = row_hash(?1, ?2)`,
      )
      .run(JSON.stringify(profile), serializeTypes(types), isStale ? 1 : 0);
    this.#touch([]);
    return isStale;
  }

  #hasItems(): boolean {
    return this.#sql.of("SELECT 1 FROM reading_item LIMIT 1").get() !== undefined;
  }

  #touch(changes: readonly Change[]): void {
    const updatedAt = changes.map((change) => ("item" in change ? change.item.updatedAt : ""));
    this.#sql.of(TOUCH).run(updatedAt.sort().at(-1) ?? "");
  }

  /** Read anew whenever they differ: the transaction that declared them may have been rolled back. */
  #currentTypes(): ContentTypes {
    const stored = this.#sql.of("SELECT types FROM reading_site").get()?.["types"];
    if (typeof stored === "string" && stored !== this.#typesText) {
      this.#typesText = stored;
      this.#types = parseTypes(stored);
    }
    return this.#types;
  }
}

/** Runs of changes in which no item is changed twice. */
function* blocksOf(changes: readonly Change[]): Generator<Change[]> {
  let block: Change[] = [];
  const changed = new Set<string>();
  for (const change of changes) {
    if ("item" in change) {
      if (changed.has(change.item.id)) {
        yield block;
        block = [];
        changed.clear();
      }
      changed.add(change.item.id);
    }
    block.push(change);
  }
  if (block.length > 0) yield block;
}
