import { type Key, listKeys } from "../access/keys.ts";
import { openStore } from "../app.ts";
import { type CommandContext, tableLines } from "./terminal.ts";

type KeyStatus = "active" | "expired" | "revoked";

/** A key as an administrator sees it, and whether it opens anything now. */
export function shownKey(key: Key, now: Date): Key & { status: KeyStatus } {
  const isExpired = key.expiresAt !== null && key.expiresAt <= now.toISOString();
  const status = key.revokedAt !== null ? "revoked" : isExpired ? "expired" : "active";
  return { ...key, status };
}

/** `commonplace keys list`. */
export async function listCommand(
  flags: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openStore(config);
  const keys = await listKeys(record.keys, { kind: "operator" });
  const shown = keys.map((key) => shownKey(key, new Date()));
  if (flags.json === true) terminal.out(JSON.stringify({ keys: shown }));
  else if (shown.length === 0) terminal.out("No keys have been issued");
  else for (const line of tableLines(rows(shown))) terminal.out(line);
  return 0;
}

function rows(keys: readonly ReturnType<typeof shownKey>[]): string[][] {
  const heading = ["ID", "STATUS", "CREATED", "LAST USED", "EXPIRES", "RATE", "SCOPES", "NAME"];
  return [
    heading,
    ...keys.map((key) => [
      key.id,
      key.status,
      day(key.createdAt),
      day(key.lastUsedAt),
      day(key.expiresAt),
      String(key.ratePerMinute),
      key.scopes.join(","),
      key.name,
    ]),
  ];
}

function day(time: string | null): string {
  return time?.slice(0, 10) ?? "-";
}
