import type { Command } from "commander";
import { type AddFilesFlags, runAddFilesCommand } from "./media-add.ts";
import { type ListMediaFlags, runListMediaCommand } from "./media-list.ts";
import type { CommandContext } from "./terminal.ts";

/** Adds the commands `commonplace media …`. */
export function addMediaCommands(
  media: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  media
    .command("add")
    .description(
      "Add files, private until something public shows them; prints how a text shows each",
    )
    .argument("<file...>", "pictures, PDFs, sound and films")
    .option("--alt <text>", "shown instead of the picture where a text gives no words of its own")
    .option("--credit <text>", "whom to name with it, as 'Photo: Jane Doe, CC BY 4.0'")
    .option("--public", "public even if nothing shows it, as for links in mails")
    .option("--json", "print what is known of each file as JSON")
    .action(async (files: string[], flags: AddFilesFlags) =>
      done(await runAddFilesCommand(files, flags, context())),
    );

  media
    .command("list")
    .description("List files, latest first")
    .option("--type <type>", "only these: image, audio, video, or as image/png")
    .option("--text <text>", "in the name, alternative text or credit")
    .option("--unused", "only files that no item names")
    .option("--json", "print the list as JSON")
    .action(async (flags: ListMediaFlags) => done(await runListMediaCommand(flags, context())));
}
