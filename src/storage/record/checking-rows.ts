import { type Kysely, sql } from "kysely";
import type { DamageLocation } from "../sqlite/damage.ts";
import { type HashedValue, rowHash } from "../sqlite/row-hash.ts";
import { HASHED_RECORD_TABLES } from "./content/record-hashes.ts";
import { WRONG_COUNTS_SQL } from "./item-counts.ts";
import { KEYED_TABLES, type KeyedTable } from "./keyed-tables.ts";
import { isDatabaseDamage } from "./postgres/connections/database-errors.ts";
import type { RecordTables } from "./tables.ts";

const BATCH_ROWS = 1000;
/** Batch size for tables in which a single row can take up a megabyte. */
const LARGE_BATCH_ROWS = 50;

type CheckedRow = Readonly<Record<string, HashedValue>>;

/**
 * Checks a record in PostgreSQL, in small separate queries. Compares every row with its hash, and the
 * stored counts of items with the items.
 * Yields each damaged row, or the whole table if the database cannot read the table. Yields null after
 * each batch of rows, so that the caller can pause.
 */
export async function* checkRecordRows(
  db: Kysely<RecordTables>,
): AsyncGenerator<DamageLocation | null> {
  for (const table of KEYED_TABLES) yield* checkTable(db, table);
  yield* checkReadable("item_counts", async function* () {
    const { rows } = await sql<{ name: string }>`${sql.raw(WRONG_COUNTS_SQL)}`.execute(db);
    for (const { name } of rows) yield { part: "record", table: "item_counts", row: name };
  });
}

async function* checkTable(
  db: Kysely<RecordTables>,
  table: KeyedTable,
): AsyncGenerator<DamageLocation | null> {
  const { name, key } = table;
  const hashes = Object.entries(
    HASHED_RECORD_TABLES.find((hashed) => hashed.name === name)?.hashes ?? {},
  );
  yield* checkReadable(name, async function* () {
    for await (const rows of batchesOf(db, table)) {
      for (const row of rows) {
        if (hashes.every(([hash, covered]) => isAsWritten(row, hash, covered))) continue;
        yield { part: "record", table: name, row: key.map((column) => row[column]).join(" ") };
      }
      yield null;
    }
  });
}

/** Reports a table if the database itself says that the table is damaged. */
async function* checkReadable(
  table: string,
  check: () => AsyncGenerator<DamageLocation | null>,
): AsyncGenerator<DamageLocation | null> {
  try {
    yield* check();
  } catch (error) {
    if (!isDatabaseDamage(error)) throw error;
    yield { part: "record", table, row: null };
  }
}

/**
 * Whether the row matches its hash. Rows without a hash count as matching, because they were written before
 * hashes existed.
 */
function isAsWritten(row: CheckedRow, hash: string, covered: readonly string[]): boolean {
  const stored = row[hash] ?? null;
  return stored === null || stored === rowHash(...covered.map((column) => row[column] ?? null));
}

async function* batchesOf(
  db: Kysely<RecordTables>,
  { name, key, large }: KeyedTable,
): AsyncGenerator<readonly CheckedRow[]> {
  const limit = large.length > 0 ? LARGE_BATCH_ROWS : BATCH_ROWS;
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const order = key.length > 0 ? sql`ORDER BY ${columns}` : sql``;
  for (let after = sql``; ; ) {
    const query = sql<CheckedRow>`SELECT * FROM ${sql.table(name)} ${after} ${order} LIMIT ${limit}`;
    const { rows } = await query.execute(db);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    after = sql`WHERE (${columns}) > (${sql.join(key.map((column) => last[column]))})`;
  }
}
