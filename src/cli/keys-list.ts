import { type KeyWithStatus, listKeys, toKeyWithStatus } from "../access/keys/key-lists.ts";
import type { KeyReader } from "../access/keys/keys.ts";
import { openRecordForCommand } from "../app/store.ts";
import { type CommandContext, formatTableLines } from "./terminal.ts";

const PAGE_SIZE = 1000;

/** Runs `commonplace keys list`. */
export async function runListKeysCommand(
  flags: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const shown = await allKeys(record.keys, new Date());
  if (flags.json === true) terminal.out(JSON.stringify({ keys: shown }));
  else if (shown.length === 0) terminal.out("No keys have been issued");
  else for (const line of formatTableLines(rows(shown))) terminal.out(line);
  return 0;
}

async function allKeys(reader: KeyReader, now: Date): Promise<KeyWithStatus[]> {
  const all: KeyWithStatus[] = [];
  for (;;) {
    const after = all.at(-1)?.id;
    const query = { limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) };
    const { keys, hasMore } = await listKeys(reader, { kind: "operator" }, query, now);
    all.push(...keys.map((key) => toKeyWithStatus(key, now)));
    if (!hasMore) return all;
  }
}

function rows(keys: readonly KeyWithStatus[]): string[][] {
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
