import type { Client } from "pg";
import { KEYED_TABLES, type KeyedTable } from "../record/keyed-tables.ts";

/**
 * Returns two lists of statements. `drop` removes the indexes and foreign keys, because they slow down
 * a bulk load. `create` recreates them.
 */
export async function listIndexAndForeignKeyStatements(
  client: Client,
): Promise<{ drop: string[]; create: string[] }> {
  const tables = KEYED_TABLES.map(({ name }) => name);
  const keys = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name,
       pg_get_constraintdef(c.oid) AS definition
     FROM pg_constraint c JOIN pg_class t ON t.oid = conrelid
     WHERE contype = 'f' AND t.relnamespace = current_schema()::regnamespace
       AND t.relname = ANY($1) ORDER BY 1, 2`,
    [tables],
  );
  // Omits unique indexes, because they belong to constraints.
  const indexes = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index i JOIN pg_class t ON t.oid = indrelid
     WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = ANY($1)
       AND NOT i.indisunique ORDER BY 1`,
    [tables],
  );
  return {
    drop: [
      ...keys.rows.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
      ...indexes.rows.map(({ name }) => `DROP INDEX ${name}`),
    ],
    create: [
      ...indexes.rows.map(({ definition }) => definition),
      ...keys.rows.map(
        ({ table, name, definition }) =>
          `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`,
      ),
    ],
  };
}

/** Sets the table's sequence, so that the next row gets `number` + 1. */
export async function setSequence(
  client: Client,
  { name }: KeyedTable,
  number: number,
): Promise<void> {
  await client.query(
    "SELECT setval(pg_get_serial_sequence($1, 'number'), greatest($2::bigint, 1), $2::bigint > 0)",
    [name, number],
  );
}

/**
 * Statements to run after all rows are loaded. They set the next item number and the time of the
 * last public change. This time comes from the items, because the change log is still empty.
 */
export const AFTER_LOAD_STATEMENTS: readonly string[] = [
  `SELECT setval(pg_get_serial_sequence('items', 'number'), max(number)) FROM items
   HAVING max(number) IS NOT NULL`,
  `UPDATE change_state SET updated_at = greatest(updated_at, (
     SELECT max(i.updated_at) FROM items i LEFT JOIN path_claims c ON c.path = i.path AND c.item_id = i.id
     WHERE i.status = 'published' OR (i.status IN ('archived', 'deleted') AND c.was_public = 1)))`,
];
