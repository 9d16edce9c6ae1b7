import { listAdmins } from "../access/people/admins.ts";
import type { Admin } from "../access/people/people-stores.ts";
import { openRecordForCommand } from "../app/store.ts";
import { type CommandContext, formatTableLines } from "./terminal.ts";

const PAGE_SIZE = 1000;

/** Runs `commonplace admins list`. */
export async function runListAdminsCommand(
  flags: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const all: Admin[] = [];
  for (let hasMore = true; hasMore; ) {
    const query = { after: all.at(-1)?.id ?? null, limit: PAGE_SIZE };
    const page = await listAdmins(record.admins, { kind: "operator" }, query);
    all.push(...page.admins);
    hasMore = page.hasMore;
  }
  if (flags.json === true) terminal.out(JSON.stringify({ admins: all }));
  else if (all.length === 0) terminal.out("There are no administrators yet");
  else for (const line of formatTableLines(rows(all))) terminal.out(line);
  return 0;
}

function rows(admins: readonly Admin[]): string[][] {
  const heading = ["ID", "STATE", "ROLE", "CREATED", "LAST LOGIN", "E-MAIL", "NAME"];
  return [
    heading,
    ...admins.map(({ id, state, role, createdAt, lastLoginAt, email, name }) => [
      id,
      state,
      role,
      createdAt.slice(0, 10),
      lastLoginAt?.slice(0, 10) ?? "-",
      email,
      name,
    ]),
  ];
}
