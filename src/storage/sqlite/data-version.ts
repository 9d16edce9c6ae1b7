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
 * Returns a function that returns SQLite's counter of commits by other connections, in any process. It
 * reads the counter once per turn of the event loop, so that requests that arrived together share a read.
 * After a commit of this process, it reads the counter again in the same turn.
 */
export function createPerTurnDataVersionReader(db: DatabaseSync): () => number {
  return oncePerTurn(createPerCallDataVersionReader(db), { begin() {}, end() {} });
}

/**
 * Returns a function that returns the record's counter of key changes, read once per turn like
 * `createPerTurnDataVersionReader`. Reads through `writeConnection`, which need not reread its own writes from the
 * file. While `writeConnection` is in a transaction, reads through `readConnection`, which sees only
 * committed changes.
 */
export function createPerTurnKeysVersionReader({
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
 * Like `createPerTurnDataVersionReader`, but all reads of a turn see one snapshot, so that a page read by several
 * statements is consistent. SQLite then locks the file once per turn rather than once per statement. A
 * lock costs more than finding a row. Only `version` may begin transactions on the connection.
 */
export function createSnapshotPerTurn(db: DatabaseSync): SnapshotPerTurn {
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
  return { version: oncePerTurn(createPerCallDataVersionReader(db), { begin, end }), end };
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

/**
 * Returns a function that reads SQLite's counter of commits by other connections on every call. Within
 * a transaction, a call costs a tenth of reading a row.
 */
export function createPerCallDataVersionReader(db: DatabaseSync): () => number {
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
