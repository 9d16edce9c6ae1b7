import type { Command } from "commander";
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
    .action(async (path: string, flags: { json?: boolean }) => {
      const { exportCommand } = await import("./export.ts");
      done(await exportCommand(path, flags, context()));
    });

  program
    .command("backup")
    .description("Copy the store and the site's files, also while the server runs")
    .argument(
      "<path>",
      "a folder that is not there yet, or a file that ends in .db for the store alone",
    )
    .option("--json", "print what was written as JSON")
    .action(async (path: string, flags: { json?: boolean }) => {
      const { backupCommand } = await import("./backup.ts");
      done(await backupCommand(path, flags, context()));
    });

  program
    .command("restore")
    .description("Put a backup into the data folder; the server must be stopped")
    .argument("<path>", "what backup has written")
    .option("--force", "replace the store that is there; it is kept beside the new one")
    .option("--json", "print the result as JSON")
    .action(async (path: string, flags: { force?: boolean; json?: boolean }) => {
      const { restoreCommand } = await import("./restore.ts");
      done(await restoreCommand(path, flags, context()));
    });
}
