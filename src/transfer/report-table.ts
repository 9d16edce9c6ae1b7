import Papa from "papaparse";
import type { FiledProblem, ItemOutcome } from "../content/import/import-items.ts";

const COLUMNS = [
  ...["file", "line", "title", "path", "type", "outcome", "changed", "kept", "field"],
  ...["message", "message (de)"],
] as const;

/** The first line of a whole report, a CSV table of items and problems in the order in which they were found. */
export const REPORT_HEADINGS = csvLine(COLUMNS);

/** The line of an item. */
export function outcomeLine({ changed = [], kept = [], ...outcome }: ItemOutcome): string {
  return rowOf({ ...outcome, changed: changed.join(" "), kept: kept.join(" ") });
}

/** The line of a problem; its outcome is `error` or `warning`. */
export function problemLine({ severity, message, ...problem }: FiledProblem): string {
  return rowOf({ ...problem, outcome: severity, message: message.en, "message (de)": message.de });
}

function rowOf(cells: Partial<Record<(typeof COLUMNS)[number], string | number | null>>): string {
  return csvLine(COLUMNS.map((column) => cells[column] ?? ""));
}

/** Formulas are escaped: titles come from other sites, and the table is opened in spreadsheets. */
function csvLine(cells: readonly (string | number)[]): string {
  return `${Papa.unparse([[...cells]], { escapeFormulae: true })}\r\n`;
}
