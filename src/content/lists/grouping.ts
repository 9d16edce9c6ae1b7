import { AppError, englishOnlyWording } from "../../errors.ts";
import type { ReadingCopy } from "../library.ts";
import { filterableFields } from "../types/content-type.ts";
import { relationViews } from "../types/relation-views.ts";
import { findMatchingName, listFilterNames, requireTypes } from "./filters.ts";
import type { GroupingProperty } from "./group-counts.ts";

const OWN_COLUMNS = ["type", "language"] as const;

/**
 * The grouping with this name: `type`, `language`, or the name of a filter of these types in
 * singular or plural.
 *
 * @throws {AppError} `invalid`, naming the possible groupings.
 */
export function requireGrouping(
  reading: ReadingCopy,
  typeNames: readonly string[],
  given: string,
): { name: string; by: GroupingProperty } {
  const allTypes = reading.types();
  const types = requireTypes(allTypes, typeNames);
  const names = listFilterNames(allTypes, types);
  const name = findMatchingName([...names, ...OWN_COLUMNS], given.trim());
  const column = OWN_COLUMNS.find((own) => own === name);
  const field = types.flatMap(filterableFields).find(([known]) => known === name)?.[1];
  const view = types
    .flatMap((type) => relationViews(allTypes, type.name))
    .find((known) => known.name === name);
  if (name !== undefined && field !== undefined) {
    return { name, by: { kind: "field", field: name, valueKind: field.kind } };
  }
  if (name !== undefined && view !== undefined) {
    const { direction, relation, otherType } = view;
    const isSymmetric =
      direction === "out" && types.some(({ relations }) => relations[relation]?.symmetric === true);
    return { name, by: { kind: "relation", direction, relation, otherType, isSymmetric } };
  }
  if (column !== undefined) return { name: column, by: { kind: "own", column } };
  const known = [...OWN_COLUMNS, ...names].join(", ");
  const message = `Cannot count by "${given.slice(0, 80)}": use one of ${known}`;
  throw new AppError("invalid", englishOnlyWording(message), {
    problems: [{ where: "count_by", message: englishOnlyWording(message) }],
  });
}
