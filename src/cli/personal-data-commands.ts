import type { Command } from "commander";
import { parseEmailAddress } from "./option-values.ts";
import { runErasePersonalDataCommand, runExportPersonalDataCommand } from "./personal-data.ts";
import type { CommandContext } from "./terminal.ts";

/** Adds the commands `commonplace personal-data …`. */
export function addPersonalDataCommands(
  personalData: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  personalData
    .command("export")
    .description("Print all that is kept of a person, as JSON")
    .argument("<email>", "the person's e-mail address", parseEmailAddress)
    .action(async (email: string) => done(await runExportPersonalDataCommand(email, context())));

  personalData
    .command("erase")
    .description("Erase what is kept of a person: revokes their keys and closes their account")
    .argument("<email>", "the person's e-mail address", parseEmailAddress)
    .option("--json", "print what was erased as JSON")
    .action(async (email: string, flags: { json?: boolean }) =>
      done(await runErasePersonalDataCommand(email, flags, context())),
    );
}
