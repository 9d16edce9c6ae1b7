import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Step } from "./record.ts";
import type { State } from "./states.ts";

interface FolderNode {
  kind: "folder";
  mode: number;
}

interface FileNode {
  kind: "file";
  mode: number;
  /** The content as the process sees it. */
  bytes: Contents;
  /** The content at the last fsync of the file. */
  synced: Contents;
  /** Changes since the last fsync. */
  unsynced: Change[];
}

type Node = FolderNode | FileNode;
type Names = Map<string, Node>;

/** Bytes at an offset, or a new size. */
type Change = { offset: number; bytes: Buffer } | { size: number };

interface NameChange {
  folders: readonly string[];
  apply(names: Names): void;
}

/**
 * What a crash leaves of everything that was done before.
 *
 * - `killed`: everything, as only the process ended.
 * - `dropped`: a power cut that keeps only what was durable: the bytes of a file at its last fsync, and the
 *   names in a folder at the last fsync of the folder.
 * - `named`: a power cut after the names had reached the disk without the bytes.
 * - `mixed`: a power cut that keeps any part of what was not durable: the first of the changed names, and any
 *   of the writes to each file, possibly only half of a write.
 *
 * Names become durable in the order in which they were changed, as on file systems with a journal (ext4,
 * XFS). The fsync of a file makes no name durable.
 */
export type Crash = "killed" | "dropped" | "named" | "mixed";
export const CRASHES: readonly Crash[] = ["killed", "dropped", "named", "mixed"];

const SECTOR_BYTES = 512;

/**
 * A folder in memory to which recorded steps are applied, so that the result of any crash can be laid out.
 */
export class Disk {
  readonly #root: string;
  readonly #names: Names = new Map();
  readonly #durable: Names;
  readonly #files = new Map<number, FileNode>();
  #unsynced: NameChange[] = [];

  /** Everything that is in `root` at this time counts as durable. */
  constructor(root: string) {
    this.#root = root;
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const { mode, ino } = lstatSync(path);
      if (isShared(path)) continue;
      if (entry.isDirectory()) this.#names.set(path, { kind: "folder", mode: mode & 0o7777 });
      else this.#adopt(path, ino, { bytes: readFileSync(path), mode: mode & 0o7777 });
    }
    this.#durable = new Map(this.#names);
  }

  apply(step: Step): void {
    const { op, path, other, mode } = step;
    if (op === "create") {
      this.#rename(step, created(path, this.#fileOf(step.inode, mode)));
    } else if (op === "mkdir") {
      this.#rename(step, created(path, { kind: "folder", mode }));
    } else if (op === "unlink" || op === "rmdir") {
      this.#rename(step, (names) => names.delete(path));
    } else if (op === "rename") {
      this.#rename(step, (names) => moveNames(names, path, other));
    } else if (op === "link") {
      this.#rename(step, (names) => {
        const node = names.get(path);
        if (node !== undefined) names.set(other, node);
      });
    } else if (op === "syncfolder") {
      this.#syncNames(path);
    } else {
      this.#applyToFile(step);
    }
  }

  /**
   * The state that a crash leaves. It is valid until the next step is applied. `next` returns random
   * integers.
   */
  left(crash: Crash, next: () => number): State {
    const names = new Map(crash === "dropped" || crash === "mixed" ? this.#durable : this.#names);
    if (crash === "mixed") {
      const kept = next() % (this.#unsynced.length + 1);
      for (const { apply } of this.#unsynced.slice(0, kept)) apply(names);
    }
    return [...names]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, node]) => ({
        path: path.slice(this.#root.length + 1),
        mode: node.mode,
        bytes: node.kind === "folder" ? null : bytesAfter(node, crash, next),
      }));
  }

  #adopt(path: string, inode: number, { bytes, mode }: { bytes: Buffer; mode: number }): void {
    const [now, synced] = [new Contents(bytes), new Contents(bytes)];
    const file: FileNode = { kind: "file", mode, bytes: now, synced, unsynced: [] };
    this.#files.set(inode, file);
    this.#names.set(path, file);
  }

  /** The inode number of a removed file may be reused for a new one. */
  #fileOf(inode: number, mode: number): FileNode {
    const [bytes, synced] = [new Contents(Buffer.alloc(0)), new Contents(Buffer.alloc(0))];
    const file: FileNode = { kind: "file", mode, bytes, synced, unsynced: [] };
    this.#files.set(inode, file);
    return file;
  }

  #rename({ path, other }: Step, apply: (names: Names) => void): void {
    const folders = [path, other].filter((name) => name !== "").map((name) => dirname(name));
    apply(this.#names);
    this.#unsynced.push({ folders, apply });
  }

  #syncNames(folder: string): void {
    const last = this.#unsynced.findLastIndex(({ folders }) => folders.includes(folder));
    for (const { apply } of this.#unsynced.splice(0, last + 1)) apply(this.#durable);
  }

  #applyToFile({ op, inode, path, mode, offset, bytes }: Step): void {
    const file = this.#files.get(inode);
    if (op === "chmod") {
      const node = file ?? this.#names.get(path);
      if (node !== undefined) node.mode = mode;
    }
    if (file === undefined) return;
    if (op === "sync") {
      for (const change of file.unsynced) file.synced.apply(change);
      file.unsynced = [];
    } else if (op === "write" || op === "truncate") {
      const change = op === "write" ? { offset, bytes } : { size: offset };
      file.bytes.apply(change);
      file.unsynced.push(change);
    }
  }
}

