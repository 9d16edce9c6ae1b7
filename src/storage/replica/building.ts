import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeFolder } from "../../files/durable-files.ts";
import { createIndexWriter, type IndexWriter } from "../../search/postings/index-writer.ts";
import { dropIndexes, ensureSchema } from "../reading/schema.ts";
import { InitialFillWriter } from "../reading/writing/initial-fill-writer.ts";
import { createReadingWriter } from "../reading/writing/writer.ts";
import { numberOf } from "../sqlite/columns.ts";
import { incrementCommitCount } from "../sqlite/data-version.ts";
import { runStepsWithYields } from "../sqlite/yield-between.ts";
import { fillReadingCopy, type OnProgress } from "../whole-content.ts";
import type { ChangeSource, SnapshotContent } from "./change-source.ts";
import {
  createCopyPositionTable,
  isCausedByDamage,
  openCopyWithoutJournal,
  removeDatabaseFiles,
  removeUnfinishedFiles,
} from "./copy-file.ts";
import { copyVectorsFromOldReplica } from "./copy-vectors.ts";
import { IndexBuildWorker } from "./index-build.ts";
import { swapInCopy } from "./swap-in-copy.ts";

export interface CopyBuildOptions {
  /** Path of the reading copy. */
  file: string;
  origin: string;
  source: Pick<ChangeSource, "snapshot">;
  onProgress: OnProgress;
  signal: AbortSignal;
  /** If there are at least this many items, two threads build the copy. Tests lower this number. */
  largeItems?: number;
}

/** With fewer items, starting the threads costs as much time as they save. */
const LARGE_ITEMS = 5000;
/**
 * The version number of the new copy is that of the old copy plus this number. During the build, other
 * processes can increase the old number, but never by this much.
 */
const VERSIONS_AHEAD = 1000;

/**
 * Builds a new reading copy in a temporary file, and swaps it in when it is complete. Readers see the
 * old copy until then. If the process is killed, the old copy is unchanged.
 */
export async function buildCopy(options: CopyBuildOptions): Promise<void> {
  const { file, source } = options;
  const { newCopy } = temporaryFiles(file);
  removeDatabaseFiles(newCopy);
  try {
    await source.snapshot((content) => fill(newCopy, content, options));
    await copyFromOld(newCopy, file);
    await swapInCopy(newCopy, file);
    incrementCommitCount();
  } finally {
    removeDatabaseFiles(newCopy);
  }
}

/** Creates the folder for a copy, and removes temporary files that killed processes left there. */
export function prepareCopyFolder(file: string): void {
  makeFolder(dirname(file));
  removeUnfinishedFiles(file, Object.values(temporaryFiles(file)));
}

function temporaryFiles(file: string): { newCopy: string; search: string } {
  return { newCopy: `${file}.new`, search: `${file}.new-search` };
}

async function fill(
  newCopy: string,
  content: SnapshotContent,
  options: CopyBuildOptions,
): Promise<void> {
  const isLarge = (await content.itemCount()) >= (options.largeItems ?? LARGE_ITEMS);
  await (isLarge ? fillLarge : fillSmall)(newCopy, content, options);
}

async function fillSmall(
  newCopy: string,
  content: SnapshotContent,
  { origin, onProgress, signal }: CopyBuildOptions,
): Promise<void> {
  using db = openCopyWithoutJournal(newCopy);
  db.exec("BEGIN");
  const writer = await beginFilling(db, content, { origin, index: createIndexWriter(db) });
  await fillReadingCopy(content, writer, (done, total) => {
    signal.throwIfAborted();
    onProgress(done, total);
  });
  await finishFilling(db, content, writer);
}

/**
 * Uses two threads. This one writes everything except the search index. The thread of {@link IndexBuildWorker}
 * writes the search index to a separate file, and moves it into the copy at the end.
 */
async function fillLarge(
  newCopy: string,
  content: SnapshotContent,
  { file, origin, onProgress, signal }: CopyBuildOptions,
): Promise<void> {
  const { search } = temporaryFiles(file);
  removeDatabaseFiles(search);
  try {
    await using indexBuild = new IndexBuildWorker(search);
    {
      using db = openCopyWithoutJournal(newCopy);
      db.exec("BEGIN");
      const writer = await beginFilling(db, content, { origin, index: indexBuild });
      dropIndexes(db);
      await fillReadingCopy(content, writer, async (done, total) => {
        signal.throwIfAborted();
        onProgress(done, total);
        await indexBuild.hasRoom();
      });
      db.exec("COMMIT; PRAGMA shrink_memory");
      await indexBuild.createIndexes(newCopy, signal);
      db.exec("BEGIN");
      await finishFilling(db, content, writer);
    }
    await indexBuild.move(newCopy, signal);
  } finally {
    removeDatabaseFiles(search);
  }
}

async function beginFilling(
  db: DatabaseSync,
  { site: readSite, rowNumberOf }: SnapshotContent,
  { origin, index }: { origin: string; index: IndexWriter },
): Promise<InitialFillWriter> {
  ensureSchema(db, { origin });
  const site = await readSite();
  if (site !== null) createReadingWriter(db, { origin }).saveSite(site.profile, site.types);
  return new InitialFillWriter(db, { origin, types: site?.types ?? new Map(), rowNumberOf, index });
}

async function finishFilling(
  db: DatabaseSync,
  { updatedAt, logPosition }: SnapshotContent,
  writer: InitialFillWriter,
): Promise<void> {
  await runStepsWithYields(writer.finish());
  const updateTime = "UPDATE reading_state SET updated_at = ?1, hash = row_hash(?1)";
  db.prepare(updateTime).run(updatedAt);
  createCopyPositionTable(db, { ...logPosition, buildId: randomUUID() });
  db.exec("COMMIT");
}

/** Carries over state that is not in the record, such as the version counter. */
async function copyFromOld(newCopy: string, file: string): Promise<void> {
  if (!existsSync(file)) return;
  using db = new DatabaseSync(newCopy);
  // With a journal, a statement that fails on a damaged old copy can be rolled back.
  db.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
  // Used if the version of the old copy cannot be read. The time in milliseconds exceeds any count of
  // changes.
  setVersion(db, Date.now());
  try {
    db.prepare("ATTACH ? AS old").run(file);
    const version = db.prepare("SELECT version FROM old.reading_state").get();
    setVersion(db, numberOf(version ?? {}, "version") + VERSIONS_AHEAD);
    await runStepsWithYields(copyVectorsFromOldReplica(db));
  } catch (error) {
    if (!isCausedByDamage(error) && !lacksTables(error)) throw error;
  }
}

function setVersion(db: DatabaseSync, version: number): void {
  db.prepare("UPDATE reading_state SET version = ?").run(version);
}

function lacksTables(error: unknown): boolean {
  return error instanceof Error && error.message.includes("no such table");
}
