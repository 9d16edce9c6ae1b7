import type { CompiledQuery, Kysely } from "kysely";
import { runCompiled } from "./sync-adapter.ts";
import type { RecordTables } from "./tables.ts";

interface Compiled<Row> {
  compile(): CompiledQuery<Row>;
}

/**
 * Builds and compiles a query once per engine: building one costs ten times as much as running it on
 * SQLite. The values in `build` are placeholders.
 */
export function compiledQuery<Row>(
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

/** `values` are the parameters in the order of the SQL. */
export function fetchRows<Row>(
  db: Kysely<RecordTables>,
  query: (db: Kysely<RecordTables>) => Compiled<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return runCompiled(db, query(db).compile(), values);
}
