import {
  type CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
} from "kysely";
import type { RecordTables } from "./tables.ts";

/** Of an engine with one connection, which answers at once: what is compiled needs no way round it. */
export class DirectAdapter extends SqliteAdapter {
  readonly #isInTransaction: () => boolean;
  #connection: DatabaseConnection | null = null;

  constructor(isInTransaction: () => boolean) {
    super();
    this.#isInTransaction = isInTransaction;
  }

  connected(connection: DatabaseConnection): void {
    this.#connection = connection;
  }

  /** Null before the first query. @throws when the transaction `db` stands for has ended. */
  connectionFor({ isTransaction }: Kysely<RecordTables>): DatabaseConnection | null {
    if (isTransaction && !this.#isInTransaction()) throw new Error("The transaction has ended");
    return this.#connection;
  }
}

/**
 * Runs what is compiled, on SQLite straight on its connection: Kysely's way there takes as long as
 * most of the answers.
 */
export async function runCompiled<Row>(
  db: Kysely<RecordTables>,
  query: CompiledQuery<Row>,
): Promise<QueryResult<Row>> {
  const { adapter } = db.getExecutor();
  const direct = adapter instanceof DirectAdapter ? adapter.connectionFor(db) : null;
  return await (direct ?? db).executeQuery<Row>(query);
}
