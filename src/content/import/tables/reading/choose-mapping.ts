import type { TableMapping } from "../../../site/import-choices/table-mappings.ts";
import type { ContentTypes } from "../../../types/content-type.ts";
import { guessMapping } from "../mapping-guess.ts";
import type { TableRow } from "../table.ts";
import type { TableHeader } from "../table-header.ts";

/** The caller's choices for a table. */
export interface MappingChoices {
  /** Returns the chosen targets, keyed by column. Throws if the table lacks a chosen column. */
  places: (columns: readonly string[]) => ReadonlyMap<string, string>;
  /** A mapping to use in place of the saved or guessed one. */
  mapping?: TableMapping;
  /** The content type of the rows. */
  type?: string;
}

/**
 * Returns the saved mapping of the table with this name, if the table still has the columns of the mapping.
 * Otherwise, returns the saved mapping of a table with the same columns. Null: there is no suitable mapping.
 */
export function findSavedMapping(
  tables: Readonly<Record<string, TableMapping>>,
  name: string,
  columns: readonly string[],
): { name: string; mapping: TableMapping } | null {
  const fits = ({ columns: mapped, knownBy }: TableMapping) =>
    [...Object.keys(mapped), ...knownBy].every((column) => columns.includes(column));
  const sameName = Object.hasOwn(tables, name) ? tables[name] : undefined;
  if (sameName !== undefined && fits(sameName)) return { name, mapping: sameName };
  const sameColumns = Object.entries(tables).find(
    ([, mapping]) => fits(mapping) && columns.every((column) => column in mapping.columns),
  );
  return sameColumns === undefined ? null : { name: sameColumns[0], mapping: sameColumns[1] };
}

/**
 * Chooses the caller's mapping, or else the saved mapping, or else a guess. Then applies the targets that the
 * caller chose for single columns.
 *
 * @throws {AppError} `invalid`.
 */
export function chooseMapping(
  rows: readonly TableRow[],
  {
    heading,
    types,
    fileName,
    saved,
  }: {
    heading: TableHeader;
    types: ContentTypes;
    /** The file's name without its extension. */
    fileName: string;
    saved: TableMapping | undefined;
  },
  { places, mapping, type }: MappingChoices,
): TableMapping {
  const chosen = places(heading.columns);
  const base = mapping ?? saved;
  if (base !== undefined && (type === undefined || type === base.type)) {
    return withTargets(base, chosen);
  }
  const guess = guessMapping(heading, rows, { types, fileName, type, chosen });
  return withTargets({ ...guess, knownBy: base?.knownBy ?? [] }, chosen);
}

/**
 * Adds to a mapping the targets that the caller chose. Other columns with these targets are no longer mapped.
 */
function withTargets(mapping: TableMapping, chosen: ReadonlyMap<string, string>): TableMapping {
  const assigned = new Set([...chosen.values()].filter((place) => place !== "-"));
  const rest = Object.entries(mapping.columns).filter(([, place]) => !assigned.has(place));
  return { ...mapping, columns: { ...Object.fromEntries(rest), ...Object.fromEntries(chosen) } };
}
