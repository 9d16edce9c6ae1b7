import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/**
 * Loads the rows of a store into an empty one with bare prepared statements, in a separate process and in
 * transactions of this many items: STORE COPY TYPE ITEMS. Items of other types are loaded first. The index of
 * words is left out, because its rows belong to no item.
 */

/** Each table with the column that has the id of its item, or a number in order. */
const TABLES: Readonly<Record<string, string>> = {
  items: "id",
  path_claims: "item_id",
  relations: "from_id",
  revisions: "item_id",
  audit: "number",
  reading_row: "row",
  reading_item: "row",
  reading_body: "row",
  reading_related: "row",
  reading_value: "row",
  reading_link: "source",
  reading_indexed: "row",
};

const [store = "", copy = "", type = "", items = ""] = process.argv.slice(2);
const BLOCK_ITEMS = Number(items);
const source = new DatabaseSync(store, { readOnly: true });
const target = new DatabaseSync(copy, { enableForeignKeyConstraints: true });
target.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
target.exec("PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 8000");
createTables();
const inserts = new Map(Object.keys(TABLES).map((table) => [table, insertInto(table)]));
const rows = rowsByItem();
load(rows.filter(({ type: own }) => own !== type));
const measured = rows.filter(({ type: own }) => own === type);
const cpu = process.cpuUsage();
const begun = performance.now();
load(measured);
const seconds = (performance.now() - begun) / 1000;
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(
  JSON.stringify({ items: measured.length, seconds, cpuSeconds: (user + system) / 1e6 }),
);

interface ItemRows {
  type: string;
  tables: Map<string, SQLInputValue[][]>;
  /** For the index of names, which stores no rows. */
  row: number;
  title: string;
}

function createTables(): void {
  const made = source.prepare("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").all();
  const virtual = made.filter(({ sql }) => String(sql).startsWith("CREATE VIRTUAL"));
  for (const { name, sql } of made) {
    const isShadow = virtual.some((table) => String(name).startsWith(`${table["name"]}_`));
    if (!isShadow && !String(name).startsWith("sqlite_")) target.exec(String(sql));
  }
}

function insertInto(table: string) {
  const columns = source.prepare(`SELECT * FROM ${table} LIMIT 1`).columns().length;
  return target.prepare(`INSERT INTO ${table} VALUES (${Array(columns).fill("?").join(", ")})`);
}

function rowsByItem(): ItemRows[] {
  const items = source
    .prepare(
      `SELECT i.id, i.type, r.row, i.title FROM items i
       JOIN reading_row r ON r.item_id = i.id ORDER BY i.id`,
    )
    .all();
  const found = items.map(
    ({ type: own, row, title }): ItemRows => ({
      type: String(own),
      tables: new Map(),
      row: Number(row),
      title: String(title),
    }),
  );
  const byKey = new Map<unknown, ItemRows>();
  for (const [at, item] of found.entries()) {
    byKey.set(items[at]?.["id"], item).set(item.row, item);
  }
  for (const [table, key] of Object.entries(TABLES)) {
    for (const [at, row] of source
      .prepare(`SELECT * FROM ${table} ORDER BY ${key}`)
      .all()
      .entries()) {
      const item = table === "audit" ? found[at] : byKey.get(row[key]);
      if (item === undefined) continue;
      const own = item.tables.get(table) ?? [];
      own.push(Object.values(row));
      item.tables.set(table, own);
    }
  }
  return found;
}

function load(items: readonly ItemRows[]): void {
  const name = target.prepare("INSERT INTO reading_name_trigram (rowid, name) VALUES (?, ?)");
  for (let from = 0; from < items.length; from += BLOCK_ITEMS) {
    const block = items.slice(from, from + BLOCK_ITEMS);
    target.exec("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON");
    for (const [table, insert] of inserts) {
      for (const { tables } of block) {
        for (const row of tables.get(table) ?? []) insert.run(...row);
      }
    }
    for (const { row, title } of block) name.run(row, title);
    target.exec("COMMIT");
  }
}
