import Papa from "papaparse";
import { writtenFormerAddress, writtenPath } from "../content/addresses/written-address.ts";
import type { Snapshot } from "./snapshot.ts";

/** The redirects that do not lead to an item, as a CSV table for an import; null if there are none. */
export async function redirectTable(snapshot: Snapshot): Promise<string | null> {
  const redirects = await snapshot.redirects();
  if (redirects.length === 0) return null;
  const rows = redirects.map(({ from, to }) => ({
    from: writtenFormerAddress(from),
    to: to.startsWith("/") ? writtenPath(to) : to,
  }));
  return `${Papa.unparse(rows, { columns: ["from", "to"], newline: "\n" })}\n`;
}
