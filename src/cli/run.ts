import { Command, CommanderError, Option } from "commander";
import { VERSION } from "../app.ts";
import { readConfig } from "../config.ts";
import { addAdminCommands } from "./admin-commands.ts";
import { type ApiFlags, apiCommand } from "./api.ts";
import { addAuditCommands } from "./audit-commands.ts";
import { checkCommand } from "./check.ts";
import { exitCodeOf, faultLine } from "./faults.ts";
import { type ImportFlags, importCommand } from "./import.ts";
import { addKeyCommands } from "./key-commands.ts";
import { addMediaCommands } from "./media-commands.ts";
import { httpUrl, texts } from "./option-values.ts";
import { addRequestCommands } from "./request-commands.ts";
import { serveCommand } from "./serve.ts";
import type { CommandContext, Terminal } from "./terminal.ts";
import { addTransferCommands } from "./transfer-commands.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs one command line, without the program's name. Resolves with the exit code: 0 done, 1 failed,
 * 2 wrong usage. Faults are told in one line.
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
  const program = commandTable(context, (code) => {
    exitCode = code;
  });
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

/** THE table of commands. */
function commandTable(context: () => CommandContext, done: (exitCode: number) => void): Command {
  const program = new Command("commonplace")
    .description("Publishes an association's content for people and for research agents")
    .version(VERSION);

  program
    .command("serve")
    .description("Run the service; settings come from the environment (docs/operating.md)")
    .action(async () => done(await serveCommand(context())));

  program
    .command("import")
    .description("Import site folders, folders of Markdown with front matter, .md and .jsonl files")
    .argument("<path...>", "what to import")
    .addOption(new Option("--publish", "publish every item").conflicts("draft"))
    .option("--draft", "make every item a draft")
    .option("--dry-run", "report what would happen, change nothing")
    .option("--lenient", "leave out keys and types nobody has declared, instead of the whole item")
    .option("--json", "print the report as JSON")
    .action(async (paths: string[], flags: ImportFlags) =>
      done(await importCommand(paths, flags, context())),
    );

  addTransferCommands(program, context, done);
  addGroups(program, context, done);

  program
    .command("api")
    .description("Ask the administrative interface (/api/v1) on the store itself, without a key")
    .argument("<method>", "GET, POST, PATCH, PUT or DELETE")
    .argument("<path>", "below /api/v1, as /content?limit=10")
    .option("--data <json>", "the body: JSON, @FILE, or - for standard input")
    .option("--header <line>", "a header of the request, repeatable: 'If-Match: \"7\"'", texts)
    .option("--include", "print the headers of the answer first")
    .action(async (method: string, path: string, flags: ApiFlags) =>
      done(await apiCommand(method, path, { flags, context: context() })),
    );

  program
    .command("check")
    .description("Judge the public surface of a running site")
    .argument("<url>", "the site's public address", httpUrl)
    .option("--json", "print the findings as JSON")
    .action(async (url: URL, flags: { json?: boolean }) =>
      done(await checkCommand(url, flags, context())),
    );

  return program;
}

/** Commands with commands below them. */
function addGroups(
  program: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  addKeyCommands(
    program.command("keys").description("Issue and manage access keys"),
    context,
    done,
  );

  addRequestCommands(
    program.command("requests").description("Decide on requests for keys"),
    context,
    done,
  );

  addAdminCommands(
    program.command("admins").description("Manage the accounts of administrators"),
    context,
    done,
  );

  addAuditCommands(
    program.command("audit").description("See and take out the log of all changes"),
    context,
    done,
  );

  addMediaCommands(
    program.command("media").description("Publish pictures and other files"),
    context,
    done,
  );
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
