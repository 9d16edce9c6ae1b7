import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { makeFolder } from "../../files/durable-files.ts";
import { createIndexWriter, type IndexWriter } from "../../search/postings/index-writer.ts";
import { dropIndexes, ensureSchema } from "../reading/schema.ts";
import { FillingWriter } from "../reading/writing/filling-writer.ts";
import { createReadingWriter } from "../reading/writing/writer.ts";
import { numberOf } from "../sqlite/columns.ts";
import { countCommit } from "../sqlite/data-version.ts";
import { isDamaged } from "../sqlite/sqlite-faults.ts";
import { yieldBetween } from "../sqlite/yield-between.ts";
import { type OnProgress, projectAll } from "../whole-content.ts";
import type { ChangeSource, SnapshotContent } from "./change-source.ts";
import { clearUnfinished, createPlace, openUnsafe, removeDatabase } from "./copy-file.ts";
import { copyVectors } from "./copy-vectors.ts";
import { IndexBuild } from "./index-build.ts";

export interface BuildingOptions {
  /** The reading copy. */
  file: string;
  origin: string;
  source: Pick<ChangeSource, "snapshot">;
  onProgress: OnProgress;
  signal: AbortSignal;
  /** From so many items on, two threads make it; fewer only in tests. */
  largeItems?: number;
}

/** Starting threads takes as long as a thread saves of so many. */
const LARGE_ITEMS = 5000;
/** Others may raise the version of the copy in use while the new one is made. */
const VERSIONS_AHEAD = 1000;

/**
 * Makes a reading copy anew beside the one in use, which is shown until the new one stands in its place
 * whole. A process that is killed meanwhile leaves the old one as it was.
 */
export async function buildCopy(options: BuildingOptions): Promise<void> {
  const { file, source } = options;
  const { made } = placesFor(file);
  removeDatabase(made);
  try {
    await source.snapshot((content) => fill(made, content, options));
    await keepFromOld(made, file);
    await settle(made);
    await put(made, file);
    countCommit();
  } finally {
    removeDatabase(made);
  }
}

/** Makes the folder for a copy, and removes what {@link buildCopy} left there when its process was killed. */
export function prepareFolder(file: string): void {
  makeFolder(dirname(file));
  clearUnfinished(file, Object.values(placesFor(file)));
}

function placesFor(file: string): { made: string; search: string } {
  return { made: `${file}.new`, search: `${file}.new-search` };
}

async function fill(
  made: string,
  content: SnapshotContent,
  options: BuildingOptions,
): Promise<void> {
  const isLarge = (await content.itemCount()) >= (options.largeItems ?? LARGE_ITEMS);
  await (isLarge ? fillLarge : fillSmall)(made, content, options);
}

async function fillSmall(
  made: string,
  content: SnapshotContent,
  { origin, onProgress, signal }: BuildingOptions,
): Promise<void> {
  using db = openUnsafe(made);
  db.exec("BEGIN");
  const writer = await beginFilling(db, content, { origin, index: createIndexWriter(db) });
  await projectAll(content, writer, (done, total) => {
    signal.throwIfAborted();
    onProgress(done, total);
  });
  await finishFilling(db, content, writer);
}

/**
 * By two threads: this one writes all but the search index, which the other makes in a file of its own
 * and moves into the copy at the end.
 */
async function fillLarge(
  made: string,
  content: SnapshotContent,
  { file, origin, onProgress, signal }: BuildingOptions,
): Promise<void> {
  const { search } = placesFor(file);
  removeDatabase(search);
  try {
    await using beside = new IndexBuild(search);
    {
      using db = openUnsafe(made);
      db.exec("BEGIN");
      const writer = await beginFilling(db, content, { origin, index: beside });
      dropIndexes(db);
      await projectAll(content, writer, async (done, total) => {
        signal.throwIfAborted();
        onProgress(done, total);
        await beside.hasRoom();
      });
      db.exec("COMMIT; PRAGMA shrink_memory");
      await beside.createIndexes(made, signal);
      db.exec("BEGIN");
      await finishFilling(db, content, writer);
    }
    await beside.move(made, signal);
  } finally {
    removeDatabase(search);
  }
}

async function beginFilling(
  db: DatabaseSync,
  { site: readSite, numberOf }: SnapshotContent,
  { origin, index }: { origin: string; index: IndexWriter },
): Promise<FillingWriter> {
  ensureSchema(db, { origin });
  const site = await readSite();
  if (site !== null) createReadingWriter(db, { origin, index }).saveSite(site.profile, site.types);
  return new FillingWriter(db, { origin, types: site?.types ?? new Map(), numberOf, index });
}

async function finishFilling(
  db: DatabaseSync,
  { updatedAt, place }: SnapshotContent,
  writer: FillingWriter,
): Promise<void> {
  await yieldBetween(writer.finish());
  const dated = "UPDATE reading_state SET updated_at = ?1, hash = row_hash(?1)";
  db.prepare(dated).run(updatedAt);
  createPlace(db, { ...place, made: randomUUID() });
  db.exec("COMMIT");
}

/** What is not in the record, and goes on counting. */
async function keepFromOld(made: string, file: string): Promise<void> {
  if (!existsSync(file)) return;
  using db = new DatabaseSync(made);
  // A statement that fails on a damaged old copy has to be undone.
  db.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
  try {
    db.prepare("ATTACH ? AS old").run(file);
    const version = db.prepare("SELECT version FROM old.reading_state").get();
    db.prepare("UPDATE reading_state SET version = ?").run(
      numberOf(version ?? {}, "version") + VERSIONS_AHEAD,
    );
    await yieldBetween(copyVectors(db));
  } catch (error) {
    if (!isDamaged(error) && !lacksTables(error)) throw error;
  }
}

function lacksTables(error: unknown): boolean {
  return error instanceof Error && error.message.includes("no such table");
}

/** Brings it into the state in which copies are used, and onto the disk, which nobody else waits for. */
async function settle(made: string): Promise<void> {
  const db = new DatabaseSync(made);
  db.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL");
  db.close();
  await sync(made);
}

/**
 * A file that may be in use must not be replaced by another: its pages are changed for the new ones in
 * one transaction, which those who read from it do not see until its end.
 */
async function put(made: string, file: string): Promise<void> {
  if (existsSync(file)) {
    try {
      using db = new DatabaseSync(made, { readOnly: true });
      await backup(db, file, { rate: 10_000 });
      return;
    } catch (error) {
      if (!isDamaged(error)) throw error;
    }
  }
  removeDatabase(file);
  await rename(made, file);
  await sync(dirname(file));
}

async function sync(path: string): Promise<void> {
  await using handle = await open(path);
  await handle.sync();
}
