import { revokeKey } from "../access/keys/key-changes.ts";
import { shownKey } from "../access/keys/key-lists.ts";
import { openStore } from "../app/store.ts";
import type { CommandContext } from "./terminal.ts";

/** `commonplace keys revoke ID`: a running server refuses the key from its next request on. */
export async function revokeCommand(
  id: string,
  flags: { why?: string; json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openStore(config);
  const now = new Date();
  const key = await revokeKey(record.keys, { kind: "operator" }, id, { now, why: flags.why ?? "" });
  if (flags.json === true) terminal.out(JSON.stringify(shownKey(key, now)));
  else terminal.out(`Revoked ${key.id} (${key.name})`);
  return 0;
}
