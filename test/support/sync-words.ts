import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Item } from "../../src/content/items/item.ts";
import type { SyncReport } from "../../src/syncing/sync-report.ts";

export function wordsIn(text: string): string[] {
  return text.match(/\bw\d+x\b/g) ?? [];
}

/** A folder as people change it. Paths are below its root. */
export type FilesOnDisk = ReturnType<typeof filesOnDisk>;

export function filesOnDisk(root: string) {
  const at = (file: string) => join(root, file);
  const names = (ending: string) =>
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .sort();
  const makeParent = (file: string) => mkdirSync(dirname(at(file)), { recursive: true });
  return {
    texts: () => names(".md"),
    copies: () => names(".site"),
    read: (file: string) => readFileSync(at(file), "utf8"),
    write(file: string, text: string) {
      makeParent(file);
      writeFileSync(at(file), text);
    },
    move(from: string, to: string) {
      makeParent(to);
      renameSync(at(from), at(to));
    },
    remove: (file: string) => rmSync(at(file)),
  };
}

/** Resolves a conflict in favour of the site or the file. @returns the words that are given up. */
export function decideConflict(
  disk: FilesOnDisk,
  { file, parts }: SyncReport["conflicts"][number],
  side: "site" | "file",
): string[] {
  const copy = `${file}.site`;
  if (!disk.copies().includes(copy) || !disk.texts().includes(file)) return [];
  const theirs = disk.read(copy);
  const mine = disk.read(file);
  disk.remove(copy);
  if (side === "site") disk.write(file, theirs);
  // Of the site's text, only what the report names is given up.
  const named = JSON.stringify(parts.map(({ site }) => site));
  const [dropped, kept] = side === "site" ? [mine, theirs] : [named, mine];
  return wordsIn(dropped).filter((word) => !kept.includes(word));
}

interface Outcome {
  /** Null: the sync was killed. */
  report: SyncReport | null;
  items: readonly Item[];
  rows: readonly { id: string; file: string }[];
}

interface Expected {
  alive: Iterable<string>;
  disk: FilesOnDisk;
  halfWritten: Iterable<string>;
}

/** Requires that each word is somewhere, and that the report has the words that are on one side only. */
export function requireWords(
  { report, items, rows }: Outcome,
  { alive, disk, halfWritten }: Expected,
  run: string,
): void {
  const onSite = new Set(items.flatMap((item) => wordsIn(JSON.stringify(item))));
  const files = disk.texts();
  const inFiles = new Set(files.flatMap((file) => wordsIn(disk.read(file))));
  const copies = disk.copies().map((file) => disk.read(file));
  const elsewhere = new Set([...copies, ...halfWritten].flatMap(wordsIn));
  const lost = [...alive].filter(
    (word) => !onSite.has(word) && !inFiles.has(word) && !elsewhere.has(word),
  );
  assert.deepEqual(lost, [], `${run}: words are lost`);
  if (report === null) return;
  const { conflicts, deletedThere, pending, failed } = report;
  const reported = new Set(
    [conflicts, deletedThere, pending, failed].flatMap((list) => list.map(({ file }) => file)),
  );
  const requireReported = (file: string, text: string, other: ReadonlySet<string>) => {
    const single = wordsIn(text).filter((word) => !other.has(word));
    const isReported = single.length === 0 || reported.has(file);
    assert(isReported, `${run}: ${file} has ${single} on one side alone, and no report of it`);
  };
  const fileOf = new Map(rows.map(({ id, file }) => [id, file]));
  for (const file of files) requireReported(file, disk.read(file), onSite);
  for (const item of items) {
    const file = fileOf.get(item.id) ?? `${item.path.slice(1)}.md`;
    requireReported(file, JSON.stringify(item), inFiles);
  }
}

/** Requires that nothing is left to do or decide, and that every item has a file. */
export function requireEqualSides(
  report: SyncReport | null,
  { items, disk }: { items: readonly Item[]; disk: FilesOnDisk },
  run: string,
): void {
  const nothing = {
    steps: [],
    conflicts: [],
    deletedThere: [],
    pending: [],
    failed: [],
    dropped: [],
  };
  const equal = { ...nothing, same: items.length, others: [] };
  assert.deepEqual(report, equal, `${run}: something is left`);
  assert.equal(disk.texts().length, items.length, `${run}: the sides differ in number`);
}
