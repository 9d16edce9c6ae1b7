import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite";
import { currentProcess, type SimulatedProcess } from "./world.ts";

/** Layout of a write-ahead log: https://www.sqlite.org/fileformat2.html#walformat */
const WAL_HEADER_BYTES = 32;
const SALT_AT = 16;
const SALT_BYTES = 8;
const FRAME_BYTES = 24 + 4096;
const FRAME_SALT_AT = 8;

const SYNC_MILLISECONDS_MAX = 20;

const SYNCHRONOUS = /synchronous = (\w+)/i;

/** How much of a write-ahead log is written. A log that SQLite restarts gets another salt. */
interface LogState {
  salt: string;
  frames: number;
}

interface SimulatedFile {
  open: Set<SimulatedDatabase>;
  /** Whether SQLite syncs every commit itself. */
  isSynced: boolean;
  /** The part of the write-ahead log that was synced. */
  safe: LogState;
}

const files = new Map<string, SimulatedFile>();

/**
 * A connection of a simulated process to a SQLite file. It is closed when the process ends. It never waits
 * for a lock, since nothing else could happen meanwhile: a call that would wait is refused at once.
 */
export class SimulatedDatabase extends DatabaseSync {
  readonly #path: string;
  readonly #file: SimulatedFile;
  readonly #process: SimulatedProcess | null = currentProcess();
  readonly #end = () => this.close();

  constructor(path: string, options: DatabaseSyncOptions) {
    super(path, { ...options, timeout: 0 });
    this.#path = path;
    this.#file = fileAt(path);
    this.#file.open.add(this);
    this.#process?.atEnd.add(this.#end);
  }

  override exec(sql: string): void {
    super.exec(sql);
    const mode = SYNCHRONOUS.exec(sql)?.[1];
    if (mode === undefined) return;
    if (this.#file.isSynced) this.#file.safe = logStateOf(this.#path);
    this.#file.isSynced = mode === "FULL";
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

/**
 * A handle of a simulated process to a write-ahead log, for syncing. What is written while a sync runs is not
 * covered by it.
 */
export class SimulatedLog {
  readonly #process: SimulatedProcess;
  readonly #path: string;

  /** @param log the path of the write-ahead log. */
  constructor(process: SimulatedProcess, log: string) {
    this.#process = process;
    this.#path = log.replace(/-wal$/, "");
  }

  datasync(): Promise<void> {
    const { world } = this.#process;
    const covered = logStateOf(this.#path);
    return new Promise((resolve) => {
      world.schedule(this.#process, world.random() * SYNC_MILLISECONDS_MAX, () => {
        const file = fileAt(this.#path);
        const isNewer = file.safe.salt !== covered.salt || file.safe.frames < covered.frames;
        if (isNewer && logStateOf(this.#path).salt === covered.salt) file.safe = covered;
        resolve();
      });
    });
  }

  async close(): Promise<void> {}
}

/** Copies the write-ahead log into the file, as the checkpoint thread does. */
export function checkpoint(process: SimulatedProcess, path: string): void {
  process.world.inside(process, () => {
    using db = new SimulatedDatabase(path, { timeout: 0 });
    const { log } = db.prepare("PRAGMA wal_checkpoint(PASSIVE)").get() ?? {};
    fileAt(path).safe = { ...logStateOf(path), frames: Number(log) };
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
  const written = logStateOf(path);
  const kept = written.salt === safe.salt ? Math.min(safe.frames, written.frames) : 0;
  const left = kept + roll(written.frames - kept + 1);
  writeFileSync(log, readFileSync(log).subarray(0, WAL_HEADER_BYTES + left * FRAME_BYTES));
}

/** Forgets what is known about the files in a folder. */
export function forgetFiles(folder: string): void {
  for (const path of files.keys()) if (path.startsWith(folder)) files.delete(path);
}

/** Counts the frames since the log was restarted; older ones behind them have another salt. */
function logStateOf(path: string): LogState {
  const log = `${path}-wal`;
  const bytes = existsSync(log) ? readFileSync(log) : Buffer.alloc(0);
  const saltAt = (at: number) => bytes.toString("hex", at, at + SALT_BYTES);
  const salt = saltAt(SALT_AT);
  let at = WAL_HEADER_BYTES;
  while (at + FRAME_BYTES <= bytes.length && saltAt(at + FRAME_SALT_AT) === salt) at += FRAME_BYTES;
  return { salt, frames: Math.max(0, at - WAL_HEADER_BYTES) / FRAME_BYTES };
}
