import { Command, CommanderError, Option } from "commander";
import { readConfig } from "../config.ts";
import { VERSION } from "../version.ts";
import type { ApiFlags } from "./api.ts";
import { exitCodeOf, faultLine } from "./faults.ts";
import type { ImportFlags } from "./import.ts";
import { httpUrl, texts } from "./option-values.ts";
import type { CommandContext, Terminal } from "./terminal.ts";
import { addTransferCommands } from "./transfer-commands.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs a command line, given without the program's name. Failures print one line.
 *
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage.
 */
export async function run(
  words: readonly string[],
  { environment, terminal }: { environment: Environment; terminal: Terminal },
): Promise<number> {
  let exitCode = 0;
  const context = (): CommandContext => ({
    config: readConfig(environment),
    terminal,
    isRunByNpm: environment["npm_lifecycle_event"] !== undefined,
  });
  const done = (code: number) => {
    exitCode = code;
  };
  const program = commandTable(context, done);
  for (const group of program.commands) {
    if (words.includes(group.name())) await GROUPS[group.name()]?.fill(group, context, done);
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
    terminal.err(faultLine(error));
    return exitCodeOf(error);
  }
}

type Done = (exitCode: number) => void;

/** The table of commands. Their modules are imported on use, to keep startup fast. */
function commandTable(context: () => CommandContext, done: Done): Command {
  const program = new Command("commonplace")
    .description("Publishes an association's content for people and for research agents")
    .version(VERSION);

  program
    .command("serve")
    .description("Run the service; settings come from the environment (docs/operating.md)")
    .action(async () => {
      const { serveCommand } = await import("./serve.ts");
      done(await serveCommand(context()));
    });

  program
    .command("init")
    .description("Make a new site, with a few pages to rewrite, where there is none")
    .option("--json", "print the result as JSON")
    .action(async (flags: { json?: boolean }) => {
      const { initCommand } = await import("./init.ts");
      done(await initCommand(flags, context()));
    });

  program
    .command("import")
    .description("Import site folders, folders of Markdown with front matter, .md and .jsonl files")
    .argument("<path...>", "what to import")
    .addOption(new Option("--publish", "publish every item").conflicts("draft"))
    .option("--draft", "make every item a draft")
    .option("--dry-run", "report what would happen, change nothing")
    .option("--lenient", "leave out keys and types nobody has declared, instead of the whole item")
    .option("--json", "print the report as JSON")
    .action(async (paths: string[], flags: ImportFlags) => {
      const { importCommand } = await import("./import.ts");
      done(await importCommand(paths, flags, context()));
    });

  addTransferCommands(program, context, done);
  for (const [name, { description }] of Object.entries(GROUPS)) {
    program.command(name).description(description);
  }

  program
    .command("api")
    .description("Ask the administrative interface (/api/v1) on the store itself, without a key")
    .argument("<method>", "GET, POST, PATCH, PUT or DELETE")
    .argument("<path>", "below /api/v1, as /content?limit=10")
    .option("--data <json>", "the body: JSON, @FILE, or - for standard input")
    .option("--header <line>", "a header of the request, repeatable: 'If-Match: \"7\"'", texts)
    .option("--include", "print the headers of the answer first")
    .action(async (method: string, path: string, flags: ApiFlags) => {
      const { apiCommand } = await import("./api.ts");
      done(await apiCommand(method, path, { flags, context: context() }));
    });

  program
    .command("check")
    .description("Judge the public surface of a running site")
    .argument("<url>", "the site's public address", httpUrl)
    .option("--json", "print the findings as JSON")
    .action(async (url: URL, flags: { json?: boolean }) => {
      const { checkCommand } = await import("./check.ts");
      done(await checkCommand(url, flags, context()));
    });

  return program;
}

interface Group {
  description: string;
  fill(group: Command, context: () => CommandContext, done: Done): Promise<void>;
}

/** Commands with subcommands. */
const GROUPS: Readonly<Record<string, Group>> = {
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
