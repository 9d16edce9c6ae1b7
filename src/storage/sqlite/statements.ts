import type { DatabaseSync, StatementSync } from "node:sqlite";

import { registerRowHash } from "./row-hash.ts";

const STATEMENTS_MAX = 300;

/**
 * Prepares each text once; the texts come from a bounded set of shapes, values are always bound. A bound
 * limit is written `LIMIT +?`: SQLite plans by the value of a bare limit, so it would compile the
 * statement again each time it runs, which costs more than most of them take.
 */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    registerRowHash(db);
    this.#db = db;
  }

  of(sql: string): StatementSync {
    return this.#prepared.get(sql) ?? this.#prepare(sql);
  }

  /** One that gives rows as lists, which takes a quarter less than objects where columns are many. */
  listing(sql: string): StatementSync {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  }

  #prepare(sql: string): StatementSync {
    if (this.#prepared.size >= STATEMENTS_MAX) this.#prepared.clear();
    const statement = this.#db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
