import type { AdjacentItems, ItemSummary, ListPage, ListQuery } from "../../../content/library.ts";
import {
  BEST_FIRST_SORT,
  type ContentType,
  type ContentTypes,
  sortOrdersOf,
} from "../../../content/types/content-type.ts";
import { numberOf } from "../../sqlite/columns.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import { COLLECTED_ROWS_MAX, ConditionRowCounts } from "../counts/condition-sizes.ts";
import { countedRelationViews } from "../counts/counted-views.ts";
import { wrongRowError } from "../hashed-rows.ts";
import type { PublishedItems } from "../items.ts";
import { buildListConditionsForType, type ListCondition } from "./conditions.ts";
import {
  isSortValueOptional,
  type Ordering,
  orderedRowsSql,
  readsDescending,
  selectionRowsSql,
} from "./list-rows.ts";
import { sortKeyName, type TypeSelection } from "./list-sources.ts";
import {
  findConditionInAddedOrder,
  findPlaceCondition,
  findSoleOrderedCondition,
  hasLink,
} from "./ordered-conditions.ts";
import {
  countPublishedItemsByType,
  readStoredRowCount,
  requireMatchingItems,
  requireWholePage,
  wrongCountError,
} from "./row-count-checks.ts";

const PLANS_MAX = 1000;

/**
 * Rows to cache from the start of each list. Lists that appear on many pages show at most this many
 * rows.
 */
const BEGINNING_ROWS_MAX = 10;

interface Plan {
  selections: CountedSelection[];
  /** Null until needed, because counting the rows of a long list takes milliseconds. */
  total: number | null;
  /** First rows of the list, ascending; null until needed. */
  beginning: FoundRow[] | null;
}

interface CountedSelection extends TypeSelection {
  /**
   * Number of rows that match the selection; null if choosing `collected` did not require counting
   * them.
   */
  rows: number | null;
}

interface FoundRow {
  row: number;
  value: string | number | null;
}

export class PublishedItemLists {
  readonly #sql: StatementCache;
  readonly #items: PublishedItems;
  readonly #sizes: ConditionRowCounts;
  #types: ContentTypes = new Map();
  /** Plans, keyed by query. Cleared on every change of published content. */
  readonly #plans = new Map<string, Plan>();

  constructor(sql: StatementCache, items: PublishedItems) {
    this.#sql = sql;
    this.#items = items;
    this.#sizes = new ConditionRowCounts(sql);
  }

  useTypes(types: ContentTypes): void {
    this.#types = types;
    this.forgetTotals();
  }

  forgetTotals(): void {
    this.#sizes.forget();
    this.#plans.clear();
  }

  list(query: ListQuery): ListPage {
    const plan = this.#plan(query);
    plan.total ??= plan.selections.reduce((sum, selection) => sum + this.#count(selection), 0);
    // Reads one row more than requested, to find out whether there is a next page.
    const found = this.#rows(plan.selections, { ...query, limit: query.limit + 1 });
    requireWholePage(query, { rows: found.length, total: plan.total });
    const page = found.slice(0, query.limit);
    const last = page.at(-1);
    return {
      items: this.#summaries(page, plan.selections),
      total: plan.total,
      next: found.length > query.limit && last !== undefined ? last : null,
    };
  }

  items(query: ListQuery): ItemSummary[] {
    const plan = this.#plan(query);
    const found = isBeginning(query)
      ? this.#beginning(plan, query).slice(0, query.limit)
      : this.#rows(plan.selections, query);
    return this.#summaries(found, plan.selections);
  }

  #summaries(found: readonly FoundRow[], selections: readonly TypeSelection[]): ItemSummary[] {
    const items = this.#items.listed(found.map(({ row }) => row));
    requireMatchingItems(items, selections);
    return items;
  }

