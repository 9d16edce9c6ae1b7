import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { checkDatabase } from "../../../src/storage/integrity/checks.ts";

const HEADER_BYTES = 100;

/** Numbers of the pages in use, found by following the list of free pages. */
export function usedPages(bytes: Buffer): number[] {
  const size = pageSize(bytes);
  const free = new Set<number>();
  for (let trunk = bytes.readUInt32BE(32); trunk !== 0 && !free.has(trunk); ) {
    free.add(trunk);
    const start = (trunk - 1) * size;
    const leaves = bytes.readUInt32BE(start + 4);
    for (let leaf = 0; leaf < leaves; leaf += 1) {
      free.add(bytes.readUInt32BE(start + 8 + 4 * leaf));
    }
    trunk = bytes.readUInt32BE(start);
  }
  const all = Array.from({ length: bytes.length / size }, (_, page) => page + 1);
  return all.filter((page) => !free.has(page));
}

/** Copies a file with single bits of its used pages flipped. */
export function writeFlipped(
  from: string,
  to: string,
  { bits, next }: { bits: number; next: () => number },
): void {
  const bytes = readFileSync(from);
  const pages = usedPages(bytes);
  const size = pageSize(bytes);
  for (let bit = 0; bit < bits; bit += 1) {
    const page = pages[next() % pages.length] ?? 1;
    const within = page === 1 ? HEADER_BYTES + (next() % (size - HEADER_BYTES)) : next() % size;
    const at = (page - 1) * size + within;
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (next() % 8));
  }
  writeFileSync(to, bytes);
}

/** Names of the tables whose rows differ or cannot be read. */
export function alteredTables(original: string, copy: string): string[] {
  using one = new DatabaseSync(original, { readOnly: true });
  const tables = one
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .all()
    .map(({ name }) => String(name));
  const before = new Map(tables.map((table) => [table, rowsOf(one, table)]));
  try {
    using other = new DatabaseSync(copy, { readOnly: true });
    return tables.filter((table) => rowsOf(other, table) !== before.get(table));
  } catch {
    return tables;
  }
}

/** Ids of the items that the original lists and the copy does not. */
export function unlistedItems(original: string, copy: string): string[] {
  const listed = itemIds(copy);
  return [...itemIds(original)].filter((id) => !listed.has(id));
}

/** Ids of the items of a file, as an index lists them. */
export function itemIds(file: string): Set<string> {
  using db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare("SELECT id FROM items ORDER BY id").all();
  return new Set(rows.map(({ id }) => String(id)));
}

/** Whether the checks of the sweep find damage. */
export function isFound(file: string): boolean {
  try {
    using db = new DatabaseSync(file, { readOnly: true });
    for (const place of checkDatabase(db)) if (place !== null) return true;
    return false;
  } catch {
    return true;
  }
}

function rowsOf(db: DatabaseSync, table: string): string {
  try {
    const rows = db.prepare(`SELECT * FROM "${table}"`).all();
    return JSON.stringify(rows, (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
    );
  } catch (error) {
    return `cannot be read: ${error}`;
  }
}

function pageSize(bytes: Buffer): number {
  const size = bytes.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}
