import type { Actor } from "../access/actor.ts";
import { redactSecrets } from "../access/credentials.ts";
import type { ContentDesk } from "../content/editing/desk.ts";
import {
  type FiledProblem,
  type ItemOutcome,
  importItems,
} from "../content/import/import-items.ts";
import { itemsInLines } from "../content/import/json-line.ts";
import type { ParsedItem } from "../content/import/parsed-item.ts";
import type { ContentRecord, DryRun } from "../content/record.ts";
import { siteTimeZone } from "../content/site/time-zone.ts";
import type { ImportChoices, ImportReport, JobFiles, RunningJob } from "./job.ts";
import { inputIdOf } from "./job-inputs.ts";
import { openSpooledTable } from "./table-job.ts";

const PROBLEMS_KEPT_MAX = 1000;
const ITEMS_KEPT_MAX = 1000;
const TURN_MILLISECONDS = 5;

interface ImportJobParts {
  content: ContentRecord;
  dryRun: DryRun;
  desk: Pick<ContentDesk, "list">;
  files: JobFiles;
  choices: ImportChoices;
  now: () => Date;
}

/** Imports the job's spooled file and updates its report. @throws the abort reason of `halt`. */
export async function runImport(
  running: RunningJob,
  actor: Actor,
  parts: ImportJobParts,
): Promise<void> {
  const { content, dryRun, choices } = parts;
  const importInto = async (record: ContentRecord) =>
    await importSpooled(record, actor, running, parts);
  await (choices.isDryRun ? dryRun(importInto) : importInto(content));
}

async function importSpooled(
  record: ContentRecord,
  actor: Actor,
  running: RunningJob,
  parts: ImportJobParts,
): Promise<void> {
  const { choices, now } = parts;
  const problems: FiledProblem[] = [];
  const outcomes: ItemOutcome[] = [];
  const report: ImportReport = {
    ...{ created: 0, updated: 0, unchanged: 0, failed: 0 },
    problems,
    problemsTotal: 0,
    ...(choices.table === undefined ? {} : { items: outcomes }),
  };
  const onProblem = (problem: FiledProblem) => {
    report.problemsTotal += 1;
    if (problems.length >= PROBLEMS_KEPT_MAX) return;
    problems.push({ ...problem, message: redactSecrets(problem.message) });
  };
  const show = (done: number, total: number) => {
    const progress = { done, total: Math.max(done, total) };
    running.job = { ...running.job, progress, report: { ...report } };
  };
  const yieldBetween = yieldAfterWork();
  await using table =
    choices.table === undefined
      ? null
      : await openSpooledTable(record, actor, running, choices.table, {
          ...{ ...parts, yieldBetween, now: now() },
          onTable(reading) {
            report.table = reading;
            show(0, reading.rows + reading.names);
          },
        });
  const items = table === null ? spooledItems(record, running, parts) : table.items();
  Object.assign(
    report,
    await importItems(record, actor, items, {
      now: now(),
      yieldBetween,
      ...(choices.status === null ? {} : { status: choices.status }),
      onProblem,
      onSkipped: (file, reason, line) =>
        onProblem({ file, line, field: "", message: `${reason}; skipped`, severity: "warning" }),
      onOutcome(outcome) {
        if (outcomes.length < ITEMS_KEPT_MAX) outcomes.push(outcome);
      },
      onProgress(done, counts) {
        Object.assign(report, counts);
        show(done, running.job.progress.total);
      },
    }),
  );
  const { done } = running.job.progress;
  show(done, done);
}

async function* spooledItems(
  record: ContentRecord,
  { job, halt }: RunningJob,
  { files, choices, now }: ImportJobParts,
): AsyncGenerator<ParsedItem> {
  const options = {
    file: "",
    types: await record.types(),
    now: now(),
    timeZone: await siteTimeZone(record),
    unknown: choices.isLenient ? ("leave_out" as const) : ("refuse" as const),
  };
  for await (const parsed of itemsInLines(files.spooled(inputIdOf(job)), options)) {
    halt.throwIfAborted();
    yield withIdentity(parsed);
  }
}

/** An import may restart, so each item needs a key that identifies it. */
function withIdentity(parsed: ParsedItem): ParsedItem {
  const { input } = parsed;
  if (input === null || (input.sourceKey ?? input.path ?? input.slug) !== undefined) return parsed;
  const message = "needs a sourceKey or a path, by which it is known when it comes again";
  const problem = { ...parsed.placeOf(""), message, severity: "error" as const };
  return { ...parsed, input: null, problems: [...parsed.problems, problem] };
}

/** Yields to the event loop after every few milliseconds of work. */
function yieldAfterWork(): () => Promise<void> {
  let startedAt = performance.now();
  return async () => {
    if (performance.now() - startedAt < TURN_MILLISECONDS) return;
    await new Promise((resolve) => setImmediate(resolve));
    startedAt = performance.now();
  };
}
