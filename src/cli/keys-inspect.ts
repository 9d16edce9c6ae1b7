import { inspectKey, type KeyWithStatus, toKeyWithStatus } from "../access/keys/key-lists.ts";
import { openRecordForCommand } from "../app/store.ts";
import { type CommandContext, formatNameValueLines } from "./terminal.ts";

/** Runs `commonplace keys inspect ID`. */
export async function runInspectKeyCommand(
  id: string,
  flags: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const key = await inspectKey(record.keys, { kind: "operator" }, id);
  const shown = toKeyWithStatus(key, new Date());
  if (flags.json === true) terminal.out(JSON.stringify(shown));
  else for (const line of formatKeyLines(shown)) terminal.out(line);
  return 0;
}

/** The details of a key, as lines of text for people to read. */
export function formatKeyLines(key: KeyWithStatus): string[] {
  return formatNameValueLines([
    ["Key", key.id],
    ["Name", key.name],
    ["Status", key.status],
    ["May", key.scopes.join(", ")],
    ["Rate", `${key.ratePerMinute} requests a minute`],
    ["Networks", key.networks.join(", ") || "any"],
    ["Tools", key.scopes.includes("mcp:read") ? key.tools.join(", ") || "any" : ""],
    ["Expires", key.expiresAt ?? "never"],
    ["Owner", key.owner],
    ["Contact", key.contact],
    ["Purpose", key.purpose],
    ["Issued", `${key.createdAt} by ${key.createdBy}`],
    ["Replaces", key.rotatedFrom ?? ""],
    ["Last used", key.lastUsedAt ?? "never"],
    ["Revoked", key.revokedAt === null ? "" : `${key.revokedAt} ${key.revokedWhy ?? ""}`],
  ]);
}
