import type { Kysely } from "kysely";
import { storeClosedError } from "./group-commit.ts";
import type { RecordTables } from "./tables.ts";

/** Read and write access of a store to the tables of the record. */
export interface Connections {
  /**
   * Reads committed data and, inside a transaction, also the changes that the transaction has made.
   */
  reader: Kysely<RecordTables>;
  /** Runs a change in a new transaction, or inside the current one. */
  transact: <T>(change: (db: Kysely<RecordTables>) => Promise<T>) => Promise<T>;
}

/** Runs each change in its own transaction, one at a time. */
export function createPerChangeConnections(
  reader: Kysely<RecordTables>,
  writer: Kysely<RecordTables>,
): Connections {
  return {
    reader,
    transact: async (change) => await writer.transaction().execute(change),
  };
}

/** Wraps connections so that they refuse changes once `close` is called. */
export function createClosableConnections({
  reader,
  transact,
}: Connections): Connections & { close(): void } {
  let isClosed = false;
  return {
    reader,
    transact: async (change) => {
      if (isClosed) throw storeClosedError();
      return await transact(change);
    },
    close: () => {
      isClosed = true;
    },
  };
}

/** Runs every change inside the given transaction. */
export function createTransactionConnections(transaction: Kysely<RecordTables>): Connections {
  return { reader: transaction, transact: (change) => change(transaction) };
}
