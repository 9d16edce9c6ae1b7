import type { Command } from "commander";
import { runExportAuditCommand } from "./audit-export.ts";
import { type AuditFlags, runListAuditCommand } from "./audit-list.ts";
import { parseCount } from "./option-values.ts";
import type { CommandContext } from "./terminal.ts";

/** Adds the commands `commonplace audit …`. */
export function addAuditCommands(
  audit: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  withFilters(audit.command("list").description("Show who changed what, the latest first"))
    .option("--limit <number>", "how many entries (50)", parseCount)
    .option("--json", "print the entries as JSON")
    .action(async (flags: AuditFlags) => done(await runListAuditCommand(flags, context())));

  withFilters(
    audit
      .command("export")
      .description("Print the whole log, oldest first, one JSON object a line"),
  ).action(async (flags: AuditFlags) => done(await runExportAuditCommand(flags, context())));
}

function withFilters(command: Command): Command {
  return command
    .option("--actor <name>", "only by them, such as operator or key:ID")
    .option("--action <beginning>", "only what begins so, as key. or content.publish")
    .option("--target <path or id>", "only changes of this")
    .option("--since <date>", "from this day or moment on")
    .option("--until <date>", "up to the end of this day, or this moment");
}
