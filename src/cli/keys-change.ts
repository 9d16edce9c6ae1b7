import { requireKnownTools } from "../access/keys/key-attributes.ts";
import { changeKey, type KeyChange } from "../access/keys/key-changes.ts";
import { toKeyWithStatus } from "../access/keys/key-lists.ts";
import { TOOL_NAMES } from "../app/door-dependencies.ts";
import { openRecordForCommand } from "../app/store.ts";
import { readSiteTimeZone } from "../content/site/time-zone.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { type KeyTermFlags, keyTermsFromFlags } from "./key-terms.ts";
import { formatKeyLines } from "./keys-inspect.ts";
import type { CommandContext } from "./terminal.ts";

export interface ChangeKeyFlags extends KeyTermFlags {
  name?: string;
  owner?: string;
  contact?: string;
  purpose?: string;
  tool?: string[];
  json?: boolean;
}

/** `commonplace keys change ID`: takes effect on a running server with the next request. */
export async function runChangeKeyCommand(
  id: string,
  flags: ChangeKeyFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  if (Object.keys(flags).every((flag) => flag === "json")) {
    throw new AppError(
      "invalid",
      englishOnlyWording("Cannot change a key: say what, as --name or --scope"),
    );
  }
  await using record = await openRecordForCommand(config);
  const change = changeOf(flags, await readSiteTimeZone(record.content));
  const now = new Date();
  const key = await changeKey(record.keys, { kind: "operator" }, id, { change, now });
  const shown = toKeyWithStatus(key, now);
  if (flags.json === true) terminal.out(JSON.stringify(shown));
  else for (const line of formatKeyLines(shown)) terminal.out(line);
  return 0;
}

function changeOf(
  { name, owner, contact, purpose, tool, ...flags }: ChangeKeyFlags,
  timeZone: string,
): KeyChange {
  const tools = tool?.includes("any") === true ? [] : tool;
  requireKnownTools(tools ?? [], TOOL_NAMES);
  return {
    ...(tools === undefined ? {} : { tools }),
    ...(name === undefined ? {} : { name }),
    ...(owner === undefined ? {} : { owner }),
    ...(contact === undefined ? {} : { contact }),
    ...(purpose === undefined ? {} : { purpose }),
    ...keyTermsFromFlags(flags, timeZone),
  };
}
