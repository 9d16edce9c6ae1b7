import type { DatabaseSync, StatementSync } from "node:sqlite";

let commits = 0;

/** Call after every commit of this process. */
export function incrementCommitCount(): void {
  commits += 1;
}

/** Commits of this process so far. */
export function commitCount(): number {
  return commits;
}

/**
 * Returns a function for SQLite's counter of commits by other connections, in any process. The counter is
 * read once per turn of the event loop, for example for requests that arrived together. It is read again in
 * that turn only after a commit of this process.
 */
export function dataVersionPerTurn(db: DatabaseSync): () => number {
  return oncePerTurn(dataVersionPerCall(db), { begin() {}, end() {} });
}

/**
 * The record's counter of key changes, read once per turn like {@link dataVersionPerTurn}. Prefers the writing
 * connection, which need not reread its own writes from the file. While that connection is in a transaction,
 * uses the reading connection, which sees only committed changes.
 */
export function accessKeysVersionPerTurn({
  writeConnection,
  readConnection,
}: {
  writeConnection: DatabaseSync;
  readConnection: DatabaseSync;
}): () => number {
  const own = numberFrom(writeConnection, "SELECT version FROM key_state");
  const committed = numberFrom(readConnection, "SELECT version FROM key_state");
  return oncePerTurn(() => (writeConnection.isTransaction ? committed() : own()), {
    begin() {},
    end() {},
  });
}

/** Read snapshots of a connection, one for each turn of the event loop. */
export interface SnapshotPerTurn {
  /** The data version; the first call of a turn begins its snapshot. */
  version: () => number;
  /** Ends the snapshot early, before the end of the turn. */
  end(): void;
}

/**
 * Like `dataVersionPerTurn`, with all reads of a turn in one snapshot, so that a page of several statements is
 * consistent. SQLite then locks once rather than for each statement, and a lock costs more than finding a
 * row. Only `version` may begin transactions on the connection.
 */
export function snapshotPerTurn(db: DatabaseSync): SnapshotPerTurn {
  const [beginStatement, commitStatement] = [db.prepare("BEGIN"), db.prepare("COMMIT")];
  let isOpen = false;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    endReading(db, commitStatement);
  };
  const begin = () => {
    end();
    beginStatement.get();
    isOpen = true;
  };
  return { version: oncePerTurn(dataVersionPerCall(db), { begin, end }), end };
}

/** Ends a read transaction, unless a fault of the file has already ended it. */
function endReading(db: DatabaseSync, commitStatement: StatementSync): void {
  try {
    if (db.isTransaction) commitStatement.get();
  } catch {
    // Ignores the error: nothing was written, and reads report damage themselves.
    if (db.isTransaction) db.exec("ROLLBACK");
  }
}

/** Reads the counter on every call; within a transaction this costs a tenth of reading a row. */
export function dataVersionPerCall(db: DatabaseSync): () => number {
  return numberFrom(db, "PRAGMA data_version");
}

function numberFrom(db: DatabaseSync, sql: string): () => number {
  const statement = db.prepare(sql);
  // Arrays are faster to create than objects.
  statement.setReturnArrays(true);
  return () => Number(statement.get()?.[0]);
}

function oncePerTurn(
  lookUp: () => number,
  { begin, end }: { begin(): void; end(): void },
): () => number {
  let version = -1;
  let commitsSeen = -1;
  let isOfThisTurn = false;
  return () => {
    if (isOfThisTurn && commitsSeen === commits) return version;
    begin();
    commitsSeen = commits;
    version = lookUp();
    if (!isOfThisTurn) {
      isOfThisTurn = true;
      setImmediate(() => {
        isOfThisTurn = false;
        end();
      });
    }
    return version;
  };
}
