import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Item } from "../../content/items/item.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import { createIndexWriter } from "../../search/postings/index-writer.ts";
import { ensureSchema, isCopyOfThisVersion } from "../reading/schema.ts";
import { serializeContentTypes } from "../reading/stored-types.ts";
import { InitialFillWriter } from "../reading/writing/initial-fill-writer.ts";
import type { ReadingWriter } from "../reading/writing/reading-writer.ts";
import { createReadingWriter } from "../reading/writing/writer.ts";
import {
  beginWriteTransaction,
  type CopyPosition,
  createCopyPositionTable,
  isCausedByDamage,
  openCopyWithoutJournal,
  readCopyPosition,
  removeDatabaseFiles,
  rollBack,
  saveCopyPosition,
} from "../replica/copy-file.ts";
import { swapInCopy } from "../replica/swap-in-copy.ts";
import { incrementCommitCount } from "../sqlite/data-version.ts";
import { runStepsWithYields } from "../sqlite/yield-between.ts";
import { buildDeskEntry, type DeskEntryOptions, deskEntryPath } from "./desk-entry.ts";
import type { DeskChange, DeskRecord, DeskSite } from "./desk-record.ts";
import { deskIndexTypes } from "./desk-types.ts";
import { unfinishedIndexPath } from "./removing.ts";

/**
 * Version of the entries in the editors' index. Raise it when items are indexed differently, so that
 * existing indexes are rebuilt.
 */
const ENTRY_VERSION = 2;
const BATCH_CHANGES_MAX = 500;
/**
 * A placeholder. The index needs no real origin, because `buildDeskEntry` has already found the links to
 * the site.
 */
const DESK_ORIGIN = "https://desk.invalid";

export interface DeskIndexBuildOptions {
  onProgress(done: number, total: number): void;
  signal: AbortSignal;
}

/**
 * Returns the position, in the record's changes, of the last change that the index contains. Null if the
 * index cannot be used: it is missing or damaged, or belongs to another record, program version or set of
 * types.
 */
export async function readUsableIndexPosition(
  file: string,
  record: DeskRecord,
  site: DeskSite,
): Promise<CopyPosition | null> {
  const stored = storedPosition(file, deskIndexTypes(site.types));
  if (stored === null || stored.recordId !== recordIdOf(site)) return null;
  // If the record was restored from a backup, the record lacks the last change in the index, or has
  // that change under a lower number.
  const last = stored.at === "" ? null : await record.changeOf(stored.at);
  const newest = await record.lastChange();
  const isKnown = stored.at === "" || (last !== null && last.number >= stored.position);
  return isKnown && stored.position <= (newest?.number ?? 0) ? stored : null;
}

/** Builds a new index next to the file and swaps it in when complete. */
export async function buildDeskIndex(
  file: string,
  record: DeskRecord,
  { site, onProgress, signal }: DeskIndexBuildOptions & { site: DeskSite },
): Promise<void> {
  const newIndex = unfinishedIndexPath(file);
  removeDatabaseFiles(newIndex);
  try {
    // Changes made during the build have higher numbers than `last` and are applied afterwards.
    const last = await record.lastChange();
    await fill(newIndex, record, { site, onProgress, signal, last });
    await swapInCopy(newIndex, file);
    incrementCommitCount();
  } finally {
    removeDatabaseFiles(newIndex);
  }
}

/**
 * A process's writable connection to the index. Several processes can write to the index. Each applies the
 * changes that no other process has applied yet.
 */
export class DeskIndexWriter implements Disposable {
  readonly #db: DatabaseSync;
  #buildId = "";
  #writer: ReadingWriter;

