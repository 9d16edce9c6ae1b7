import type { Wording } from "../../../errors.ts";

export interface RowProblem {
  message: Wording;
  severity: "error" | "warning";
}

/** A row of a table as text, with the problems of its cells. */
export interface TableRow {
  /** Line of the file on which the row begins, or the number of the row in its sheet; from 1. */
  line: number;
  cells: readonly string[];
  /** Problems with single cells; the row is still imported. */
  problems: readonly RowProblem[];
}

/** A table that can be read more than once, row by row. Empty rows are left out. */
export interface Table {
  rows(): AsyncIterable<TableRow>;
  /** Describes the format, such as `cells are separated by ";"`. */
  form: Wording;
  /** Parts of the file that are left out, by kind, with counts. */
  leftOut: readonly OmittedTablePart[];
}

export interface OmittedTablePart {
  what: Wording;
  count: number;
  reason: Wording;
  /** Whether the parts are content whose absence readers would notice. */
  isContent: boolean;
}

/** Limit on the characters of a row. It allows a text of 1 MiB and other fields. */
export const ROW_CHARACTERS_MAX = 4 * 1024 * 1024;
export const COLUMNS_MAX = 500;

/**
 * The name of a column in spreadsheets: `A`, `AB`.
 *
 * @param at the index of the column, from 0.
 */
export function columnLetters(at: number): string {
  const leading = Math.floor(at / 26);
  return (leading === 0 ? "" : columnLetters(leading - 1)) + String.fromCharCode(65 + (at % 26));
}
