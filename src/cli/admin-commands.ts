import { type Command, Option } from "commander";
import { ROLES } from "../access/people/roles.ts";
import {
  type ChangeAdminFlags,
  runChangeAdminCommand,
  runRemoveSecondFactorCommand,
  runSignOutCommand,
} from "./admins-change.ts";
import {
  type InviteAdminFlags,
  runAdminCodeCommand,
  runInviteAdminCommand,
} from "./admins-invite.ts";
import { runListAdminsCommand } from "./admins-list.ts";
import { parseAdminName, parseEmailAddress } from "./option-values.ts";
import type { CommandContext } from "./terminal.ts";

const ACCOUNT_ARGUMENT = "the account's id or e-mail address";

/** Adds the commands `commonplace admins …`. */
export function addAdminCommands(
  admins: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  admins
    .command("invite")
    .description("Create the account of an administrator, with a code to choose a password")
    .requiredOption("--email <address>", "unique among the accounts", parseEmailAddress)
    .requiredOption("--name <name>", "as lists and the audit log show it", parseAdminName)
    .addOption(roleOption().makeOptionMandatory())
    .option("--json", "print the account and its code as JSON")
    .action(async (flags: InviteAdminFlags) => done(await runInviteAdminCommand(flags, context())));

  admins
    .command("list")
    .description("List the accounts of administrators")
    .option("--json", "print the list as JSON")
    .action(async (flags: { json?: boolean }) =>
      done(await runListAdminsCommand(flags, context())),
    );

  admins
    .command("change")
    .description("Change an account; anything not given stays")
    .argument("<who>", ACCOUNT_ARGUMENT)
    .option("--name <name>", "as lists and the audit log show it", parseAdminName)
    .addOption(roleOption())
    .option("--enable", "let them sign in again")
    .addOption(new Option("--disable", "let them sign in no more").conflicts("enable"))
    .option("--json", "print the account as JSON")
    .action(async (who: string, flags: ChangeAdminFlags) =>
      done(await runChangeAdminCommand(who, flags, context())),
    );

  admins
    .command("code")
    .description("Make another code for an invitation, or one to reset a lost password")
    .argument("<who>", ACCOUNT_ARGUMENT)
    .option("--json", "print the account and its code as JSON")
    .action(async (who: string, flags: { json?: boolean }) =>
      done(await runAdminCodeCommand(who, flags, context())),
    );

  admins
    .command("sign-out")
    .description("End every session of an account")
    .argument("<who>", ACCOUNT_ARGUMENT)
    .action(async (who: string) => done(await runSignOutCommand(who, context())));

  admins
    .command("remove-second-factor")
    .description("Let an account sign in with its password alone, after the loss of a phone")
    .argument("<who>", ACCOUNT_ARGUMENT)
    .action(async (who: string) => done(await runRemoveSecondFactorCommand(who, context())));
}

function roleOption(): Option {
  return new Option(
    "--role <role>",
    "owner: everything; manager: content, requests, keys, imports; editor: content; contributor: drafts; viewer: only looks",
  ).choices(ROLES);
}
