import type { CompiledQuery, InsertObject, Kysely } from "kysely";
import type { RecordTables } from "./tables.ts";

/** The parameters of one query that is to be run many times; the driver of each engine knows how. */
export class ManyRows {
  readonly rows: readonly (readonly unknown[])[];

  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows;
  }
}

/**
 * Runs a query once for each list of parameters, at the cost of building one. The parameters it was
 * built with are left aside.
 *
 * @returns all rows it gives, in order.
 */
export async function executeMany<Row>(
  db: Kysely<RecordTables>,
  query: { compile(): CompiledQuery<Row> },
  parameters: readonly (readonly unknown[])[],
): Promise<Row[]> {
  if (parameters.length === 0) return [];
  const compiled: CompiledQuery<Row> = {
    ...query.compile(),
    parameters: [new ManyRows(parameters)],
  };
  const { rows } = await db.executeQuery(compiled);
  return rows;
}

/** All rows must have the same columns, in the same order. */
export async function insertMany<Table extends keyof RecordTables>(
  db: Kysely<RecordTables>,
  table: Table,
  rows: readonly InsertObject<RecordTables, Table>[],
): Promise<void> {
  const [sample] = rows;
  if (sample === undefined) return;
  const values = rows.map((row) => Object.values(row));
  await executeMany(db, db.insertInto(table).values(sample), values);
}
