import type { CompiledQuery, Kysely } from "kysely";
import { runCompiled } from "./direct.ts";
import type { RecordTables } from "./tables.ts";

interface Compiled<Row> {
  compile(): CompiledQuery<Row>;
}

/**
 * A query that is built and compiled once for each engine, for what is asked at every write: building
 * one takes ten times as long as SQLite takes to answer it. The values it is built with are left aside.
 */
export function compiledOnce<Row>(
  build: (db: Kysely<RecordTables>) => Compiled<Row>,
): (db: Kysely<RecordTables>) => Compiled<Row> {
  const byEngine = new WeakMap<object, Compiled<Row>>();
  return (db) => {
    const engine = db.getExecutor().adapter;
    const known = byEngine.get(engine);
    if (known !== undefined) return known;
    const query = build(db).compile();
    const compiled = { compile: () => query };
    byEngine.set(engine, compiled);
    return compiled;
  };
}

/** The rows a query gives for these values, which stand in the order of its SQL. */
export function rowsFor<Row>(
  db: Kysely<RecordTables>,
  query: (db: Kysely<RecordTables>) => Compiled<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return runCompiled(db, query(db).compile(), values);
}
