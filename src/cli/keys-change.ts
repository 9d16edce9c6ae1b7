import type { Scope } from "../access/actor.ts";
import { changeKey, type KeyChange } from "../access/key-changes.ts";
import { shownKey } from "../access/key-lists.ts";
import { openStore } from "../app.ts";
import { AppError } from "../errors.ts";
import { keyLines } from "./keys-inspect.ts";
import type { CommandContext } from "./terminal.ts";

export interface ChangeFlags {
  name?: string;
  scope?: Scope[];
  rate?: number;
  expires?: Date | "never";
  owner?: string;
  contact?: string;
  purpose?: string;
  network?: string[];
  json?: boolean;
}

/** `commonplace keys change ID`: a running server knows it from the next request on. */
export async function changeCommand(
  id: string,
  flags: ChangeFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const change = changeOf(flags);
  if (Object.keys(change).length === 0) {
    throw new AppError("invalid", "Cannot change a key: say what, as --name or --scope");
  }
  await using record = await openStore(config);
  const now = new Date();
  const key = await changeKey(record.keys, { kind: "operator" }, id, { change, now });
  const shown = shownKey(key, now);
  if (flags.json === true) terminal.out(JSON.stringify(shown));
  else for (const line of keyLines(shown)) terminal.out(line);
  return 0;
}

function changeOf({ name, owner, contact, purpose, ...flags }: ChangeFlags): KeyChange {
  const { scope, rate, expires, network } = flags;
  return {
    ...(name === undefined ? {} : { name }),
    ...(owner === undefined ? {} : { owner }),
    ...(contact === undefined ? {} : { contact }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(scope === undefined ? {} : { scopes: scope }),
    ...(rate === undefined ? {} : { ratePerMinute: rate }),
    ...(expires === undefined
      ? {}
      : { expiresAt: expires === "never" ? null : expires.toISOString() }),
    ...(network === undefined ? {} : { networks: network.includes("any") ? [] : network }),
  };
}
