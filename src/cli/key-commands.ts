import type { Command } from "commander";
import { SCOPES } from "../access/actor.ts";
import { type ChangeKeyFlags, runChangeKeyCommand } from "./keys-change.ts";
import { runInspectKeyCommand } from "./keys-inspect.ts";
import { type IssueKeyFlags, runIssueKeyCommand } from "./keys-issue.ts";
import { runListKeysCommand } from "./keys-list.ts";
import { runRevokeAllKeysCommand, runRevokeKeyCommand } from "./keys-revoke.ts";
import { runRotateKeyCommand } from "./keys-rotate.ts";
import { type KeyUsageFlags, runKeyUsageCommand } from "./keys-usage.ts";
import {
  appendOptionValue,
  parseCount,
  parseDay,
  parseDayOrTime,
  parseExpiry,
  parseHours,
  parseScopes,
} from "./option-values.ts";
import type { CommandContext } from "./terminal.ts";

const ALL_SCOPES = SCOPES.join(", ");

/** Adds the commands `commonplace keys …`. */
export function addKeyCommands(
  keys: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  keys
    .command("issue")
    .description("Issue a key; it is printed once")
    .requiredOption("--name <name>", "what the key is called in lists")
    .option("--scope <scope>", `what it may do, repeatable: ${ALL_SCOPES}`, parseScopes)
    .option("--rate <number>", "requests a minute (60)", parseCount)
    .option(
      "--expires <date>",
      "last day (2027-12-31) or moment (2027-12-31T12:00:00Z)",
      parseDayOrTime,
    )
    .option("--owner <text>", "whose key it is")
    .option("--contact <text>", "how to reach them")
    .option("--purpose <text>", "what it is for")
    .option("--network <cidr>", "network it may be used from, repeatable", appendOptionValue)
    .option(
      "--tool <name>",
      "tool it may call, repeatable; all if none is given",
      appendOptionValue,
    )
    .option("--json", "print the key and its record as JSON")
    .action(async (flags: IssueKeyFlags) => done(await runIssueKeyCommand(flags, context())));

  keys
    .command("list")
    .description("List keys, never the secrets")
    .option("--json", "print the list as JSON")
    .action(async (flags: { json?: boolean }) => done(await runListKeysCommand(flags, context())));

  keys
    .command("inspect")
    .description("Show all there is to know of a key, never the secret")
    .argument("<id>", "the key's id, as keys list shows it")
    .option("--json", "print the record as JSON")
    .action(async (id: string, flags: { json?: boolean }) =>
      done(await runInspectKeyCommand(id, flags, context())),
    );

  keys
    .command("change")
    .description("Change what a key is called, may do, and until when; anything not given stays")
    .argument("<id>", "the key's id")
    .option("--name <name>", "what the key is called in lists")
    .option("--scope <scope>", `all it may do from now on, repeatable: ${ALL_SCOPES}`, parseScopes)
    .option("--rate <number>", "requests a minute", parseCount)
    .option("--expires <date>", "last day, moment, or never", parseExpiry)
    .option("--owner <text>", "whose key it is")
    .option("--contact <text>", "how to reach them")
    .option("--purpose <text>", "what it is for")
    .option(
      "--network <cidr>",
      "all networks it may be used from, repeatable; any: all",
      appendOptionValue,
    )
    .option("--tool <name>", "all tools it may call, repeatable; any: all", appendOptionValue)
    .option("--json", "print the record as JSON")
    .action(async (id: string, flags: ChangeKeyFlags) =>
      done(await runChangeKeyCommand(id, flags, context())),
    );

  addEndings(keys, context, done);
}

function addEndings(
  keys: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  keys
    .command("usage")
    .description("Show how often a key was used, by day and tool")
    .argument("<id>", "the key's id")
    .option("--since <day>", "first day (30 days up to the last)", parseDay)
    .option("--until <day>", "last day (today)", parseDay)
    .option("--json", "print the counts as JSON")
    .action(async (id: string, flags: KeyUsageFlags) =>
      done(await runKeyUsageCommand(id, flags, context())),
    );

  keys
    .command("revoke")
    .description("Withdraw a key at once")
    .argument("<id>", "the key's id, as keys list shows it")
    .option("--why <text>", "the reason, for the record")
    .option("--json", "print the record as JSON")
    .action(async (id: string, flags: { why?: string; json?: boolean }) =>
      done(await runRevokeKeyCommand(id, flags, context())),
    );

  keys
    .command("revoke-all")
    .description("Withdraw every key of a holder at once")
    .argument("<holder>", "the contact or owner of the keys, whole")
    .option("--why <text>", "the reason, for the record")
    .option("--json", "print the records as JSON")
    .action(async (holder: string, flags: { why?: string; json?: boolean }) =>
      done(await runRevokeAllKeysCommand(holder, flags, context())),
    );

  keys
    .command("rotate")
    .description("Issue a key in the place of another, which keeps working for a while")
    .argument("<id>", "the old key's id")
    .option("--grace <hours>", "how long the old key keeps working (24)", parseHours)
    .option("--json", "print the new key and its record as JSON")
    .action(async (id: string, flags: { grace?: number; json?: boolean }) =>
      done(await runRotateKeyCommand(id, flags, context())),
    );
}
