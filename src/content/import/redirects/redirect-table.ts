import Papa from "papaparse";
import type { Wording } from "../../../errors.ts";
import {
  findRedirectStatusError,
  isGoneStatus,
  NO_TARGET_REASON,
  type ParsedRedirectLine,
} from "./redirect-rule.ts";

const FROM_HEADING =
  /^(?:from|old|source|alt|von|quelle|origin|ancien)(?:[ _-]?(?:url|path|address|adresse))?$/i;
const TO_HEADING =
  /^(?:to|new|target|destination|neu|nach|ziel|nouveau)(?:[ _-]?(?:url|path|address|adresse))?$/i;
const STATUS_HEADING = /^(?:status|code|type|http[ _-]?status)(?:[ _-]?code)?$/i;
const ADDRESS_START = /^(?:\/|https?:\/\/)/i;

/**
 * Whether a table is a list of redirects, judged by its first row: column names, or two addresses.
 */
export function isRedirectTable(text: string): boolean {
  const { data } = Papa.parse<string[]>(text, { preview: 1, skipEmptyLines: "greedy" });
  const [first = []] = data;
  return columnsOf(first) !== null || (first.length >= 2 && first.slice(0, 2).every(isAddress));
}

/**
 * Reads a redirect from each row: former address, target and, optionally, status. Yields null for
 * the heading and for empty rows.
 */
export function* readRedirectTable(
  text: string,
  rowsMax: number,
): Generator<ParsedRedirectLine | null> {
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: false, preview: rowsMax });
  const [first = []] = data;
  const headerColumns = columnsOf(first);
  const columns = headerColumns ?? { from: 0, to: 1, status: 2 };
  for (const [at, row] of data.entries()) {
    const isHeader = headerColumns !== null && at === 0;
    const isEmpty = isHeader || row.every((cell) => cell.trim() === "");
    yield isEmpty ? null : readRow(at + 1, row, columns);
  }
  if (data.length === rowsMax) yield { line: rowsMax, reason: MORE_ROWS, losesRedirect: true };
}

const MORE_ROWS: Wording = {
  en: "and all below it is not read, since the list is too long; split it",
  de: "und alles darunter wird nicht gelesen, weil die Liste zu lang ist; teilen Sie sie auf",
};

function readRow(line: number, row: readonly string[], columns: Columns): ParsedRedirectLine {
  const [from, to] = [row[columns.from]?.trim() ?? "", row[columns.to]?.trim() ?? ""];
  const status = row[columns.status]?.trim() || "301";
  const isGone = isGoneStatus(status);
  const fault = isGone ? null : findRedirectStatusError(status);
  if (fault !== null) return { line, ...fault };
  if (from === "")
    return {
      line,
      reason: { en: "names no address", de: "nennt keine Adresse" },
      losesRedirect: true,
    };
  if (isGone) return { rules: [{ line, from, to: null }] };
  if (to === "") return { line, reason: NO_TARGET_REASON, losesRedirect: true };
  return { rules: [{ line, from, to }] };
}

interface Columns {
  from: number;
  to: number;
  status: number;
}

function columnsOf(header: readonly string[]): Columns | null {
  const at = (name: RegExp) => header.findIndex((cell) => name.test(cell.trim()));
  const [from, to] = [at(FROM_HEADING), at(TO_HEADING)];
  return from === -1 || to === -1 ? null : { from, to, status: at(STATUS_HEADING) };
}

function isAddress(cell: string): boolean {
  return ADDRESS_START.test(cell.trim());
}
