import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { formatRedirectTarget } from "../../src/content/addresses/redirect-addresses.ts";
import type { CommandLine } from "./command-line.ts";

/** The target of each redirect, by the address that it redirects. */
export async function redirectsOf(line: CommandLine): Promise<Record<string, string | null>> {
  await using record = await openRecordForCommand(readConfig(line.environment));
  const found = await record.desk.redirects({ limit: 100 });
  const ids = found.flatMap(({ to }) => (to !== null && "itemId" in to ? [to.itemId] : []));
  const items = await record.desk.outlines(ids);
  return Object.fromEntries(
    found.map(({ from, to }) => [
      from,
      to !== null && "itemId" in to ? (items.get(to.itemId)?.path ?? "") : formatRedirectTarget(to),
    ]),
  );
}
