import { type Command, Option } from "commander";
import { ROLES } from "../access/admins.ts";
import { type ChangeAdminFlags, changeAdminCommand } from "./admins-change.ts";
import { type CreateFlags, createAdminCommand } from "./admins-create.ts";
import { listAdminsCommand } from "./admins-list.ts";
import { adminName, emailAddress } from "./option-values.ts";
import type { CommandContext } from "./terminal.ts";

/** `commonplace admins …`. */
export function addAdminCommands(
  admins: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  admins
    .command("create")
    .description("Create the account of an administrator; the password is asked for")
    .requiredOption("--email <address>", "unique among the accounts", emailAddress)
    .requiredOption("--name <name>", "as lists and the audit log show it", adminName)
    .addOption(roleOption().makeOptionMandatory())
    .option("--password-stdin", "take the password from standard input")
    .option("--json", "print the account as JSON")
    .action(async (flags: CreateFlags) => done(await createAdminCommand(flags, context())));

  admins
    .command("list")
    .description("List the accounts of administrators")
    .option("--json", "print the list as JSON")
    .action(async (flags: { json?: boolean }) => done(await listAdminsCommand(flags, context())));

  admins
    .command("change")
    .description("Change an account; anything not given stays")
    .argument("<who>", "the account's id or e-mail address")
    .option("--name <name>", "as lists and the audit log show it", adminName)
    .addOption(roleOption())
    .option("--enable", "let them sign in again")
    .addOption(new Option("--disable", "let them sign in no more").conflicts("enable"))
    .option("--password", "ask for a new password")
    .option("--password-stdin", "take a new password from standard input")
    .option("--json", "print the account as JSON")
    .action(async (who: string, flags: ChangeAdminFlags) =>
      done(await changeAdminCommand(who, flags, context())),
    );
}

function roleOption(): Option {
  return new Option(
    "--role <role>",
    "owner: everything; editor: content; viewer: only looks",
  ).choices(ROLES);
}
