import { setImmediate as nextTurn } from "node:timers/promises";
import type { CompiledQuery, InsertObject, InsertResult, Kysely } from "kysely";
import { runCompiled } from "./direct.ts";
import type { RecordTables } from "./tables.ts";

/** Takes a millisecond or two; then pages have their turn. */
const RUNS_AT_ONCE = 200;

/** The parameters of one query that is to be run many times; the driver of each engine knows how. */
export class ManyRows {
  readonly rows: readonly (readonly unknown[])[];

  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows;
  }
}

/**
 * Runs a query once for each list of parameters, at the cost of building one. The parameters it was
 * built with are left aside. It inserts one row, updates one by its key, or finds or deletes those
 * with one value.
 *
 * @returns all rows it gives; those of one list in the order of the query.
 */
export function executeMany<Row>(
  db: Kysely<RecordTables>,
  query: { compile(): CompiledQuery<Row> },
  parameters: readonly (readonly unknown[])[],
): Promise<Row[]> {
  if (parameters.length === 0) return Promise.resolve([]);
  if (parameters.length > RUNS_AT_ONCE) return executeInTurns(db, query.compile(), parameters);
  return runCompiled(db, query.compile(), [new ManyRows(parameters)]);
}

async function executeInTurns<Row>(
  db: Kysely<RecordTables>,
  query: CompiledQuery<Row>,
  parameters: readonly (readonly unknown[])[],
): Promise<Row[]> {
  const found: Row[][] = [];
  for (let from = 0; from < parameters.length; from += RUNS_AT_ONCE) {
    if (from > 0) await nextTurn();
    const some = new ManyRows(parameters.slice(from, from + RUNS_AT_ONCE));
    found.push(await runCompiled(db, query, [some]));
  }
  return found.flat();
}

/** All rows of a table must have the same columns, in the same order, whoever inserts them. */
export async function insertMany<Table extends keyof RecordTables>(
  db: Kysely<RecordTables>,
  table: Table,
  rows: readonly InsertObject<RecordTables, Table>[],
): Promise<void> {
  const [sample] = rows;
  if (sample === undefined) return;
  const values = rows.map((row) => Object.values(row));
  const build = () => db.insertInto(table).values(sample).compile();
  await executeMany(db, { compile: () => compiledInsert(db, table, build) }, values);
}

const inserts = new WeakMap<object, Map<string, CompiledQuery<InsertResult>>>();

/** Built and compiled once for each engine and table. */
function compiledInsert(
  db: Kysely<RecordTables>,
  table: string,
  build: () => CompiledQuery<InsertResult>,
): CompiledQuery<InsertResult> {
  const engine = db.getExecutor().adapter;
  const ofEngine = inserts.get(engine) ?? new Map<string, CompiledQuery<InsertResult>>();
  inserts.set(engine, ofEngine);
  const query = ofEngine.get(table) ?? build();
  ofEngine.set(table, query);
  return query;
}
