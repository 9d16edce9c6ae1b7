import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { type CommandLine, openCommandLine } from "./command-line.ts";
import { png } from "./media-bytes.ts";

const FIXTURE = join(import.meta.dirname, "fixture");
/** Columns with 32-bit integers or booleans in PostgreSQL. */
const SMALL_NUMBERS = new Set([
  "failures",
  "interruptions",
  "status",
  "is_to_stop",
  "is_on",
  "is_backed_up",
  "in_trash",
  "count",
  "version",
  "base_revision",
  "hash",
]);
/** Characters that an engine might store differently. */
const AWKWARD_TITLE = `"quoted" \\back\\slash\\u0000 'single' {curly,NULL} – 日本語 𝔘 😀`;
const AWKWARD = `${AWKWARD_TITLE} \t tab, \r\n line`;

/** A data folder with rows in every table of the record, and with media and job files. */
export async function openFullStore(): Promise<CommandLine> {
  const line = openCommandLine();
  const commands: (readonly string[])[] = [
    ["import", FIXTURE],
    ["import", line.file("awkward.jsonl", awkwardItems())],
    ["media", "add", line.file("dot.png", png(3, 2))],
    ["keys", "issue", "--name", AWKWARD_TITLE, "--scope", "mcp:read"],
    ["keys", "issue", "--name", "Second", "--scope", "mcp:read"],
    ["api", "POST", "/redirects", "--data", '{"from":"/2019/old.html","to":"/about"}'],
  ];
  for (const words of commands) {
    const { code, err } = await line.run(...words);
    assert.equal(code, 0, `${words.join(" ")}: ${err}`);
  }
  const file = join(line.folder, "data/commonplace.db");
  {
    using db = new DatabaseSync(file, { enableForeignKeyConstraints: true });
    fillEmptyTables(db);
    // A number must never be assigned again, even after its row is deleted.
    db.exec("DELETE FROM searches WHERE number = (SELECT max(number) FROM searches)");
    const [job] = db.prepare("SELECT id FROM jobs").all();
    const jobs = join(line.folder, "data/jobs");
    mkdirSync(jobs, { recursive: true });
    writeFileSync(
      join(jobs, `${String(job?.["id"])}.jsonl`),
      '{"title":"A line"}\n'.repeat(99_999),
    );
    writeFileSync(join(jobs, `${String(job?.["id"])}.result.zip`), "");
  }
  return line;
}

/** Enlarges a store, by number and by size of rows, so that moving it takes a while. */
export function enlarge(file: string, entries: number): void {
  using db = new DatabaseSync(file);
  db.exec(`INSERT INTO audit (at, actor, action, target)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${entries})
    SELECT '2026-11-21T12:00:00.000Z', 'operator', 'item.save', 'item ' || i FROM n`);
  db.exec(`INSERT INTO revisions (item_id, revision, at, actor, action, item)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
    SELECT (SELECT min(id) FROM items), 1000 + i, '2026-11-21T12:00:00.000Z', 'operator', 'save',
      hex(randomblob(500000)) FROM n`);
}

function awkwardItems(): string {
  const items = [
    {
      type: "topic",
      sourceKey: "a1",
      path: "/topics/awkward",
      title: AWKWARD_TITLE,
      body: AWKWARD,
    },
    {
      type: "topic",
      sourceKey: "a2",
      path: "/topics/日本",
      title: "𝔘 after \uFFFD",
      body: "x".repeat(700_000),
    },
    { type: "topic", sourceKey: "a3", path: "/topics/draft", title: "Draft", status: "draft" },
  ];
  return items.map((item) => `${JSON.stringify({ status: "published", ...item })}\n`).join("");
}

/**
 * Inserts two rows into each table that the commands left empty: one with all columns, one with as many nulls
 * as possible.
 */
function fillEmptyTables(db: DatabaseSync): void {
  const referredTables = db.prepare('SELECT DISTINCT "table" FROM pragma_foreign_key_list(?)');
  const filled = new Set<string>();
  const fill = (table: string) => {
    if (filled.has(table)) return;
    filled.add(table);
    for (const key of referredTables.all(table)) fill(String(key["table"]));
    if (db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined) return;
    for (const row of [1, 2]) insertRow(db, table, row);
  };
  for (const table of recordTables(db)) fill(table);
}

function insertRow(db: DatabaseSync, table: string, row: number): void {
  const references = new Map(
    db
      .prepare('SELECT "from", "table" FROM pragma_foreign_key_list(?)')
      .all(table)
      .map((key) => [String(key["from"]), String(key["table"])]),
  );
  const columns = db
    .prepare('SELECT name, type, "notnull" AS is_needed, pk FROM pragma_table_info(?)')
    .all(table);
  const values = columns.map((column): SQLInputValue => {
    const name = String(column["name"]);
    if (row === 2 && column["is_needed"] === 0 && column["pk"] === 0) return null;
    const referred = references.get(name);
    if (referred !== undefined) {
      const ids = db.prepare(`SELECT id FROM ${referred} LIMIT 1 OFFSET ?`);
      return String(ids.get(row - 1)?.["id"]);
    }
    if (column["type"] === "INTEGER") {
      return SMALL_NUMBERS.has(name) ? 1 : 4_102_444_800_000 + row;
    }
    if (name === "id") return `01900000-0000-7000-8000-00000000000${row}`;
    return `${name} ${row} ${AWKWARD}`;
  });
  db.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => "?").join()})`).run(...values);
}

/** The tables of the record, except for those derived from others. */
export function recordTables(db: DatabaseSync): string[] {
  return db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !/^(?:reading|sqlite_|migrations$)/.test(name));
}
