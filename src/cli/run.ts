import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { SCOPES, type Scope } from "../access/actor.ts";
import { VERSION } from "../app.ts";
import { readConfig } from "../config.ts";
import { checkCommand } from "./check.ts";
import { exitCodeOf, faultLine } from "./faults.ts";
import { type ImportFlags, importCommand } from "./import.ts";
import { type IssueFlags, issueCommand } from "./keys-issue.ts";
import { listCommand } from "./keys-list.ts";
import { revokeCommand } from "./keys-revoke.ts";
import { rotateCommand } from "./keys-rotate.ts";
import { serveCommand } from "./serve.ts";
import type { CommandContext, Terminal } from "./terminal.ts";

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

  addKeyCommands(
    program.command("keys").description("Issue and manage access keys"),
    context,
    done,
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

function addKeyCommands(
  keys: Command,
  context: () => CommandContext,
  done: (exitCode: number) => void,
): void {
  keys
    .command("issue")
    .description("Issue a key; it is printed once")
    .requiredOption("--name <name>", "what the key is called in lists")
    .option("--scope <scope>", `what it may do, repeatable: ${SCOPES.join(", ")}`, scopes)
    .option("--rate <number>", "requests a minute (60)", wholeNumber)
    .option("--expires <date>", "last day (2027-12-31) or moment (2027-12-31T12:00:00Z)", moment)
    .option("--owner <text>", "whose key it is")
    .option("--contact <text>", "how to reach them")
    .option("--purpose <text>", "what it is for")
    .option("--network <cidr>", "network it may be used from, repeatable", texts)
    .option("--json", "print the key and its record as JSON")
    .action(async (flags: IssueFlags) => done(await issueCommand(flags, context())));

  keys
    .command("list")
    .description("List keys, never the secrets")
    .option("--json", "print the list as JSON")
    .action(async (flags: { json?: boolean }) => done(await listCommand(flags, context())));

  keys
    .command("revoke")
    .description("Withdraw a key at once")
    .argument("<id>", "the key's id, as keys list shows it")
    .option("--why <text>", "the reason, for the record")
    .option("--json", "print the record as JSON")
    .action(async (id: string, flags: { why?: string; json?: boolean }) =>
      done(await revokeCommand(id, flags, context())),
    );

  keys
    .command("rotate")
    .description("Issue a key in the place of another, which goes on working for a while")
    .argument("<id>", "the old key's id")
    .option("--grace <hours>", "how long the old key goes on working (24)", hours)
    .option("--json", "print the new key and its record as JSON")
    .action(async (id: string, flags: { grace?: number; json?: boolean }) =>
      done(await rotateCommand(id, flags, context())),
    );
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

function scopes(word: string, before: readonly Scope[] = []): Scope[] {
  const scope = SCOPES.find((known) => known === word);
  if (scope === undefined) throw new InvalidArgumentError(`Use one of ${SCOPES.join(", ")}.`);
  return [...before, scope];
}

function texts(word: string, before: readonly string[] = []): string[] {
  return [...before, word];
}

function wholeNumber(word: string): number {
  if (!/^\d{1,9}$/.test(word)) throw new InvalidArgumentError("Give a whole number.");
  return Number(word);
}

function hours(word: string): number {
  if (!/^\d{1,4}(?:\.\d+)?$/.test(word)) throw new InvalidArgumentError("Give a number of hours.");
  return Number(word);
}

/** A day counts to its end, in UTC. */
function moment(word: string): Date {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(word);
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})$/.test(word);
  const date = new Date(isDay ? `${word}T23:59:59Z` : word);
  const isReal = !Number.isNaN(date.getTime()) && isCalendarDay(word.slice(0, 10));
  if ((!isDay && !isMoment) || !isReal) {
    throw new InvalidArgumentError("Give a day as 2027-12-31 or a moment as 2027-12-31T12:00:00Z.");
  }
  return date;
}

/** Date itself takes 31 February for 3 March. */
function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function httpUrl(word: string): URL {
  const url = URL.parse(word);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError("Give an address that starts with http:// or https://.");
  }
  return url;
}
