import type { ListPosition } from "../../../content/library.ts";
import { BEST_FIRST_SORT } from "../../../content/types/content-type.ts";
import { MISSING_VALUE } from "../values.ts";
import type { ConditionTest, ListCondition } from "./conditions.ts";
import {
  buildListSource,
  findOrderedCondition,
  type ListSource,
  type SqlWithParameters,
  type TypeSelection,
} from "./list-sources.ts";

export interface Ordering {
  sort: string;
  descending: boolean;
  after?: ListPosition | undefined;
}

/**
 * Whether stored values are read in descending order. For counts, which are stored negated, this is
 * the opposite of `descending`.
 */
export function readsDescending({ sort, descending }: Ordering): boolean {
  return sort.startsWith("count:") ? !descending : descending;
}

const ALWAYS_PRESENT: ReadonlySet<string> = new Set(["added", "title", "updated", BEST_FIRST_SORT]);

export function isSortValueOptional(sort: string): boolean {
  return !ALWAYS_PRESENT.has(sort) && !sort.startsWith("count:");
}

/**
 * Selects the rows of one type, with the values by which they are ordered. If `missing`, selects
 * only rows without a value; otherwise only rows with a value.
 */
export function orderedRowsSql(
  selection: TypeSelection,
  ordering: Ordering,
  missing: boolean,
): SqlWithParameters {
  const { sort, after } = ordering;
  const value = sort === "added" ? "s.row" : "s.value";
  const ordered = findOrderedCondition(selection, sort);
  const source = buildListSource(selection, { ordered, sort });
  const otherConditions = selection.conditions.filter(
    (each) => each !== selection.collected && each !== ordered,
  );
  const conditionTests = otherConditions.map((condition) => testIn(source, condition));
  const tests = conditionTests.map(({ test }) => test);
  const parameters = [
    ...source.parameters,
    ...conditionTests.flatMap((condition) => condition.parameters),
  ];
  const isFromValue = after !== undefined && !missing && sort !== "added";
  // A cursor in descending order already excludes missing values. An additional test would make
  // SQLite walk from the end of the list to the cursor.
  if (isSortValueOptional(sort) && !(isFromValue && readsDescending(ordering))) {
    tests.push(missing ? "s.value = ?" : "s.value < ?");
    parameters.push(MISSING_VALUE);
  }
  if (after !== undefined) {
    const comparison = readsDescending(ordering) ? "<" : ">";
    tests.push(isFromValue ? `(${value}, s.row) ${comparison} (?, ?)` : `s.row ${comparison} ?`);
    parameters.push(...(isFromValue ? [after.value ?? MISSING_VALUE, after.row] : [after.row]));
  }
  const where = tests.map((test) => ` AND ${test}`).join("");
  return { text: `SELECT s.row AS row, ${value} AS value ${source.text}${where}`, parameters };
}

function testIn(
  { language }: ListSource,
  { probe, probeParameters, languageTest }: ListCondition,
): ConditionTest {
  return language !== null && languageTest !== undefined
    ? languageTest(language)
    : { test: probe, parameters: probeParameters };
}

export function selectionRowsSql(selection: TypeSelection): SqlWithParameters {
  return orderedRowsSql(
    { ...selection, placed: null },
    { sort: "added", descending: false },
    false,
  );
}
