import { Command, CommanderError, Option } from "commander";
import { readConfig } from "../config.ts";
import { GENERATOR_CHOICES_OR_DETECT } from "../content/site/import-choices/generator-choices.ts";
import { LOOKS } from "../content/site/look/look.ts";
import { VERSION } from "../version.ts";
import type { ApiFlags } from "./api.ts";
import { exitCodeForError, formatCommandErrorLine } from "./faults.ts";
import type { ImportFlags } from "./import-flags.ts";
import type { NewSiteFlags } from "./new-site.ts";
import { appendOptionValue } from "./option-values.ts";
import type { CommandContext, Terminal } from "./terminal.ts";
import { addTransferCommands } from "./transfer-commands.ts";
import { addUpkeepCommands } from "./upkeep-commands.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs a command line, given without the program's name. Failures print one line.
 *
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage.
 */
export async function runCommandLine(
  words: readonly string[],
  { environment, terminal }: { environment: Environment; terminal: Terminal },
): Promise<number> {
  let exitCode = 0;
  const context = (): CommandContext => ({
    config: readConfig(environment),
    terminal,
    npmScript: environment["npm_lifecycle_event"],
  });
  const done = (code: number) => {
    exitCode = code;
  };
  const program = commandTable(context, done);
  for (const group of program.commands) {
    if (words.includes(group.name()))
      await COMMAND_GROUPS[group.name()]?.fill(group, context, done);
  }
  for (const command of withSubcommands(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    });
  }
  try {
    await program.parseAsync([...words], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    terminal.err(formatCommandErrorLine(error));
    return exitCodeForError(error);
  }
}

type Done = (exitCode: number) => void;

/** The table of commands. The module of a command is imported on first use, to keep startup fast. */
function commandTable(context: () => CommandContext, done: Done): Command {
  const program = new Command("commonplace")
    .description("Publishes an association's content for people and for research agents")
    .version(VERSION);

  program
    .command("serve")
    .description("Run the service; settings come from the environment (docs/operating.md)")
    .action(async () => {
      const { runServeCommand: serveCommand } = await import("./serve.ts");
      done(await serveCommand(context()));
    });

  addInit(program, context, done);
  addImport(program, context, done);

  program
    .command("api")
    .description("Ask the administrative interface (/api/v1) on the store itself, without a key")
    .argument("<method>", "GET, POST, PATCH, PUT or DELETE")
    .argument("<path>", "below /api/v1, such as /content?limit=10")
    .option("--data <json>", "the body: JSON, @FILE, or - for standard input")
    .option(
      "--header <line>",
      "a header of the request, repeatable: 'If-Match: \"7\"'",
      appendOptionValue,
    )
    .option("--include", "print the headers of the answer first")
    .action(async (method: string, path: string, flags: ApiFlags) => {
      const { runApiCommand: apiCommand } = await import("./api.ts");
      done(await apiCommand(method, path, { flags, context: context() }));
    });

  addUpkeepCommands(program, context, done);
  return program;
}

function addImport(program: Command, context: () => CommandContext, done: Done): void {
  program
    .command("import")
    .description(
      "Import site folders, folders of Markdown or HTML, .md and .jsonl files, Word documents, tables, bibliographies, and exports of WordPress, Ghost and MediaWiki",
    )
    .argument("<path...>", "what to import")
    .addOption(
      new Option(
        "--publish",
        "publish every item, except drafts of an export of this service",
      ).conflicts("draft"),
    )
    .option("--draft", "make every item a draft")
    .option("--dry-run", "report what would happen, change nothing")
    .addOption(
      new Option(
        "--prefer <side>",
        "what wins where an item was changed both on the site and in the file",
      ).choices(["file", "site"]),
    )
    .option("--lenient", "leave out undeclared keys and types instead of the whole item")
    .option(
      "--as <type=type>",
      "which type takes which posts of another program, as post=page; - forgets what was chosen",
      appendOptionValue,
    )
    .addOption(
      new Option(
        "--generator <name>",
        "of folders: the site generator they were written for, where another one is recognised; detect forgets what was chosen",
      ).choices(GENERATOR_CHOICES_OR_DETECT),
    )
    .option("--media <folder>", "of WordPress, Ghost and MediaWiki: the folder of its uploads")
    .option(
      "--fetch",
      "of WordPress and MediaWiki: fetch uploads that the folder of --media lacks into it",
    )
    .option(
      "--map <column=place>",
      "of tables: what a column is, as Autor=authors; - leaves it out",
      appendOptionValue,
    )
    .option("--mapping <file>", "of tables: a file with the places of all columns")
    .option(
      "--type <type>",
      "of tables and bibliographies: what the rows or entries are, as quotation",
    )
    .option("--sheet <name>", "of workbooks: the sheet to read instead of the first")
    .option("--report <file>", "write a CSV table of all items, redirects, files and problems")
    .option("--json", "print the report as JSON")
    .action(async (paths: string[], flags: ImportFlags) => {
      const { runImportCommand: importCommand } = await import("./import.ts");
      done(await importCommand(paths, flags, context()));
    });

  addTransferCommands(program, context, done);
  for (const [name, { description }] of Object.entries(COMMAND_GROUPS)) {
    program.command(name).description(description);
  }
}

function addInit(program: Command, context: () => CommandContext, done: Done): void {
  program
    .command("init")
    .description("Make a new site, with a few pages to rewrite, where there is none")
    .argument("[folder]", "a new folder for the site, with everything it needs to run")
    .option("--name <name>", "what the association is called")
    .option("--address <url>", "where the site will be found")
    .option("--language <tag>", "the language of its first pages, such as en or de")
    .addOption(new Option("--look <look>", "how it looks").choices([...LOOKS]))
    .option("--demo", "begin with the demo instead of empty pages")
    .option("--no-demo", "begin with empty pages, without being asked")
    .option("--hidden", "keep it hidden until an owner opens it")
    .option("--no-hidden", "show it at once, also where init asks questions")
    .option("--json", "print the result as JSON")
    .action(async (folder: string | undefined, flags: NewSiteFlags) => {
      if (folder === undefined) {
        const { runInitCommand: initCommand } = await import("./init.ts");
        done(await initCommand(flags, context()));
      } else {
        const { runNewSiteCommand: newSiteCommand } = await import("./new-site.ts");
        done(await newSiteCommand(folder, flags, context()));
      }
    });
}

interface Group {
  description: string;
  fill(group: Command, context: () => CommandContext, done: Done): Promise<void>;
}

/** Commands with subcommands. */
const COMMAND_GROUPS: Readonly<Record<string, Group>> = {
  keys: {
    description: "Issue and manage access keys",
    fill: async (...group) => (await import("./key-commands.ts")).addKeyCommands(...group),
  },
  requests: {
    description: "Decide on requests for keys",
    fill: async (...group) => (await import("./request-commands.ts")).addRequestCommands(...group),
  },
  admins: {
    description: "Manage the accounts of administrators",
    fill: async (...group) => (await import("./admin-commands.ts")).addAdminCommands(...group),
  },
  "personal-data": {
    description: "Export or erase what is kept of a person",
    fill: async (...group) =>
      (await import("./personal-data-commands.ts")).addPersonalDataCommands(...group),
  },
  audit: {
    description: "See and take out the log of all changes",
    fill: async (...group) => (await import("./audit-commands.ts")).addAuditCommands(...group),
  },
  media: {
    description: "Publish pictures and other files",
    fill: async (...group) => (await import("./media-commands.ts")).addMediaCommands(...group),
  },
};

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
