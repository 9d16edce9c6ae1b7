export type Engine = "SQLite" | "PostgreSQL";

let engine: Engine = "SQLite";

/** The engine on which the tests of this process keep the record. */
export function testedEngine(): Engine {
  return engine;
}

/** To be called before the files with the tests are taken in. */
export function testOn(chosen: Engine): void {
  engine = chosen;
}

/** Options of a test that speaks of what only SQLite has, such as its file. */
export function onlyOnSqlite(): { skip?: string } {
  return engine === "SQLite" ? {} : { skip: "speaks of what only SQLite has" };
}
