export type Engine = "SQLite" | "PostgreSQL";

let engine: Engine = "SQLite";

/** The engine that holds the record in the tests of this process. */
export function testedEngine(): Engine {
  return engine;
}

/** Sets the engine. Call it before the test files are imported. */
export function testOn(chosen: Engine): void {
  engine = chosen;
}

/** Options that skip a test on PostgreSQL, because it depends on SQLite, for example on the file. */
export function onlyOnSqlite(): { skip?: string } {
  return engine === "SQLite" ? {} : { skip: "tests what only SQLite has" };
}
