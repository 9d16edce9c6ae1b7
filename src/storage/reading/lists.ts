import type { ItemSummary, ListPage, ListQuery, Position } from "../../content/library.ts";
import { type ContentType, type ContentTypes, sortsOf } from "../../content/types/content-type.ts";
import { numberOf } from "../sqlite/columns.ts";
import type { Statements } from "../sqlite/statements.ts";
import { type Condition, conditionsOn, type Parameter } from "./conditions.ts";
import type { Items } from "./items.ts";
import { countedViews } from "./link-counts.ts";
import { MISSING } from "./values.ts";

/** From this many matches on, walking the requested order and testing each item is cheaper. */
const GATHERED_ROWS_MAX = 2000;
const PLANS_MAX = 1000;

/** The part of a list that one type contributes. */
interface Arm {
  type: ContentType;
  conditions: Condition[];
  /** The condition whose rows are collected and then sorted; null: the order is walked. */
  gathered: Condition | null;
}

interface Plan {
  arms: Arm[];
  total: number;
}

interface Sql {
  text: string;
  parameters: Parameter[];
}

interface FoundRow {
  row: number;
  value: string | number | null;
}

export class Lists {
  readonly #sql: Statements;
  readonly #items: Items;
  #types: ContentTypes = new Map();
  /** Cleared on every change of published content. */
  readonly #plans = new Map<string, Plan>();

  constructor(sql: Statements, items: Items) {
    this.#sql = sql;
    this.#items = items;
  }

  useTypes(types: ContentTypes): void {
    this.#types = types;
    this.#plans.clear();
  }

  forgetTotals(): void {
    this.#plans.clear();
  }

  list(query: ListQuery): ListPage {
    const { arms, total } = this.#plan(query);
    const found = arms.length === 0 ? [] : this.#rows(arms, query);
    const page = found.slice(0, query.limit);
    const last = page.at(-1);
    return {
      items: this.#items.summaries(page.map(({ row }) => row)) satisfies ItemSummary[],
      total,
      next: found.length > query.limit && last !== undefined ? last : null,
    };
  }