/** Files that processes share in memory are made again by the next one. */
export function isShared(path: string): boolean {
  return path.endsWith("-shm");
}

function created(path: string, node: Node): (names: Names) => void {
  return (names) => names.set(path, node);
}

function moveNames(names: Names, from: string, to: string): void {
  for (const path of [...names.keys()]) if (path.startsWith(`${to}/`)) names.delete(path);
  for (const [path, node] of [...names]) {
    if (path !== from && !path.startsWith(`${from}/`)) continue;
    names.delete(path);
    names.set(`${to}${path.slice(from.length)}`, node);
  }
}

function bytesAfter(file: FileNode, crash: Crash, next: () => number): Buffer {
  if (crash === "killed") return file.bytes.now();
  if (crash !== "mixed" || file.unsynced.length === 0) return file.synced.now();
  const contents = new Contents(file.synced.now());
  for (const change of file.unsynced) {
    const kept = next() % 3;
    if (kept === 0) continue;
    if (kept === 1 || "size" in change) contents.apply(change);
    else contents.apply({ ...change, bytes: torn(change.bytes, next()) });
  }
  return contents.now();
}

function torn(bytes: Buffer, number: number): Buffer {
  const sectors = Math.floor(bytes.length / SECTOR_BYTES);
  return bytes.subarray(0, (number % (sectors + 1)) * SECTOR_BYTES);
}

/** The bytes of a file. They are changed in place, because a large file is written to thousands of times. */
class Contents {
  #room: Buffer;
  #size: number;

  constructor(bytes: Buffer) {
    this.#room = Buffer.from(bytes);
    this.#size = bytes.length;
  }

  now(): Buffer {
    return this.#room.subarray(0, this.#size);
  }

  apply(change: Change): void {
    if ("size" in change) {
      this.#resize(change.size);
    } else {
      const end = change.offset + change.bytes.length;
      if (end > this.#size) this.#resize(end);
      change.bytes.copy(this.#room, change.offset);
    }
  }

  #resize(size: number): void {
    if (size > this.#room.length) {
      const room = Buffer.alloc(2 * size);
      this.now().copy(room);
      this.#room = room;
    }
    // Bytes that were cut off are zero when the file grows again.
    if (size < this.#size) this.#room.fill(0, size, this.#size);
    this.#size = size;
  }
}
