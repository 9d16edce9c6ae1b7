import { type Command, Option } from "commander";
import { EXPORT_HOST_NAMES } from "../static/rules/host.ts";
import type { BackupFlags } from "./backup.ts";
import type { ExportFilesFlags } from "./export-files.ts";
import type { ExportStaticFlags } from "./export-static.ts";
import type { FetchFlags } from "./fetch.ts";
import type { MigrateToFlags } from "./migrate-to.ts";
import { appendOptionValue, parseBackupCount, parseCount } from "./option-values.ts";
import type { RestoreFlags } from "./restore.ts";
import type { SyncFlags } from "./sync.ts";
import type { CommandContext } from "./terminal.ts";

interface ExportFlags extends ExportStaticFlags, ExportFilesFlags {
  static?: boolean;
  files?: boolean;
}

/** Adds the commands that export, sync, back up, restore and move a store. */
export function addTransferCommands(
  program: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  addFetch(program, context, done);
  addExport(program, context, done);
  addSync(program, context, done);

  program
    .command("backup")
    .description("Copy the store and the site's files, also while the server runs")
    .argument(
      "[place]",
      "a folder that is not there yet, or a file that ends in .tar, .tar.age (encrypted) or .db (the store alone); s3://BUCKET/PREFIX; without it, the places of BACKUP_TO",
    )
    .option(
      "--keep <number>",
      "make it inside the folder, restore it for a trial, and keep so many of the latest",
      parseBackupCount,
    )
    .option("--keep-weekly <number>", "also keep the last one of so many weeks", parseCount)
    .option("--json", "print what was written as JSON")
    .action(async (path: string | undefined, flags: BackupFlags) => {
      const { runBackupCommand: backupCommand } = await import("./backup.ts");
      done(await backupCommand(path, flags, context()));
    });

  program
    .command("restore")
    .description("Put a backup into the data folder; the server must be stopped")
    .argument("<path>", "a folder or file written by backup, or s3://BUCKET/PREFIX/NAME")
    .option("--identity <file>", "the file with the private key, for a backup that is encrypted")
    .option("--force", "replace what is there; it is moved to a folder next to the new store")
    .option("--dry-run", "check the backup and report what would happen, change nothing")
    .option("--json", "print the result as JSON")
    .action(async (path: string, flags: RestoreFlags) => {
      const { runRestoreCommand: restoreCommand } = await import("./restore.ts");
      done(await restoreCommand(path, flags, context()));
    });

  program
    .command("migrate-to")
    .description(
      "Move the store with its files into PostgreSQL, or from there into a new data folder",
    )
    .argument(
      "[place]",
      "a postgres:// address (others may see the password in it: better set DATABASE_URL and name nothing, or keep it in a PGPASSFILE); with DATABASE_URL set, a new folder to move that database into",
    )
    .option("--verify-only", "compare both sides and change nothing")
    .option("--json", "print what was moved as JSON")
    // Allows excess arguments here, because commander's error message would print them, and an argument can
    // hold a password.
    .allowExcessArguments()
    .action(async (_place: string | undefined, flags: MigrateToFlags, command: Command) => {
      const { runMigrateToCommand: migrateToCommand } = await import("./migrate-to.ts");
      done(await migrateToCommand(command.args, flags, context()));
    });
}

function addFetch(
  program: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  program
    .command("fetch")
    .description("Copy a live site into a folder that `import` reads; can be run again to go on")
    .argument(
      "<address>",
      "where the site begins; only pages below it are copied, by its sitemaps, feeds and links",
    )
    .argument("<folder>", "where the copy goes")
    .option("--pause <seconds>", "between two requests", parseCount, 1)
    .option("--addresses <count>", "how many addresses to ask for at the most", parseCount, 20_000)
    .option(
      "--wordpress",
      "of a WordPress site: copy its texts with dates, topics and authors, without its design",
    )
    .option("--json", "print the report as JSON")
    .action(async (address: string, folder: string, flags: FetchFlags) => {
      if (flags.wordpress === true) {
        const { runFetchWordPressCommand: fetchWordPressCommand } = await import(
          "./fetch-wordpress.ts"
        );
        done(await fetchWordPressCommand(address, folder, flags, context()));
      } else {
        const { runFetchCommand: fetchCommand } = await import("./fetch.ts");
        done(await fetchCommand(address, folder, flags, context()));
      }
    });
}

function addExport(
  program: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  program
    .command("export")
    .description(
      "Write all content into a new site folder or one ZIP, or its items into one file of JSON lines",
    )
    .argument("<path>", "a folder that is not there yet, or a file that ends in .zip or .jsonl")
    .option("--static", "write the public site as web pages instead, or bring them up to date")
    .addOption(
      new Option("--for <host>", "of --static: what will serve it")
        .choices([...EXPORT_HOST_NAMES])
        .default("nginx"),
    )
    .addOption(
      new Option(
        "--search",
        "of --static: add a search page, whose script reads an index from the same folder",
      ).implies({ static: true }),
    )
    .option(
      "--files",
      "write the folder that sync keeps, one Markdown file an item, or bring it up to date",
    )
    .option(
      "--together <type>",
      "of --files: keep the items of this type in shared files of JSON lines, by first letter",
      appendOptionValue,
    )
    .option("--json", "print what was written as JSON")
    .action(async (path: string, { static: isStatic, files, ...flags }: ExportFlags) => {
      if (files === true) {
        const { runExportFilesCommand: exportFilesCommand } = await import("./export-files.ts");
        done(await exportFilesCommand(path, flags, context()));
      } else if (isStatic === true) {
        const { runExportStaticCommand: exportStaticCommand } = await import("./export-static.ts");
        done(await exportStaticCommand(path, flags, context()));
      } else {
        const { runExportCommand: exportCommand } = await import("./export.ts");
        done(await exportCommand(path, flags, context()));
      }
    });
}

function addSync(
  program: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  program
    .command("sync")
    .description("Keep a folder of Markdown files and the site equal, one file an item")
    .argument("<folder>", "the folder; it is made if it is not there yet")
    .option("--dry-run", "report what would happen, change nothing")
    .option("--prune", "delete on one side what is deleted on the other")
    .option("--watch", "go on: sync after each change on either side, until Ctrl+C")
    .option("--json", "print the report as JSON")
    .action(async (folder: string, flags: SyncFlags) => {
      const { runSyncCommand: syncCommand } = await import("./sync.ts");
      done(await syncCommand(folder, flags, context()));
    });
}
