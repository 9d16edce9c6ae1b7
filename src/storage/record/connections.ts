import type { Kysely } from "kysely";
import type { RecordTables } from "./tables.ts";

/** How a store of the record reaches its tables. */
export interface Connections {
  /** Sees what is committed; within a transaction, that and the transaction's own changes. */
  reader: Kysely<RecordTables>;
  /** Runs a change as one transaction, or as a part of the one under way. */
  transact: <T>(change: (db: Kysely<RecordTables>) => Promise<T>) => Promise<T>;
}

/** For a store of its own: each change is a transaction, one after the other. */
export function connectionsOf(
  reader: Kysely<RecordTables>,
  writer: Kysely<RecordTables>,
): Connections {
  return {
    reader,
    transact: async (change) => await writer.transaction().execute(change),
  };
}

/** For a store within a transaction: its changes are parts of that one. */
export function connectionsWithin(transaction: Kysely<RecordTables>): Connections {
  return { reader: transaction, transact: (change) => change(transaction) };
}
