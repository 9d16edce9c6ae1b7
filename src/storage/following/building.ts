import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { noteCommit } from "../data-version.ts";
import { numberOf } from "../reading/columns.ts";
import { ensureSchema } from "../reading/schema.ts";
import { createReadingWriter } from "../reading/writer.ts";
import { takingTurns } from "../taking-turns.ts";
import { type OnProgress, projectAll } from "../whole-content.ts";
import type { ChangeSource, SnapshotContent } from "./change-source.ts";
import { createPlace, isDamaged, removeDatabase } from "./copy-file.ts";
import { keepVectors } from "./keeping-vectors.ts";

export interface BuildingOptions {
  /** The reading copy. */
  file: string;
  origin: string;
  source: ChangeSource;
  onProgress: OnProgress;
  signal: AbortSignal;
}

/** While it is made nobody looks into it, and one that was not finished is thrown away. */
const QUICK = `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA cache_size = -64000; PRAGMA temp_store = MEMORY`;
/** Others may raise the version of the copy in use while the new one is made. */
const VERSIONS_AHEAD = 1000;

/**
 * Makes a reading copy anew beside the one in use, which is shown until the new one stands in its place
 * whole. A process that is killed meanwhile leaves the old one as it was.
 */
export async function makeCopy(options: BuildingOptions): Promise<void> {
  const { file, source } = options;
  const made = `${file}.new`;
  removeDatabase(made);
  try {
    await source.snapshot((content) => fill(made, content, options));
    await keepFromOld(made, file);
    await settle(made);
    await put(made, file);
    noteCommit();
  } finally {
    removeDatabase(made);
  }
}

async function fill(
  made: string,
  content: SnapshotContent,
  { origin, onProgress, signal }: BuildingOptions,
): Promise<void> {
  using db = new DatabaseSync(made);
  db.exec(QUICK);
  db.exec("BEGIN");
  ensureSchema(db, { origin });
  const writer = createReadingWriter(db, { origin, numberOf: content.numberOf });
  const site = await content.site();
  if (site !== null) writer.saveSite(site.profile, site.types);
  await projectAll(content, writer, (done, total) => {
    signal.throwIfAborted();
    onProgress(done, total);
  });
  db.prepare("UPDATE reading_state SET updated_at = ?").run(content.updatedAt);
  createPlace(db, { ...content.place, made: randomUUID() });
  db.exec("COMMIT");
}

/** What is not in the record, and goes on counting. */
async function keepFromOld(made: string, file: string): Promise<void> {
  if (!existsSync(file)) return;
  using db = new DatabaseSync(made);
  db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
  try {
    db.prepare("ATTACH ? AS old").run(file);
    const version = db.prepare("SELECT version FROM old.reading_state").get();
    db.prepare("UPDATE reading_state SET version = ?").run(
      numberOf(version ?? {}, "version") + VERSIONS_AHEAD,
    );
    await takingTurns(keepVectors(db));
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
