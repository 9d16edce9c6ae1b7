import { type CompiledQuery, type Kysely, SqliteAdapter } from "kysely";
import type { RecordTables } from "./tables.ts";

/** The connection of an engine that runs queries synchronously. */
export interface SyncConnection {
  /** Runs a query with these parameters in place of the compiled ones. */
  rows<Row>(query: CompiledQuery<Row>, values: readonly unknown[]): Row[];
}

/** Gives {@link runCompiled} the connection, so that it can bypass Kysely's async driver. */
export class SyncAdapter extends SqliteAdapter {
  readonly connection: SyncConnection;

  constructor(connection: SyncConnection) {
    super();
    this.connection = connection;
  }
}

/**
 * Runs a compiled query with these parameters. On SQLite it bypasses Kysely's driver, whose overhead is
 * as high as the cost of most queries.
 */
export async function runCompiled<Row>(
  db: Kysely<RecordTables>,
  query: CompiledQuery<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const { adapter } = db.getExecutor();
  if (adapter instanceof SyncAdapter) return adapter.connection.rows(query, values);
  return (await db.executeQuery<Row>({ ...query, parameters: values })).rows;
}
