import type { ContentTypes } from "../../content/types/content-type.ts";
import { numberOf } from "../sqlite/columns.ts";
import type { StatementCache } from "../sqlite/statements.ts";
import { sortKey } from "./values.ts";

const NAMES_MAX = 20_000;

/**
 * Tests whether a name belongs to exactly one item of the types that are targets of relations.
 */
export class UniqueNameChecker {
  readonly #sql: StatementCache;
  #targetTypes = "[]";
  /** Whether each tested name is unique. Cleared on every change of published content. */
  readonly #known = new Map<string, boolean>();

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  useTypes(types: ContentTypes): void {
    const relations = [...types.values()].flatMap((type) => Object.values(type.relations));
    this.#targetTypes = JSON.stringify([...new Set(relations.map(({ target }) => target))]);
    this.forget();
  }

  forget(): void {
    this.#known.clear();
  }

  has(name: string): boolean {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const isUnique = this.#count(sortKey(name)) === 1;
    if (this.#known.size >= NAMES_MAX) this.#known.clear();
    this.#known.set(name, isUnique);
    return isUnique;
  }

  /** Counts the items with this name, up to two. */
  #count(key: string): number {
    if (key === "") return 0;
    const found = this.#sql
      .of(
        `SELECT count(*) AS n FROM (SELECT DISTINCT row FROM reading_value
         WHERE type IN (SELECT value FROM json_each(?)) AND name IN ('title', 'name') AND value = ?
         LIMIT 2)`,
      )
      .get(this.#targetTypes, key);
    return numberOf(found ?? {}, "n");
  }
}
