import Papa from "papaparse";
import {
  collected,
  NO_TARGET,
  type ReadLine,
  type RedirectList,
  statusFault,
} from "./redirect-rule.ts";

const FROM =
  /^(?:from|old|source|alt|von|quelle|origin|ancien)(?:[ _-]?(?:url|path|address|adresse))?$/i;
const TO =
  /^(?:to|new|target|destination|neu|nach|ziel|nouveau)(?:[ _-]?(?:url|path|address|adresse))?$/i;
const STATUS = /^(?:status|code|type|http[ _-]?status)(?:[ _-]?code)?$/i;
const ADDRESS = /^(?:\/|https?:\/\/)/i;

/** Whether a table is a list of redirects, by the names of its columns or its first row. */
export function isRedirectTable(text: string): boolean {
  const { data } = Papa.parse<string[]>(text, { preview: 1, skipEmptyLines: "greedy" });
  const [first = []] = data;
  return columnsOf(first) !== null || (first.length >= 2 && first.slice(0, 2).every(isAddress));
}

/** Reads rows of a former address, its target and perhaps a status. */
export function readRedirectTable(text: string): RedirectList {
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: false });
  const [first = []] = data;
  const named = columnsOf(first);
  const columns = named ?? { from: 0, to: 1, status: 2 };
  const lines = data.map((row, at): ReadLine | null => {
    const line = at + 1;
    const isHeader = named !== null && at === 0;
    if (isHeader || row.every((cell) => cell.trim() === "")) return null;
    const [from, to] = [row[columns.from]?.trim() ?? "", row[columns.to]?.trim() ?? ""];
    const fault = statusFault(row[columns.status]?.trim() || "301");
    if (fault !== null) return { line, ...fault };
    if (from === "")
      return { line, reason: { en: "names no address", de: "nennt keine Adresse" }, isLost: true };
    if (to === "") return { line, reason: NO_TARGET, isLost: true };
    return { rules: [{ line, from, to }] };
  });
  return collected(lines);
}

function columnsOf(header: readonly string[]): { from: number; to: number; status: number } | null {
  const at = (name: RegExp) => header.findIndex((cell) => name.test(cell.trim()));
  const [from, to] = [at(FROM), at(TO)];
  return from === -1 || to === -1 ? null : { from, to, status: at(STATUS) };
}

function isAddress(cell: string): boolean {
  return ADDRESS.test(cell.trim());
}
