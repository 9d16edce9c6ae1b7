import type { Wording } from "../../../errors.ts";
import type { ContentTypes } from "../../types/content-type.ts";
import { isColumnName, normalizeColumnName } from "./columns/column-names.ts";
import { isoDateFromText } from "./dates.ts";
import { columnLetters, type TableRow } from "./table.ts";

/** The headings found in the first rows of a table. */
export interface TableHeader {
  /** Names of the columns, all distinct. */
  columns: readonly string[];
  /** Line numbers of the rows that are not content: all rows up to the last heading. */
  lines: ReadonlySet<number>;
  /** Whether a row names the columns; otherwise letters are used as names. */
  isNamed: boolean;
}

/** Limit on the rows above the column names, such as titles and print dates. */
const ROWS_BEFORE_MAX = 10;
const NAME_CHARACTERS_MAX = 80;

/**
 * Finds the row with the column names.
 *
 * @param rows the first rows of the table.
 */
export function findTableHeader(rows: readonly TableRow[], types: ContentTypes): TableHeader {
  const width = columnCount(rows);
  const first = rows.slice(0, ROWS_BEFORE_MAX);
  const scores = first.map(({ cells }) => knownNamesIn(cells, types));
  const best = Math.max(0, ...scores.map(({ known }) => known));
  const knownAt = scores.findIndex(
    ({ known, share }) => known > 0 && known === best && (share >= 0.3 || known >= 3),
  );
  const at = knownAt === -1 ? rowOfUnknownNames(rows) : knownAt;
  if (at === -1) {
    return { columns: uniqueNames([], width), lines: new Set(), isNamed: false };
  }
  const lines = new Set(rows.slice(0, at + 1).map(({ line }) => line));
  // The next two rows are headings too if most of their cells are known column names, as in a table
  // with headings from two programs.
  for (const [after, row] of rows.slice(at + 1, at + 3).entries()) {
    const { known, share } = scores[at + 1 + after] ?? { known: 0, share: 0 };
    if (known < 2 || share < 0.6 || !areNames(row.cells)) break;
    lines.add(row.line);
  }
  const rowAbove = rows[at - 1]?.cells ?? [];
  const names = (rows[at]?.cells ?? []).map((name, column) =>
    fullName(name, column, { above: rowAbove, width }),
  );
  return { columns: uniqueNames(names, width), lines, isNamed: true };
}

/**
 * The number of columns in use. Extra cells in only a few rows are ignored, because they are faults
 * of those rows.
 */
function columnCount(rows: readonly TableRow[]): number {
  const enough = Math.min(3, Math.ceil(rows.length / 5));
  const widths = rows.map(({ cells }) => cells.findLastIndex((cell) => cell.trim() !== "") + 1);
  widths.sort((one, other) => other - one);
  return widths[enough - 1] ?? 0;
}

/**
 * Why a row is refused: its number of cells suggests that values are in the wrong columns. Null: the row is
 * accepted.
 * @param hasAllCells whether the file stores all cells of a row, including empty ones at the end.
 */
export function findCellCountError(
  { cells }: TableRow,
  { columns, isNamed }: TableHeader,
  hasAllCells: boolean,
): Wording | null {
  const extra = cells.slice(columns.length).findIndex((cell) => cell.trim() !== "");
  if (extra !== -1) {
    const cellsFound = columns.length + extra + 1;
    return {
      en: `has ${cellsFound} cells or more where the table has ${columns.length} columns; is a cell with the separator in it not quoted?`,
      de: `hat mindestens ${cellsFound} Zellen, die Tabelle aber ${columns.length} Spalten; steht ein Trennzeichen in einer Zelle ohne Anführungszeichen?`,
    };
  }
  if (hasAllCells && isNamed && cells.length === 1 && columns.length > 1) {
    return {
      en: `is one cell where the table has ${columns.length} columns; is it a remark, or a cell with a line break that is not quoted?`,
      de: `ist eine einzige Zelle, die Tabelle hat aber ${columns.length} Spalten; ist das eine Bemerkung, oder eine Zelle mit Zeilenumbruch ohne Anführungszeichen?`,
    };
  }
  return null;
}

function knownNamesIn(
  cells: readonly string[],
  types: ContentTypes,
): { known: number; share: number } {
  const filled = cells.filter((cell) => cell.trim() !== "");
  const distinct = new Set(filled.map(normalizeColumnName));
  if (distinct.size < 2 && filled.length > 1) return { known: 0, share: 0 };
  const isKnown = (name: string) =>
    name.length <= NAME_CHARACTERS_MAX &&
    (isColumnName(name, types) || isColumnName(name.replace(/[([].*$|\s*\d+$/, ""), types));
  const known = filled.filter(isKnown).length;
  return { known, share: known / Math.max(filled.length, 1) };
}

/**
 * The index of the first row with several cells; -1 if these cells are probably not column names. Column
 * names are short and distinct, and at least one of them is above dates, numbers, URLs or much longer texts.
 */
function rowOfUnknownNames(rows: readonly TableRow[]): number {
  const at = rows.slice(0, ROWS_BEFORE_MAX).findIndex(({ cells }) => countFilledCells(cells) > 1);
  const [head, below] = [rows[at], rows.slice(at + 1)];
  if (head === undefined || below.length === 0 || !areNames(head.cells)) return -1;
  const differs = head.cells.some((name, column) => {
    const values = below.map(({ cells }) => cells[column] ?? "").filter((cell) => cell !== "");
    const mostAre = (test: (value: string) => boolean) =>
      values.length > 0 && values.filter(test).length / values.length > 0.8;
    const average = values.reduce((sum, value) => sum + value.length, 0) / (values.length || 1);
    return (
      name.trim() !== "" &&
      (mostAre((value) => isoDateFromText(value, "day-first") !== null) ||
        mostAre((value) => /^[\d.,\s-]+$/.test(value)) ||
        mostAre((value) => /^https?:/.test(value)) ||
        average > 3 * name.length + 20)
    );
  });
  return differs ? at : -1;
}

function countFilledCells(cells: readonly string[]): number {
  return cells.filter((cell) => cell.trim() !== "").length;
}

function areNames(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  const isName = (cell: string) =>
    cell.length <= NAME_CHARACTERS_MAX &&
    /\p{L}/u.test(cell) &&
    !/^https?:|[.!?…]$/.test(cell) &&
    isoDateFromText(cell, "day-first") === null;
  return new Set(names).size === names.length && names.every(isName);
}

/**
 * The name of a column. If a heading above it spans several columns, the heading is a prefix: `Source:
 * Title`.
 */
function fullName(
  name: string,
  column: number,
  { above, width }: { above: readonly string[]; width: number },
): string {
  const cleanName = name.replace(/\s+/g, " ").trim();
  const group = (above[column] ?? "").replace(/\s+/g, " ").trim();
  const filled = above.filter((cell) => cell.trim() !== "");
  const spans = filled.filter((cell) => cell.trim() === group).length > 1;
  const isTitle = new Set(filled).size === 1 && filled.length >= width;
  if (!spans || isTitle || cleanName === group) return cleanName;
  return cleanName === "" ? group : `${group}: ${cleanName}`;
}

/** Makes the names of columns unique: `Tag`, `Tag (2)`. A column without a name gets its letter. */
function uniqueNames(names: readonly string[], width: number): string[] {
  const used = new Map<string, number>();
  const filled = names.findLastIndex((name) => name !== "") + 1;
  return Array.from({ length: Math.max(width, filled) }, (_none, at) => {
    const name = (names[at] ?? "").slice(0, NAME_CHARACTERS_MAX) || columnLetters(at);
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}
