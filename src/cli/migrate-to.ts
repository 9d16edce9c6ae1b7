import { resolve } from "node:path";
import { compareStores, moveStore, type StoreLocation } from "../app/moving.ts";
import { type Config, readConfig } from "../config.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import {
  createProgressMeter,
  type ProgressMeter,
  SILENT_PROGRESS_METER,
} from "./progress-meter.ts";
import { type CommandContext, formatTableLines, type Terminal } from "./terminal.ts";

export interface MigrateToFlags {
  verifyOnly?: boolean;
  json?: boolean;
}

type Outcome = Awaited<ReturnType<typeof compareStores>>;

const CHECKSUM_CHARACTERS = 12;

/**
 * `commonplace migrate-to [POSTGRES-URL|FOLDER]`: moves the record and its files from the data folder into
 * a database, or from the database into a new data folder. Exit code 0 when both sides are equal.
 */
export async function runMigrateToCommand(
  words: readonly string[],
  flags: MigrateToFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const places = sourceAndTarget(words, config);
  const startedAt = performance.now();
  const meters = flags.json === true ? null : await stepMeters(terminal);
  const onStep: StepMeters["show"] = (step, progress) => meters?.show(step, progress);
  try {
    if (flags.verifyOnly === true) {
      const outcome = await compareStores(config, places, onStep);
      meters?.stop();
      return report(outcome, { flags, terminal, startedAt, extra: {} });
    }
    const { changesSince, ...outcome } = await moveStore(config, places, onStep);
    meters?.stop();
    const isComplete = outcome.isSame && changesSince === 0;
    report(outcome, {
      flags,
      terminal,
      startedAt,
      extra: { complete: isComplete, changesSince },
    });
    if (changesSince > 0) {
      terminal.err(
        `error: ${outcome.source} got ${changesSince} more changes while it was read; stop all servers on it and move again`,
      );
    }
    if (isComplete && flags.json !== true) {
      for (const line of nextSteps(places.to)) terminal.out(line);
    }
    return isComplete ? 0 : 1;
  } finally {
    meters?.stop();
  }
}

/** The source and target of the move. Errors omit the database URL, which may hold a password. */
function sourceAndTarget(
  [word, ...more]: readonly string[],
  config: Config,
): { from: StoreLocation; to: StoreLocation } {
  if (more.length > 0)
    throw new AppError("invalid", englishOnlyWording("Name one place to move to"));
  if (word === "") {
    throw new AppError(
      "invalid",
      englishOnlyWording("Name a place to move to: the one given is empty"),
    );
  }
  const here: StoreLocation = { folder: config.dataDir };
  const database: StoreLocation | null =
    config.databaseUrl === null ? null : { url: config.databaseUrl };
  if (word === undefined) {
    if (database !== null) return { from: here, to: database };
    throw new AppError(
      "invalid",
      englishOnlyWording(
        "Say where to move: set DATABASE_URL, or name a postgres:// address or, from there, a folder",
      ),
    );
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word)) {
    const url = databaseUrl(word);
    if (database !== null && config.databaseUrl !== url) {
      throw new AppError(
        "invalid",
        englishOnlyWording(
          "DATABASE_URL names another database. Unset it to move the data folder; from one database to another, use pg_dump",
        ),
      );
    }
    return { from: here, to: { url } };
  }
  if (database !== null) return { from: database, to: { folder: word } };
  throw new AppError(
    "invalid",
    englishOnlyWording(
      "Set DATABASE_URL to the database to move from; to move into a database, name its postgres:// address",
    ),
  );
}

function databaseUrl(word: string): string {
  try {
    return readConfig({ DATABASE_URL: word }).databaseUrl ?? word;
  } catch {
    throw new AppError(
      "invalid",
      englishOnlyWording(
        "Cannot move to this address: use postgres://USER@HOST:PORT/DATABASE, or a folder",
      ),
    );
  }
}

interface ReportOptions {
  flags: MigrateToFlags;
  terminal: Terminal;
  startedAt: number;
  /** Additional members of the JSON report. */
  extra: Record<string, unknown>;
}

/** Prints the comparison. @returns the exit code. */
function report(outcome: Outcome, { flags, terminal, startedAt, extra }: ReportOptions): number {
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const code = outcome.isSame ? 0 : 1;
  if (flags.json === true) {
    terminal.out(JSON.stringify({ ...extra, ...outcome, seconds }));
    return code;
  }
  for (const line of reportLines(outcome)) terminal.out(line);
  for (const name of outcome.files.damaged) {
    terminal.err(`warning: ${name} is damaged at the source; it was moved as it is`);
  }
  for (const line of differenceLines(outcome)) terminal.err(`error: ${line}`);
  const verdict = outcome.isSame ? "Both sides are the same" : "The two sides differ";
  terminal.out(`${verdict} (${seconds} s)`);
  return code;
}

function reportLines({ source, target, tables, files }: Outcome): string[] {
  const rows = tables.map((table) => [
    table.table,
    String(table.source.rows),
    String(table.target.rows),
    table.source.checksum.slice(0, CHECKSUM_CHARACTERS),
    table.target.checksum.slice(0, CHECKSUM_CHARACTERS),
    table.differing === 0 ? "same" : `${table.differing} differ`,
  ]);
  const mebibytes = (files.bytes / 1024 / 1024).toFixed(1);
  return [
    `From ${source}`,
    `To   ${target}`,
    "",
    ...formatTableLines([["Table", "Rows", "There", "Checksum", "There", ""], ...rows]),
    "",
    `Files: ${files.files}, ${mebibytes} MiB${files.differences.length === 0 ? "" : `, ${files.differences.length} differ`}`,
  ];
}

function differenceLines({ tables, files }: Outcome): string[] {
  return tables
    .flatMap(({ table, differing, differences }) => [
      ...differences,
      ...(differing > differences.length
        ? [`${table}: ${differing - differences.length} more differ`]
        : []),
    ])
    .concat(files.differences);
}

function nextSteps(to: StoreLocation): string[] {
  return "url" in to
    ? [
        "Moved. Start the servers with DATABASE_URL set to that database; this folder keeps what it held",
      ]
    : [`Moved. Start the server with DATA_DIR=${resolve(to.folder)} and without DATABASE_URL`];
}

interface StepMeters {
  show(step: string, progress: { done: number; total: number; of: string }): void;
  stop(): void;
}

/** Creates a meter for each step, because each step counts something different. */
async function stepMeters(terminal: Terminal): Promise<StepMeters> {
  const meters = new Map<string, ProgressMeter>();
  for (const step of ["Copying", "Copying files", "Comparing", "Comparing files"]) {
    meters.set(step, await createProgressMeter(step, terminal));
  }
  let current = SILENT_PROGRESS_METER;
  return {
    show(step, { done, total, of }) {
      const meter = meters.get(step) ?? SILENT_PROGRESS_METER;
      if (meter !== current) current.stop();
      current = meter;
      meter.show(done, total, `${done} of ${total}, ${of}`);
    },
    stop() {
      current.stop();
      current = SILENT_PROGRESS_METER;
    },
  };
}