  #plan(query: ListQuery): Plan {
    const { types, filters, links, language, updatedSince } = query;
    const key = JSON.stringify([types, query.sort, filters, links, language, updatedSince]);
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const arms = this.#arms(query);
    const plan = { arms, total: arms.reduce((sum, arm) => sum + this.#count(arm), 0) };
    if (this.#plans.size >= PLANS_MAX) this.#plans.clear();
    this.#plans.set(key, plan);
    return plan;
  }

  #arms(query: ListQuery): Arm[] {
    const names = query.types.length === 0 ? [...this.#types.keys()] : query.types;
    return names.flatMap((name): Arm[] => {
      const type = this.#types.get(name);
      if (type === undefined || !this.#canSort(type, query.sort)) return [];
      const conditions = conditionsOn(type, query, { items: this.#items, types: this.#types });
      if (conditions === null) return [];
      const gathered = this.#fewest(conditions) ?? inOrder(conditions, query.sort);
      return [{ type, conditions, gathered }];
    });
  }

  #canSort(type: ContentType, sort: string): boolean {
    if (sortsOf(type).includes(sort)) return true;
    return countedViews(this.#types, type.name).some((view) => sort === `count:${view.name}`);
  }

  #fewest(conditions: readonly Condition[]): Condition | null {
    const sizes = conditions.map((condition) => ({ condition, rows: this.#size(condition) }));
    const [fewest] = sizes.sort((a, b) => a.rows - b.rows);
    return fewest !== undefined && fewest.rows <= GATHERED_ROWS_MAX ? fewest.condition : null;
  }

  /** Stops counting at the threshold. */
  #size({ rows, rowsParameters }: Condition): number {
    const text = `SELECT count(*) AS n FROM (${rows} LIMIT ${GATHERED_ROWS_MAX + 1})`;
    return numberOf(this.#sql.of(text).get(...rowsParameters) ?? {}, "n");
  }

  #count(arm: Arm): number {
    if (arm.conditions.length === 0) {
      const items = this.#sql
        .of("SELECT items FROM reading_count WHERE type = ?")
        .get(arm.type.name);
      return items === undefined ? 0 : numberOf(items, "items");
    }
    const gathered = arm.gathered ?? arm.conditions[0] ?? null;
    const { text, parameters } = armRows({ ...arm, gathered });
    const counted = this.#sql.of(`SELECT count(*) AS n FROM (${text})`).get(...parameters);
    return numberOf(counted ?? {}, "n");
  }

  /** Up to one more than the limit. Items without a value come last, in a second step. */
  #rows(arms: Arm[], query: ListQuery): FoundRow[] {
    const { after, offset = 0, limit } = query;
    const rest = { offset, limit: limit + 1 };
    if (after?.value === null) return this.#step(arms, query, { ...rest, missing: true });
    const found = this.#step(arms, query, { ...rest, missing: false });
    if (found.length > limit || !mayBeMissing(query.sort)) return found;
    const skipped = offset === 0 || found.length > 0 ? 0 : this.#countPresent(arms, query);
    return [
      ...found,
      ...this.#step(
        arms,
        { ...query, after: undefined },
        {
          missing: true,
          offset: found.length > 0 ? 0 : Math.max(0, offset - skipped),
          limit: limit + 1 - found.length,
        },
      ),
    ];
  }

  #step(
    arms: Arm[],
    query: Ordering,
    { missing, offset, limit }: { missing: boolean; offset: number; limit: number },
  ): FoundRow[] {
    const parts = arms.map((arm) => orderedRows(arm, query, missing));
    const down = isDown(query) ? "DESC" : "ASC";
    // Ordered by row alone, SQLite reads an index instead of sorting.
    const order = query.sort === "added" ? `row ${down}` : `value ${down}, row ${down}`;
    const text = `${parts.map((part) => part.text).join(" UNION ALL ")}
      ORDER BY ${order} LIMIT +? OFFSET +?`;
    const parameters = [...parts.flatMap((part) => part.parameters), limit, offset];
    return this.#sql
      .of(text)
      .all(...parameters)
      .map(({ row, value }) => ({
        row: Number(row),
        value: typeof value === "string" || typeof value === "number" ? value : null,
      }));
  }

  #countPresent(arms: Arm[], query: ListQuery): number {
    const parts = arms.map((arm) => orderedRows(arm, { ...query, after: undefined }, false));
    const text = `SELECT count(*) AS n FROM (${parts.map((part) => part.text).join(" UNION ALL ")})`;
    const parameters = parts.flatMap((part) => part.parameters);
    return numberOf(this.#sql.of(text).get(...parameters) ?? {}, "n");
  }
}

/** The condition whose rows already come in the requested order, however many there are. */
function inOrder(conditions: readonly Condition[], sort: string): Condition | null {
  if (sort !== "added") return null;
  return conditions.find(({ isExact }) => isExact === true) ?? null;
}

interface Ordering {
  sort: string;
  descending: boolean;
  after?: Position | undefined;
}

/** Counts are stored negated, so most-first is ascending. */
function isDown({ sort, descending }: Ordering): boolean {
  return sort.startsWith("count:") ? !descending : descending;
}

function mayBeMissing(sort: string): boolean {
  return sort !== "added" && sort !== "title" && sort !== "updated" && !sort.startsWith("count:");
}

/** The rows of an arm with their sort keys: either those that have a value or those that have none. */
function orderedRows(arm: Arm, ordering: Ordering, missing: boolean): Sql {
  const { sort, after } = ordering;
  const value = sort === "added" ? "s.row" : "s.value";
  const source = arm.gathered === null ? walked(arm, sort) : gathered(arm, arm.gathered, sort);
  const tests = arm.conditions
    .filter((condition) => condition !== arm.gathered)
    .map((condition) => condition.probe);
  const parameters = [
    ...source.parameters,
    ...arm.conditions
      .filter((condition) => condition !== arm.gathered)
      .flatMap((condition) => condition.probeParameters),
  ];
  if (mayBeMissing(sort)) {
    tests.push(missing ? "s.value = ?" : "s.value < ?");
    parameters.push(MISSING);
  }
  if (after !== undefined) {
    const beyond = isDown(ordering) ? "<" : ">";
    const isByRow = missing || sort === "added";
    tests.push(isByRow ? `s.row ${beyond} ?` : `(${value}, s.row) ${beyond} (?, ?)`);
    parameters.push(...(isByRow ? [after.row] : [after.value ?? MISSING, after.row]));
  }
  const where = tests.map((test) => ` AND ${test}`).join("");
  return { text: `SELECT s.row AS row, ${value} AS value ${source.text}${where}`, parameters };
}

function walked(arm: Arm, sort: string): Sql {
  if (sort === "added") {
    return { text: "FROM reading_item s WHERE s.type = ?", parameters: [arm.type.name] };
  }
  return {
    text: "FROM reading_value s WHERE s.type = ? AND s.name = ?",
    parameters: [arm.type.name, sort],
  };
}

function gathered(arm: Arm, { rows, rowsParameters, isExact }: Condition, sort: string): Sql {
  if (isExact && sort === "added") {
    return { text: `FROM (${rows}) s WHERE TRUE`, parameters: rowsParameters };
  }
  const each = isExact ? rows : `SELECT DISTINCT row FROM (${rows})`;
  const distinct = `FROM (${each}) g CROSS JOIN`;
  if (sort === "added") {
    return {
      text: `${distinct} reading_item s ON s.row = g.row WHERE s.type = ?`,
      parameters: [...rowsParameters, arm.type.name],
    };
  }
  return {
    text: `${distinct} reading_value s ON s.row = g.row AND s.name = ? WHERE s.type = ?`,
    parameters: [...rowsParameters, sort, arm.type.name],
  };
}

function armRows(arm: Arm): Sql {
  return orderedRows(arm, { sort: "added", descending: false }, false);
}
