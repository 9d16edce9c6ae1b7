import Papa from "papaparse";
import { writtenFormerAddress, writtenPath } from "../content/addresses/written-address.ts";

/** Well below what an import takes from one list. */
const ROWS_MAX = 10_000;

/** Redirects that do not lead to an item, as CSV tables for an import. */
export function redirectTables(redirects: readonly { from: string; to: string }[]): string[] {
  const rows = redirects.map(({ from, to }) => ({
    from: writtenFormerAddress(from),
    to: writtenTarget(to),
  }));
  const tables: string[] = [];
  for (let at = 0; at < rows.length; at += ROWS_MAX) {
    const some = rows.slice(at, at + ROWS_MAX);
    tables.push(`${Papa.unparse(some, { columns: ["from", "to"], newline: "\n" })}\n`);
  }
  return tables;
}

/** A target as tables state it: a path as people read it, or an absolute URL. */
export function writtenTarget(to: string): string {
  return to.startsWith("/") ? writtenPath(to) : to;
}
