import { type CompiledQuery, type Kysely, SqliteAdapter } from "kysely";
import type { RecordTables } from "./tables.ts";

/** An engine with one connection, which answers at once. */
export interface DirectConnection {
  isInTransaction(): boolean;
  /** The rows a query gives for these values, whatever it was compiled with. */
  rows<Row>(query: CompiledQuery<Row>, values: readonly unknown[]): Row[];
}

/** Of such an engine: what is compiled needs no way round its connection. */
export class DirectAdapter extends SqliteAdapter {
  readonly #connection: DirectConnection;

  constructor(connection: DirectConnection) {
    super();
    this.#connection = connection;
  }

  /** @throws when the transaction `db` stands for has ended. */
  connectionFor({ isTransaction }: Kysely<RecordTables>): DirectConnection {
    if (isTransaction && !this.#connection.isInTransaction()) {
      throw new Error("The transaction has ended");
    }
    return this.#connection;
  }
}

/**
 * Runs what is compiled with these values, on SQLite straight on its connection: Kysely's way there
 * takes as long as most of the answers.
 */
export async function runCompiled<Row>(
  db: Kysely<RecordTables>,
  query: CompiledQuery<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const { adapter } = db.getExecutor();
  if (adapter instanceof DirectAdapter) return adapter.connectionFor(db).rows(query, values);
  return (await db.executeQuery<Row>({ ...query, parameters: values })).rows;
}
