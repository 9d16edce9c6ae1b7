import type { AccountChangeContext } from "../access/people/account-notices.ts";
import { type AdminChange, changeAdmin } from "../access/people/admins.ts";
import type { Role } from "../access/people/roles.ts";
import { removeSecondFactor } from "../access/people/second-factors.ts";
import { endSessionsOfAccount } from "../access/people/sessions.ts";
import { openRecordForCommand } from "../app/store.ts";
import type { Config } from "../config.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { findAdminId } from "./admin-id.ts";
import { formatAdminLine } from "./admins-invite.ts";
import type { CommandContext } from "./terminal.ts";

export interface ChangeAdminFlags {
  name?: string;
  role?: Role;
  enable?: boolean;
  disable?: boolean;
  json?: boolean;
}

/** `commonplace admins change WHO`: WHO is an id or an e-mail address. */
export async function runChangeAdminCommand(
  who: string,
  { name, role, enable, disable, json }: ChangeAdminFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const change: AdminChange = {
    ...(name === undefined ? {} : { name }),
    ...(role === undefined ? {} : { role }),
    ...(enable === true ? { state: "active" } : {}),
    ...(disable === true ? { state: "disabled" } : {}),
  };
  if (Object.keys(change).length === 0) {
    throw new AppError(
      "invalid",
      englishOnlyWording("Cannot change an account: say what, as --role or --disable"),
    );
  }
  await using record = await openRecordForCommand(config);
  const id = await findAdminId(record.admins, who);
  const admin = await record.atomically((stores) =>
    changeAdmin(stores, { kind: "operator" }, id, { change, ...noticeContext(config) }),
  );
  if (json === true) terminal.out(JSON.stringify(admin));
  else terminal.out(`Changed ${admin.id} (${formatAdminLine(admin)})`);
  return 0;
}

/**
 * `commonplace admins sign-out WHO`: ends every session of the account at once, even on a running
 * server.
 */
export async function runSignOutCommand(
  who: string,
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const id = await findAdminId(record.admins, who);
  const options = { keep: null, now: new Date() };
  const ended = await record.atomically((stores) =>
    endSessionsOfAccount(stores, { kind: "operator" }, id, options),
  );
  terminal.out(`Ended ${ended} sessions`);
  return 0;
}

/** Runs `commonplace admins remove-second-factor WHO`. */
export async function runRemoveSecondFactorCommand(
  who: string,
  { config, terminal }: CommandContext,
): Promise<number> {
  await using record = await openRecordForCommand(config);
  const id = await findAdminId(record.admins, who);
  await record.atomically((stores) =>
    removeSecondFactor(stores, { kind: "operator" }, id, noticeContext(config)),
  );
  terminal.out("Removed the second factor: the password alone signs in until there is another");
  return 0;
}

function noticeContext({ origin, mail }: Config): AccountChangeContext {
  return { now: new Date(), origin, sendsMail: mail !== null };
}
