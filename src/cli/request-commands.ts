import { type Command, Option } from "commander";
import { SCOPES } from "../access/actor.ts";
import { KEY_REQUEST_STATES } from "../access/submissions/key-requests.ts";
import { appendOptionValue, parseCount, parseExpiry, parseScopes } from "./option-values.ts";
import { type ApproveRequestFlags, runApproveRequestCommand } from "./requests-approve.ts";
import { type DeclineRequestFlags, runDeclineRequestCommand } from "./requests-decline.ts";
import { type ListRequestsFlags, runListRequestsCommand } from "./requests-list.ts";
import { runShowRequestCommand } from "./requests-show.ts";
import type { CommandContext } from "./terminal.ts";

/** Adds the commands `commonplace requests …`, which handle key requests. */
export function addRequestCommands(
  requests: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  requests
    .command("list")
    .description("List requests for keys, latest first")
    .addOption(new Option("--state <state>", "only those").choices(KEY_REQUEST_STATES))
    .option("--json", "print the list as JSON")
    .action(async (flags: ListRequestsFlags) =>
      done(await runListRequestsCommand(flags, context())),
    );

  requests
    .command("show")
    .description("Show a request, and what became of the mails about it")
    .argument("<id>", "the request's id, as requests list shows it")
    .option("--json", "print the request as JSON")
    .action(async (id: string, flags: { json?: boolean }) =>
      done(await runShowRequestCommand(id, flags, context())),
    );

  requests
    .command("approve")
    .description("Approve a request, or approve it again: makes a claim code, printed or mailed")
    .argument("<id>", "the request's id")
    .option("--scope <scope>", `what the key may do (mcp:read): ${SCOPES.join(", ")}`, parseScopes)
    .option("--rate <number>", "requests a minute (60)", parseCount)
    .option("--expires <date>", "the key's last day, moment, or never", parseExpiry)
    .option(
      "--network <cidr>",
      "network it may be used from, repeatable; any: all",
      appendOptionValue,
    )
    .option("--note <text>", "for administrators only")
    .option("--show-code", "print the claim code, and send no mail")
    .option("--json", "print the request and the code as JSON")
    .action(async (id: string, flags: ApproveRequestFlags) =>
      done(await runApproveRequestCommand(id, flags, context())),
    );

  requests
    .command("decline")
    .description("Decline a request; the requester learns why by mail, if mail is set up")
    .argument("<id>", "the request's id")
    .requiredOption("--reason <text>", "mailed to the requester")
    .option("--note <text>", "for administrators only")
    .option("--json", "print the request as JSON")
    .action(async (id: string, flags: DeclineRequestFlags) =>
      done(await runDeclineRequestCommand(id, flags, context())),
    );
}
