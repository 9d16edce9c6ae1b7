import { type AdminWithCode, inviteAdmin, renewAdminCode } from "../access/people/admin-codes.ts";
import type { Admin } from "../access/people/people-stores.ts";
import type { Role } from "../access/people/roles.ts";
import { openRecordForCommand } from "../app/store.ts";
import type { Config } from "../config.ts";
import { findAdminId } from "./admin-id.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

export interface InviteAdminFlags {
  email: string;
  name: string;
  role: Role;
  json?: boolean;
}

/** `commonplace admins invite`: prints the code with which the person chooses a password. */
export async function runInviteAdminCommand(
  { email, name, role, json }: InviteAdminFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const input = { email, name, role };
  const made = await record.atomically((stores) =>
    inviteAdmin(stores, { kind: "operator" }, input, deliveryOf(config)),
  );
  printCode(made, `Invited ${made.admin.id}`, { config, terminal, json });
  return 0;
}

/** `commonplace admins code WHO`: issues another code for an invitation or a lost password. */
export async function runAdminCodeCommand(
  who: string,
  { json }: { json?: boolean },
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const id = await findAdminId(record.admins, who);
  const made = await record.atomically((stores) =>
    renewAdminCode(stores, { kind: "operator" }, id, deliveryOf(config)),
  );
  printCode(made, `Made a code for ${made.admin.id}`, { config, terminal, json });
  return 0;
}

export function formatAdminLine({ email, name, role, state }: Admin): string {
  return `${name} <${email}>, ${role}${state === "active" ? "" : `, ${state}`}`;
}

function deliveryOf({ origin }: Config) {
  return { now: new Date(), origin, sendsMail: false };
}

function printCode(
  { admin, code, codeExpiresAt }: AdminWithCode,
  done: string,
  { config, terminal, json }: { config: Config; terminal: Terminal; json: boolean | undefined },
): void {
  if (json === true) {
    terminal.out(JSON.stringify({ ...admin, code, codeExpiresAt }));
    return;
  }
  terminal.out(`${done} (${formatAdminLine(admin)})`);
  terminal.out(
    `Hand over this code, to be entered at ${config.origin}/admin/claim by ${codeExpiresAt}:`,
  );
  terminal.out(code ?? "");
}
