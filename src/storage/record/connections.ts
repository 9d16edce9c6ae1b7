import type { Kysely } from "kysely";
import { AppError } from "../../errors.ts";
import { isFull } from "../sqlite-faults.ts";
import type { RecordTables } from "./tables.ts";

const POSTGRES_FULL = "53100";

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
    async transact(change) {
      try {
        return await writer.transaction().execute(change);
      } catch (error) {
        throw wordedFault(error);
      }
    },
  };
}

/** What to tell of an error of the store: a full disk is nobody's fault and passes. */
export function wordedFault(error: unknown): unknown {
  return isOutOfRoom(error) ? outOfRoom(error) : error;
}

function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isFull(error) || ("code" in error && error.code === POSTGRES_FULL);
}

function outOfRoom(cause: unknown): AppError {
  return new AppError("unavailable", "The disk is full: nothing was changed. Make room on it", {
    cause,
  });
}

/** For a store within a transaction: its changes are parts of that one. */
export function connectionsWithin(transaction: Kysely<RecordTables>): Connections {
  return { reader: transaction, transact: (change) => change(transaction) };
}
