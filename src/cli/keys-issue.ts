import type { Scope } from "../access/actor.ts";
import { requireKnownTools } from "../access/keys/key-attributes.ts";
import { toKeyWithStatus } from "../access/keys/key-lists.ts";
import { type IssuedKey, issueKey } from "../access/keys/keys.ts";
import { TOOL_NAMES } from "../app/door-dependencies.ts";
import { openRecordForCommand } from "../app/store.ts";
import { readSiteTimeZone } from "../content/site/time-zone.ts";
import { expiryDate } from "./key-terms.ts";
import type { DayOrTime } from "./option-values.ts";
import type { CommandContext } from "./terminal.ts";

export interface IssueKeyFlags {
  name: string;
  scope?: Scope[];
  rate?: number;
  expires?: DayOrTime;
  owner?: string;
  contact?: string;
  purpose?: string;
  network?: string[];
  tool?: string[];
  json?: boolean;
}

/** `commonplace keys issue`: prints the key, which is never shown again. */
export async function runIssueKeyCommand(
  flags: IssueKeyFlags,
  context: CommandContext,
): Promise<number> {
  const { name, scope = ["mcp:read"], rate, expires, network, owner, contact, purpose } = flags;
  const { tool: tools = [] } = flags;
  requireKnownTools(tools, TOOL_NAMES);
  await using record = await openRecordForCommand(context.config);
  const timeZone = await readSiteTimeZone(record.content);
  const issued = await issueKey(
    record.keys,
    { kind: "operator" },
    {
      name,
      scopes: [...new Set(scope)],
      ...(owner === undefined ? {} : { owner }),
      ...(contact === undefined ? {} : { contact }),
      ...(purpose === undefined ? {} : { purpose }),
      ...(rate === undefined ? {} : { ratePerMinute: rate }),
      ...(expires === undefined ? {} : { expiresAt: expiryDate(timeZone, expires) }),
      ...(network === undefined ? {} : { networks: network }),
      tools,
    },
    new Date(),
  );
  printIssuedKey(issued, flags.json === true, context);
  return 0;
}

/** Prints only the key to standard output, for scripts, and notes for people to standard error. */
export function printIssuedKey(
  { key, record }: IssuedKey,
  asJson: boolean,
  { terminal }: CommandContext,
): void {
  if (asJson) {
    const { id, ...rest } = toKeyWithStatus(record, new Date());
    terminal.out(JSON.stringify({ id, key, ...rest }));
    return;
  }
  terminal.err(`Key ${record.id} (${record.name}), shown this once: keep it safe`);
  terminal.out(key);
  terminal.err(`May: ${record.scopes.join(", ")}; ${record.ratePerMinute} requests a minute`);
  terminal.err("Send it as the header  Authorization: Bearer <key>");
}
