import Papa from "papaparse";
import { escapePath, formatFormerAddress } from "../content/addresses/address-escaping.ts";
import type { RedirectInput } from "../content/addresses/redirects.ts";

/**
 * Limit on the rows of a table. It is well below the number of redirects that an import reads from one
 * list.
 */
const ROWS_MAX = 10_000;

/**
 * Writes redirects that do not lead to an item as CSV tables for an import, each with up to `ROWS_MAX`
 * rows.
 */
export function formatRedirectTables(redirects: readonly RedirectInput[]): string[] {
  const rows = redirects.map(({ from, to }) => ({
    from: formatFormerAddress(from),
    to: formatRedirectTargetCell(to),
    status: to === null ? "410" : "",
  }));
  const tables: string[] = [];
  for (let at = 0; at < rows.length; at += ROWS_MAX) {
    const some = rows.slice(at, at + ROWS_MAX);
    const isAnyGone = some.some(({ status }) => status !== "");
    const columns = isAnyGone ? ["from", "to", "status"] : ["from", "to"];
    tables.push(`${Papa.unparse(some, { columns, newline: "\n" })}\n`);
  }
  return tables;
}

/** A target as written in tables: a readable path, an absolute URL, or empty for an address that is gone. */
export function formatRedirectTargetCell(to: string | null): string {
  if (to === null) return "";
  return to.startsWith("/") ? escapePath(to) : to;
}
