import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databaseAsRead } from "./write-ahead-log.ts";

/** A file that a crash leaves, or a folder if `bytes` is null. */
interface Left {
  /** Path below the folder of the scenario. */
  path: string;
  mode: number;
  bytes: Buffer | null;
}

/** Folders precede their contents. The bytes may change when the disk does. */
export type State = readonly Left[];

/** Writes a state into the new folder `to`. */
export function layOut(state: State, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const { path, mode, bytes } of state) {
    const place = join(to, path);
    if (bytes === null) mkdirSync(place);
    else writeFileSync(place, bytes);
    chmodSync(place, mode);
  }
}

/** A hash that is equal for states with equal bytes. */
export function hashOfBytes(state: State): string {
  return hashOf(state, ({ bytes }) => bytes);
}

/**
 * A hash that is equal for states that differ only in bytes that SQLite never reads: those after the last
 * complete transaction of a write-ahead log, and database pages that the log replaces.
 */
export function hashAsRead(state: State): string {
  const files = new Map(state.map(({ path, bytes }) => [path, bytes]));
  const read = new Map<string, Buffer>();
  for (const [path, bytes] of files) {
    const log = files.get(`${path}-wal`);
    if (!bytes || !log || files.has(`${path}-journal`)) continue;
    const database = databaseAsRead(bytes, log);
    if (database === null) continue;
    read.set(path, database);
    read.set(`${path}-wal`, Buffer.from("a log that is read"));
  }
  return hashOf(state, ({ path, bytes }) => read.get(path) ?? bytes);
}

function hashOf(state: State, contents: (left: Left) => Buffer | null): string {
  const hash = createHash("sha256");
  for (const left of state) {
    const bytes = contents(left);
    hash.update(`${JSON.stringify([left.path, left.mode, bytes?.length ?? null])}\n`);
    if (bytes !== null) hash.update(bytes);
  }
  return hash.digest("hex");
}
