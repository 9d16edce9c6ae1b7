import { erasePersonalData } from "../access/personal-data/erasing.ts";
import {
  exportPersonalData,
  hasNoPersonalData,
  type StoredPersonalData,
} from "../access/personal-data/stored-data.ts";
import { openRecordForCommand } from "../app/store.ts";
import type { CommandContext } from "./terminal.ts";

const OPERATOR_ACTOR = { kind: "operator" } as const;

/** `commonplace personal-data export EMAIL`: prints the data as JSON, for the person who asked. */
export async function runExportPersonalDataCommand(
  email: string,
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const now = new Date();
  const kept = await record.atomically((stores) =>
    exportPersonalData(stores, OPERATOR_ACTOR, email, { now }),
  );
  terminal.out(JSON.stringify(kept, null, 2));
  return 0;
}

/** Runs `commonplace personal-data erase EMAIL`. */
export async function runErasePersonalDataCommand(
  email: string,
  { json = false }: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const now = new Date();
  const kept = await record.atomically((stores) =>
    erasePersonalData(stores, OPERATOR_ACTOR, email, { now }),
  );
  if (json) terminal.out(JSON.stringify({ erased: countsIn(kept) }));
  else for (const line of linesOf(kept)) terminal.out(line);
  return 0;
}

function countsIn({ messages, keyRequests, keys, mails, account }: StoredPersonalData) {
  return {
    messages: messages.length,
    keyRequests: keyRequests.length,
    keys: keys.length,
    mails: mails.length,
    account: account !== null,
  };
}

function linesOf(kept: StoredPersonalData): string[] {
  const { messages, keyRequests, keys, mails, account } = countsIn(kept);
  const first = hasNoPersonalData(kept)
    ? "Nothing is kept under this address"
    : `Erased: messages ${messages}, requests for keys ${keyRequests}, keys ${keys} (revoked), mails ${mails}, account ${account ? "closed" : "none"}`;
  const contact =
    "The site gives this address as its contact, on its pages too: change that in the settings";
  return [
    first,
    ...(kept.isSiteContact ? [contact] : []),
    "Backups and published texts are not reached: see docs/people-and-keys.md",
  ];
}
