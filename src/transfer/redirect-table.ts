import Papa from "papaparse";
import type { Snapshot } from "./snapshot.ts";

/** The redirects that do not lead to an item, as a CSV table for an import; null if there are none. */
export async function redirectTable(snapshot: Snapshot): Promise<string | null> {
  const redirects = await snapshot.redirects();
  if (redirects.length === 0) return null;
  return `${Papa.unparse([...redirects], { columns: ["from", "to"], newline: "\n" })}\n`;
}
