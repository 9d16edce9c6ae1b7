import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite";
import { currentProcess, type SimulatedProcess } from "./world.ts";

/** Layout of a write-ahead log: https://www.sqlite.org/fileformat2.html#walformat */
const WAL_HEADER_BYTES = 32;
const SALT_AT = 16;
const SALT_BYTES = 8;
const FRAME_BYTES = 24 + 4096;

const SYNCHRONOUS = /synchronous = (\w+)/i;

interface SimulatedFile {
  open: Set<SimulatedDatabase>;
  /** Whether every commit is synced. */
  isSynced: boolean;
  /** The part of the write-ahead log that was synced. */
  safe: { salt: string; frames: number };
}

const files = new Map<string, SimulatedFile>();

/**
 * A connection of a simulated process to a SQLite file. It is closed when the process ends. It never waits
 * for a lock, since nothing else could happen meanwhile: a call that would wait is refused at once.
 */
export class SimulatedDatabase extends DatabaseSync {
  readonly #file: SimulatedFile;
  readonly #process: SimulatedProcess | null = currentProcess();
  readonly #end = () => this.close();

  constructor(path: string, options: DatabaseSyncOptions) {
    super(path, { ...options, timeout: 0 });
    this.#file = fileAt(path);
    this.#file.open.add(this);
    this.#process?.atEnd.add(this.#end);
  }

  override exec(sql: string): void {
    const mode = SYNCHRONOUS.exec(sql)?.[1];
    if (mode !== undefined) this.#file.isSynced = mode === "FULL";
    super.exec(sql);
  }

  override close(): void {
    this.#process?.atEnd.delete(this.#end);
    if (!this.#file.open.delete(this)) return;
    // An unfinished statement would keep the transaction open.
    if (this.isTransaction) super.exec("ROLLBACK");
    super.close();
  }

  override [Symbol.dispose](): void {
    this.close();
  }
}

function fileAt(path: string): SimulatedFile {
  const known = files.get(path);
  if (known !== undefined) return known;
  const made = {
    open: new Set<SimulatedDatabase>(),
    isSynced: true,
    safe: { salt: "", frames: 0 },
  };
  files.set(path, made);
  return made;
}

/** Copies the write-ahead log into the file, as the checkpoint thread does. */
export function checkpoint(process: SimulatedProcess, path: string): void {
  process.world.inside(process, () => {
    using db = new SimulatedDatabase(path, { timeout: 0 });
    const { log } = db.prepare("PRAGMA wal_checkpoint(PASSIVE)").get() ?? {};
    fileAt(path).safe = { salt: saltOf(`${path}-wal`), frames: Number(log) };
  });
}

/**
 * Runs an action that ends processes. Files that no other process has open keep their write-ahead logs, as
 * after a kill.
 */
export function endingAbruptly(paths: readonly string[], end: () => void): void {
  const kept = paths
    .flatMap((path) => [path, `${path}-wal`])
    .filter((path) => existsSync(path))
    .map((path) => ({ path, bytes: readFileSync(path) }));
  end();
  for (const { path, bytes } of kept) {
    const file = fileAt(path.replace(/-wal$/, ""));
    if (file.open.size > 0) continue;
    writeFileSync(path, bytes);
    if (!path.endsWith("-wal")) rmSync(`${path}-shm`, { force: true });
  }
}

/** Cuts the power: unsynced transactions are lost from some point on. */
export function loseUnsynced(path: string, roll: (below: number) => number): void {
  const log = `${path}-wal`;
  const { isSynced, safe } = fileAt(path);
  if (isSynced || !existsSync(log)) return;
  const bytes = readFileSync(log);
  const frames = Math.max(0, Math.floor((bytes.length - WAL_HEADER_BYTES) / FRAME_BYTES));
  const kept = saltOf(log) === safe.salt ? Math.min(safe.frames, frames) : 0;
  const left = kept + roll(frames - kept + 1);
  writeFileSync(log, bytes.subarray(0, WAL_HEADER_BYTES + left * FRAME_BYTES));
}

/** Forgets what is known about the files in a folder. */
export function forgetFiles(folder: string): void {
  for (const path of files.keys()) if (path.startsWith(folder)) files.delete(path);
}

function saltOf(log: string): string {
  if (!existsSync(log)) return "";
  return readFileSync(log)
    .subarray(SALT_AT, SALT_AT + SALT_BYTES)
    .toString("hex");
}