  /** Returns the first rows of a list. Caches them, because many pages show the same list. */
  #beginning(plan: Plan, query: ListQuery): FoundRow[] {
    plan.beginning ??= this.#rows(plan.selections, { ...query, limit: BEGINNING_ROWS_MAX });
    return plan.beginning;
  }

  adjacentItems(path: string, query: Omit<ListQuery, "limit">): AdjacentItems {
    const row = this.#items.rowAt(path);
    if (row === null) return { before: null, after: null };
    const { selections } = this.#plan({ ...query, limit: 1 });
    const found = this.#sql
      .of("SELECT value FROM reading_value WHERE row = ? AND name = ?")
      .get(row, sortKeyName(selections[0], query.sort))?.["value"];
    const value = typeof found === "string" || typeof found === "number" ? found : null;
    const next = (descending: boolean) =>
      this.#rows(selections, { ...query, descending, after: { value, row }, limit: 1 });
    const before = next(!query.descending);
    const items = this.#summaries([...before, ...next(query.descending)], selections);
    return {
      before: before.length === 0 ? null : (items[0] ?? null),
      after: items[before.length] ?? null,
    };
  }

  #plan(query: ListQuery): Plan {
    const { types, sort, filters, links, language, notLanguages, updatedSince, exceptPaths } =
      query;
    const languages = [language, notLanguages];
    const key = JSON.stringify([types, sort, filters, links, languages, updatedSince, exceptPaths]);
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const plan = { selections: this.#selections(query), total: null, beginning: null };
    if (this.#plans.size >= PLANS_MAX) this.#plans.clear();
    this.#plans.set(key, plan);
    return plan;
  }

  #selections(query: ListQuery): CountedSelection[] {
    const names = query.types.length === 0 ? [...this.#types.keys()] : query.types;
    return names.flatMap((name): CountedSelection[] => {
      const type = this.#types.get(name);
      if (type === undefined || !this.#canSort(type, query.sort)) return [];
      const conditions = buildListConditionsForType(type, query, {
        items: this.#items,
        types: this.#types,
      });
      if (conditions === null) return [];
      const ranked = query.sort === BEST_FIRST_SORT ? (conditions.find(hasLink) ?? null) : null;
      const placed = findPlaceCondition(type, conditions, query.sort);
      const sole = findSoleOrderedCondition(conditions, ranked ?? placed);
      const fewest = sole === null ? this.#narrowest(type, conditions) : null;
      const collected =
        sole ?? fewest?.condition ?? ranked ?? findConditionInAddedOrder(conditions, query.sort);
      const isWhole = conditions.length === 1 && fewest?.condition.link !== undefined;
      return [{ type, conditions, collected, ranked, placed, rows: isWhole ? fewest.rows : null }];
    });
  }

  #canSort(type: ContentType, sort: string): boolean {
    if (sortOrdersOf(type).includes(sort)) return true;
    return countedRelationViews(this.#types, type.name).some(
      (view) => sort === `count:${view.name}`,
    );
  }

  #narrowest(
    type: ContentType,
    conditions: readonly ListCondition[],
  ): { condition: ListCondition; rows: number } | null {
    const narrow = conditions.filter(({ isBroad }) => isBroad !== true);
    const sizes = narrow.map((condition) => ({ condition, rows: this.#sizes.of(type, condition) }));
    const [fewest] = sizes.sort((a, b) => a.rows - b.rows);
    return fewest !== undefined && fewest.rows <= COLLECTED_ROWS_MAX ? fewest : null;
  }

  /**
   * Returns the number of rows of a selection. If the stored count is small, checks that the index has the
   * same number of rows. Counting more rows would hold up the event loop.
   */
  #count(selection: CountedSelection): number {
    if (selection.rows !== null) return selection.rows;
    const { type, conditions } = selection;
    if (conditions.length === 0) return countPublishedItemsByType(this.#sql).get(type.name) ?? 0;
    const stored = readStoredRowCount(this.#sql, selection);
    if (stored !== null && stored > COLLECTED_ROWS_MAX) return stored;
    const collected = selection.collected ?? conditions[0] ?? null;
    const rows = this.#countRows({ ...selection, collected });
    if (stored !== null && rows !== stored) throw wrongCountError(selection);
    if (stored === null && rows <= COLLECTED_ROWS_MAX) this.#requireSameCount(selection, rows);
    return rows;
  }

  /**
   * Verifies a count by counting again, with tests of the items' own columns instead of the stored
   * values.
   */
  #requireSameCount(selection: TypeSelection, rows: number): void {
    const { collected } = selection;
    const tested = selection.conditions.filter((each) => each !== collected);
    if (collected === null || tested.every(({ columnTest }) => columnTest === undefined)) return;
    const byColumns = tested.map((each) => ({
      ...each,
      ...each.columnTest,
      languageTest: undefined,
    }));
    const conditions = [collected, ...byColumns];
    if (this.#countRows({ ...selection, conditions }) === rows) return;
    throw wrongRowError("reading_value", selection.type.name);
  }

  #countRows(selection: TypeSelection): number {
    const { text, parameters } = selectionRowsSql(selection);
    const counted = this.#sql.of(`SELECT count(*) AS n FROM (${text})`).get(...parameters);
    return numberOf(counted ?? {}, "n");
  }

  /** Returns the requested rows. Items without a sort value come last, read in a second step. */
  #rows(selections: TypeSelection[], query: ListQuery): FoundRow[] {
    const { after, offset = 0, limit } = query;
    if (selections.length === 0) return [];
    if (after?.value === null)
      return this.#step(selections, query, { offset, limit, missing: true });
    const found = this.#step(selections, query, { offset, limit, missing: false });
    if (found.length >= limit || !isSortValueOptional(query.sort)) return found;
    const skipped = offset === 0 || found.length > 0 ? 0 : this.#countPresent(selections, query);
    return [
      ...found,
      ...this.#step(
        selections,
        { ...query, after: undefined },
        {
          missing: true,
          offset: found.length > 0 ? 0 : Math.max(0, offset - skipped),
          limit: limit - found.length,
        },
      ),
    ];
  }

  #step(
    selections: TypeSelection[],
    query: Ordering,
    { missing, offset, limit }: { missing: boolean; offset: number; limit: number },
  ): FoundRow[] {
    const parts = selections.map((selection) => orderedRowsSql(selection, query, missing));
    const direction = readsDescending(query) ? "DESC" : "ASC";
    // With an order by row alone, SQLite reads an index instead of sorting.
    const order =
      query.sort === "added" ? `row ${direction}` : `value ${direction}, row ${direction}`;
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

  #countPresent(selections: TypeSelection[], query: ListQuery): number {
    const parts = selections.map((selection) =>
      orderedRowsSql(selection, { ...query, after: undefined }, false),
    );
    const text = `SELECT count(*) AS n FROM (${parts.map((part) => part.text).join(" UNION ALL ")})`;
    const parameters = parts.flatMap((part) => part.parameters);
    return numberOf(this.#sql.of(text).get(...parameters) ?? {}, "n");
  }
}

function isBeginning({ descending, after, offset = 0, limit }: ListQuery): boolean {
  return !descending && after === undefined && offset === 0 && limit <= BEGINNING_ROWS_MAX;
}
