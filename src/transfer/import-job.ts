import type { Actor } from "../access/actor.ts";
import { redactSecrets } from "../access/credentials.ts";
import { type FiledProblem, importItems } from "../content/import/import-items.ts";
import { itemsInLines } from "../content/import/json-line.ts";
import type { ParsedItem } from "../content/import/parsed-item.ts";
import type { ContentRecord, DryRun } from "../content/record.ts";
import { siteTimeZone } from "../content/site/time-zone.ts";
import type { ImportChoices, ImportReport, JobFiles, RunningJob } from "./job.ts";

const PROBLEMS_KEPT_MAX = 1000;
const TURN_MILLISECONDS = 5;

interface ImportJobParts {
  content: ContentRecord;
  dryRun: DryRun;
  files: JobFiles;
  choices: ImportChoices;
  now: () => Date;
}

/** Imports the job's spooled lines and updates its report. @throws the abort reason of `halt`. */
export async function runImport(
  running: RunningJob,
  actor: Actor,
  { content, dryRun, files, choices, now }: ImportJobParts,
): Promise<void> {
  const problems: FiledProblem[] = [];
  const report: ImportReport = {
    ...{ created: 0, updated: 0, unchanged: 0, failed: 0 },
    problems,
    problemsTotal: 0,
  };
  const importInto = async (record: ContentRecord) =>
    await importItems(record, actor, spooledItems(running, { content, files, choices, now }), {
      now: now(),
      yieldBetween: yieldAfterWork(),
      ...(choices.status === null ? {} : { status: choices.status }),
      onProblem(problem) {
        report.problemsTotal += 1;
        if (problems.length >= PROBLEMS_KEPT_MAX) return;
        problems.push({ ...problem, message: redactSecrets(problem.message) });
      },
      onProgress(done, counts) {
        const progress = { done, total: Math.max(done, running.job.progress.total) };
        running.job = { ...running.job, progress, report: { ...report, ...counts } };
      },
    });
  const counts = await (choices.isDryRun ? dryRun(importInto) : importInto(content));
  const { done } = running.job.progress;
  const progress = { done, total: done };
  running.job = { ...running.job, progress, report: { ...report, ...counts } };
}

async function* spooledItems(
  { job, halt }: RunningJob,
  { content, files, choices, now }: Omit<ImportJobParts, "dryRun">,
): AsyncGenerator<ParsedItem> {
  const options = {
    file: "",
    types: await content.types(),
    now: now(),
    timeZone: await siteTimeZone(content),
    unknown: choices.isLenient ? ("leave_out" as const) : ("refuse" as const),
  };
  for await (const parsed of itemsInLines(files.spooled(job.id), options)) {
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
