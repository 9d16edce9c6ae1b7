import type { Command } from "commander";
import { exportCommand } from "./export.ts";
import type { CommandContext } from "./terminal.ts";

/** Commands that take content out, and put whole stores away and back. */
export function addTransferCommands(
  program: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  program
    .command("export")
    .description(
      "Write all content into a new site folder, or its items into one file of JSON lines",
    )
    .argument("<path>", "a folder that is not there yet, or a file that ends in .jsonl")
    .option("--json", "print what was written as JSON")
    .action(async (path: string, flags: { json?: boolean }) =>
      done(await exportCommand(path, flags, context())),
    );
}
