import { parseUtcDayRange } from "../access/days.ts";
import { readKeyUse } from "../access/keys/key-use.ts";
import { openRecordForCommand } from "../app/store.ts";
import { type CommandContext, formatTableLines } from "./terminal.ts";

export interface KeyUsageFlags {
  since?: string;
  until?: string;
  json?: boolean;
}

/** Runs `commonplace keys usage ID`. */
export async function runKeyUsageCommand(
  id: string,
  { json, ...asked }: KeyUsageFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const period = parseUtcDayRange(asked, new Date());
  await using record = await openRecordForCommand(config);
  const use = await readKeyUse(record, { kind: "operator" }, id, period);
  const items = use.map(({ day, tool, count }) => ({ day, tool, count }));
  if (json === true) terminal.out(JSON.stringify({ ...period, items }));
  else if (items.length === 0) {
    terminal.out(`Not used from ${period.since} to ${period.until}`);
  } else {
    const rows = items.map(({ day, tool, count }) => [day, String(count), tool]);
    for (const line of formatTableLines([["DAY", "COUNT", "TOOL"], ...rows])) terminal.out(line);
  }
  return 0;
}
