import { setImmediate as nextTurn } from "node:timers/promises";
import type { CompiledQuery, InsertObject, InsertResult, Kysely } from "kysely";
import { runCompiled } from "./sync-adapter.ts";
import type { RecordTables } from "./tables.ts";

/** Takes a millisecond or two, after which other requests run. */
const RUNS_PER_TURN = 200;

/** Parameter lists for repeated runs of one query; each engine's driver executes them its own way. */
export class ParameterBatch {
  readonly rows: readonly (readonly unknown[])[];

  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows;
  }
}

/**
 * Runs a query once per parameter list but compiles it only once. The parameters it was built with are
 * placeholders. The query must insert a row, update a row by key, or find or delete rows by one value.
 *
 * @returns the rows of all runs; rows of one run are in the order of the query.
 */
export function executeBatch<Row>(
  db: Kysely<RecordTables>,
  query: { compile(): CompiledQuery<Row> },
  parameters: readonly (readonly unknown[])[],
): Promise<Row[]> {
  if (parameters.length === 0) return Promise.resolve([]);
  if (parameters.length > RUNS_PER_TURN) return executeInSlices(db, query.compile(), parameters);
  return runCompiled(db, query.compile(), [new ParameterBatch(parameters)]);
}

async function executeInSlices<Row>(
  db: Kysely<RecordTables>,
  query: CompiledQuery<Row>,
  parameters: readonly (readonly unknown[])[],
): Promise<Row[]> {
  const found: Row[][] = [];
  for (let from = 0; from < parameters.length; from += RUNS_PER_TURN) {
    if (from > 0) await nextTurn();
    const slice = new ParameterBatch(parameters.slice(from, from + RUNS_PER_TURN));
    found.push(await runCompiled(db, query, [slice]));
  }
  return found.flat();
}

/** The compiled insert is cached per table, so all callers must use the same columns in the same order. */
export async function insertBatch<Table extends keyof RecordTables>(
  db: Kysely<RecordTables>,
  table: Table,
  rows: readonly InsertObject<RecordTables, Table>[],
): Promise<void> {
  const [sample] = rows;
  if (sample === undefined) return;
  const values = rows.map((row) => Object.values(row));
  const build = () => db.insertInto(table).values(sample).compile();
  await executeBatch(db, { compile: () => compiledInsert(db, table, build) }, values);
}

const inserts = new WeakMap<object, Map<string, CompiledQuery<InsertResult>>>();

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
