import type { DatabaseSync } from "node:sqlite";

let commits = 0;

/** To be called at every commit of this process. */
export function noteCommit(): void {
  commits += 1;
}

/** How many commits of this process were noted so far. */
export function commitsNoted(): number {
  return commits;
}

/**
 * SQLite's counter of commits by other connections to the file, whichever process they belong to.
 * It is looked up once for all that happens in one turn of the event loop, such as requests that
 * arrived together; within a turn only a commit of this process is waited for by anybody.
 */
export function dataVersionOf(db: DatabaseSync): () => number {
  const statement = db.prepare("PRAGMA data_version");
  let version = -1;
  let commitsSeen = -1;
  let isOfThisTurn = false;
  return () => {
    if (isOfThisTurn && commitsSeen === commits) return version;
    commitsSeen = commits;
    version = Number(statement.get()?.["data_version"]);
    if (!isOfThisTurn) {
      isOfThisTurn = true;
      setImmediate(() => {
        isOfThisTurn = false;
      });
    }
    return version;
  };
}