  constructor(file: string) {
    this.#db = new DatabaseSync(file, { timeout: 0 });
    // After a power cut, the index is still consistent, and lost changes are reapplied from the record.
    this.#db.exec("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000");
    this.#writer = this.#newWriter();
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  position(): number {
    return readCopyPosition(this.#db).position;
  }

  /**
   * Applies the next changes in one transaction.
   * @returns whether further changes may remain.
   */
  async catchUp(record: DeskRecord, site: DeskSite): Promise<boolean> {
    const [next] = await record.changesAfter(this.position(), { limit: 1 });
    if (next === undefined) return false;
    await beginWriteTransaction(this.#db);
    try {
      const current = readCopyPosition(this.#db);
      if (current.buildId !== this.#buildId) this.#writer = this.#newWriter();
      this.#buildId = current.buildId;
      const changes = await record.changesAfter(current.position, { limit: BATCH_CHANGES_MAX });
      const last = changes.at(-1);
      if (last === undefined) return true;
      await this.#apply(changes, record, entryOptions(site));
      saveCopyPosition(this.#db, { position: last.number, at: last.id });
      this.#db.exec("COMMIT");
      incrementCommitCount();
      return true;
    } finally {
      rollBack(this.#db);
      this.#writer.discard();
    }
  }

  async #apply(
    changes: readonly DeskChange[],
    record: DeskRecord,
    site: DeskEntryOptions,
  ): Promise<void> {
    const ids = changes.map(({ id }) => id);
    const sources = await record.sources(ids);
    for (const id of ids) {
      const source = sources.get(id);
      const entry = source === undefined ? null : buildDeskEntry(source, site);
      if (entry === null) this.#writer.retire(removedItem(id), false);
      else this.#writer.put(entry);
    }
    await runStepsWithYields(this.#writer.finish());
  }

  #newWriter(): ReadingWriter {
    return createReadingWriter(this.#db, { origin: DESK_ORIGIN });
  }
}

async function fill(
  newIndex: string,
  record: DeskRecord,
  {
    site,
    onProgress,
    signal,
    last,
  }: DeskIndexBuildOptions & { site: DeskSite; last: DeskChange | null },
): Promise<void> {
  using db = openCopyWithoutJournal(newIndex);
  db.exec("BEGIN");
  ensureSchema(db, { origin: DESK_ORIGIN });
  const index = createIndexWriter(db);
  const types = deskIndexTypes(site.types);
  createReadingWriter(db, { origin: DESK_ORIGIN, index }).saveSite(site.profile, types);
  const writer = new InitialFillWriter(db, { origin: DESK_ORIGIN, types, index });
  const total = await record.itemCount();
  const options = entryOptions(site);
  let done = 0;
  for await (const batch of record.everything()) {
    signal.throwIfAborted();
    for (const source of batch) {
      const entry = buildDeskEntry(source, options);
      if (entry !== null) writer.put(entry);
    }
    await runStepsWithYields(writer.flush());
    done += batch.length;
    onProgress(done, total);
  }
  while (await runStepsWithYields(writer.flushDeferred())) signal.throwIfAborted();
  await runStepsWithYields(writer.finish());
  createCopyPositionTable(db, {
    recordId: recordIdOf(site),
    position: last?.number ?? 0,
    at: last?.id ?? "",
    buildId: randomUUID(),
  });
  db.exec("COMMIT");
}

function storedPosition(file: string, types: ContentTypes): CopyPosition | null {
  if (!existsSync(file)) return null;
  try {
    using db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'followed'").get();
    if (table === undefined || !isCopyOfThisVersion(db)) return null;
    const stored = db.prepare("SELECT types FROM reading_site").get()?.["types"];
    return stored === serializeContentTypes(types) ? readCopyPosition(db) : null;
  } catch (error) {
    if (isCausedByDamage(error)) return null;
    throw error;
  }
}

/** The id includes the entry version, so that a new entry version makes existing indexes unusable. */
function recordIdOf({ recordId, profile, origin }: DeskSite): string {
  return `${recordId} ${profile.language} ${origin} ${ENTRY_VERSION}`;
}

function entryOptions({ types, profile, origin }: DeskSite): DeskEntryOptions {
  return { types, language: profile.language, origin };
}

function removedItem(id: string): Pick<Item, "id" | "type" | "path" | "title" | "updatedAt"> {
  return { id, type: "", path: deskEntryPath({ id, path: "" }), title: "", updatedAt: "" };
}
