import type { DatabaseSync, StatementSync } from "node:sqlite";

let commits = 0;

/** To be called at every commit of this process. */
export function countCommit(): void {
  commits += 1;
}

/** How many commits of this process were noted so far. */
export function commitCount(): number {
  return commits;
}

/**
 * SQLite's counter of commits by other connections to the file, whichever process they belong to.
 * It is looked up once for all that happens in one turn of the event loop, such as requests that
 * arrived together; within a turn only a commit of this process is waited for by anybody.
 */
export function dataVersionOf(db: DatabaseSync): () => number {
  return onceATurn(currentDataVersion(db), { begin() {}, end() {} });
}

/**
 * The record's own count of changes of keys, looked up as seldom. The connection that writes is asked
 * whenever it is in no transaction: what it wrote itself it need not read from the file again.
 */
export function keysVersionOf({
  writing,
  reading,
}: {
  writing: DatabaseSync;
  reading: DatabaseSync;
}): () => number {
  const own = numberFrom(writing, "SELECT version FROM key_state");
  const committed = numberFrom(reading, "SELECT version FROM key_state");
  return onceATurn(() => (writing.isTransaction ? committed() : own()), { begin() {}, end() {} });
}

/** What a connection reads at one time, until `end` at the latest. */
export interface Snapshots {
  version: () => number;
  end(): void;
}

/**
 * The same counter, with everything that is read in the turn from one snapshot: a page of several
 * statements is of one moment, and SQLite takes its lock once instead of for each of them, which costs
 * more than finding a row. Nothing but `version` may begin a transaction on the connection.
 */
export function snapshotsOf(db: DatabaseSync): Snapshots {
  const [beginning, ending] = [db.prepare("BEGIN"), db.prepare("COMMIT")];
  let isOpen = false;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    endReading(db, ending);
  };
  const begin = () => {
    end();
    beginning.get();
    isOpen = true;
  };
  return { version: onceATurn(currentDataVersion(db), { begin, end }), end };
}

/** A fault of the file may have ended the transaction, or keep it from ending in order. */
function endReading(db: DatabaseSync, ending: StatementSync): void {
  try {
    if (db.isTransaction) ending.get();
  } catch {
    // Nothing was written. What is damaged is reported by whoever reads it.
    if (db.isTransaction) db.exec("ROLLBACK");
  }
}

/** The counter looked up each time, which within a transaction costs a tenth of reading a row. */
export function currentDataVersion(db: DatabaseSync): () => number {
  return numberFrom(db, "PRAGMA data_version");
}

function numberFrom(db: DatabaseSync, sql: string): () => number {
  const statement = db.prepare(sql);
  // An array is made faster than an object.
  statement.setReturnArrays(true);
  return () => Number(statement.get()?.[0]);
}

function onceATurn(
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
