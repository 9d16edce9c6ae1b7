import { revokeKey, revokeKeysOfHolder } from "../access/keys/key-changes.ts";
import { toKeyWithStatus } from "../access/keys/key-lists.ts";
import { openRecordForCommand } from "../app/store.ts";
import type { CommandContext } from "./terminal.ts";

/** `commonplace keys revoke ID`: a running server refuses the next request with the key. */
export async function runRevokeKeyCommand(
  id: string,
  flags: { why?: string; json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const now = new Date();
  const key = await revokeKey(record.keys, { kind: "operator" }, id, { now, why: flags.why ?? "" });
  if (flags.json === true) terminal.out(JSON.stringify(toKeyWithStatus(key, now)));
  else terminal.out(`Revoked ${key.id} (${key.name})`);
  return 0;
}

/** `commonplace keys revoke-all HOLDER`: revokes every key with this contact or owner. */
export async function runRevokeAllKeysCommand(
  holder: string,
  { why = "", json }: { why?: string; json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const now = new Date();
  const keys = await revokeKeysOfHolder(record.keys, { kind: "operator" }, holder, { now, why });
  if (json === true)
    terminal.out(JSON.stringify({ keys: keys.map((key) => toKeyWithStatus(key, now)) }));
  else if (keys.length === 0) terminal.out("No working key has this contact or owner");
  else for (const { id, name } of keys) terminal.out(`Revoked ${id} (${name})`);
  return 0;
}
