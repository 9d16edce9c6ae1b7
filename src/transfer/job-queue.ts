import { type Actor, requireScope } from "../access/actor.ts";
import { type ActorStores, revalidateActor } from "../access/revalidation.ts";
import type { MediaFileStorage } from "../content/media/media.ts";
import type { ContentRecord, DryRunner } from "../content/record.ts";
import { AppError, isTransientError, type Wording } from "../errors.ts";
import type { Log } from "../log.ts";
import type { TaskQueue } from "../work/queue-worker.ts";
import { runExport } from "./export-job.ts";
import { runImport } from "./import-job.ts";
import { requireImporter } from "./import-requests.ts";
import type {
  FileImporter,
  Job,
  JobFiles,
  JobStore,
  JobWithInterruptionCount,
  LiveSiteCopier,
  RunningJob,
} from "./job.ts";
import { pruneImportInputs } from "./job-inputs.ts";
import { jobLeaseExpiry, renewLeaseEverySecond } from "./lease-renewal.ts";
import type { Snapshot } from "./snapshot.ts";

/** A job is not restarted after its process has died this many times. */
const INTERRUPTIONS_MAX = 3;
const RETENTION_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

export interface JobQueueDependencies extends ActorStores {
  jobs: JobStore;
  files: JobFiles;
  content: ContentRecord;
  dryRun: DryRunner;
  importFile: FileImporter;
  copyLiveSite: LiveSiteCopier;
  mediaFiles: Pick<MediaFileStorage, "find">;
  snapshot: () => Snapshot;
  /** The wall clock, for the dates of imported items. */
  now: () => Date;
  /** A clock that does not jump, for claims. */
  steadyNow: () => Date;
  log: Log;
}

interface ClaimedJob extends JobWithInterruptionCount {
  claimedUntil: Date;
}

type JobEnd = Pick<Job, "state" | "error">;

/**
 * Runs imports and exports, one at a time across all processes. An interrupted job restarts from the
 * beginning, twice at most; an import then updates the items that it has already saved.
 */
export function createJobQueue(parts: JobQueueDependencies): TaskQueue<ClaimedJob> {
  const { jobs, steadyNow } = parts;
  return {
    taskName: "job",
    concurrencyMax: 1,
    graceMilliseconds: 0,
    async claim() {
      const now = steadyNow();
      if (!(await jobs.isWaiting(now))) return [];
      const claimedUntil = jobLeaseExpiry(steadyNow());
      const claimed = await jobs.write((transaction) => transaction.claim(now, claimedUntil));
      return claimed === null ? [] : [{ ...claimed, claimedUntil }];
    },
    run: async (claimed, stopping) => await runJob(claimed, parts, stopping),
  };
}

async function runJob(
  { job, actor, interruptions, claimedUntil }: ClaimedJob,
  parts: JobQueueDependencies,
  stopping: AbortSignal,
): Promise<void> {
  const { jobs, files, steadyNow } = parts;
  const cancellation = new AbortController();
  const halt = AbortSignal.any([cancellation.signal, stopping]);
  const running: RunningJob = { job, claimedUntil, halt };
  const end =
    interruptions < INTERRUPTIONS_MAX
      ? await outcomeOf(running, actor, { parts, stopping }).finally(
          renewLeaseEverySecond(running, cancellation, {
            ...parts,
            requireAllowed: () => requireStillAllowed(actor, job, parts),
          }),
        )
      : INTERRUPTED;
  if (end === null) return;
  const endedAt = end.state === "queued" ? null : steadyNow().toISOString();
  const isOurs = await jobs.write((transaction) =>
    transaction.settle({ ...running.job, ...end, endedAt }, running.claimedUntil),
  );
  if (isOurs && endedAt !== null) await pruneImportInputs(running.job, end.state, { jobs, files });
}

const INTERRUPTED: JobEnd = {
  state: "failed",
  error: {
    en: `The server stopped ${INTERRUPTIONS_MAX} times while this ran, perhaps for lack of memory: split a large file and try again, or ask the operator to look into the server's log`,
    de: `Der Server brach dabei ${INTERRUPTIONS_MAX}-mal ab, vielleicht aus Mangel an Speicher: Teilen Sie eine große Datei auf und versuchen Sie es noch einmal, oder bitten Sie, wer den Server betreibt, in dessen Protokoll nachzusehen`,
  },
};

/** Runs the job and returns its outcome; null if it was removed or another process took it over. */
async function outcomeOf(
  running: RunningJob,
  actor: Actor,
  { parts, stopping }: { parts: JobQueueDependencies; stopping: AbortSignal },
): Promise<JobEnd | null> {
  const { id, kind, choices } = running.job;
  try {
    const current = await requireStillAllowed(actor, running.job, parts);
    if (kind === "export" || choices === null) await runExport(running, current, parts);
    else await runImport(running, current, { ...parts, choices });
    return { state: "done", error: null };
  } catch (error) {
    const isHalted = running.halt.aborted && error === running.halt.reason;
    if (!isHalted || error instanceof AppError) return failure(error, id, parts);
    if (stopping.aborted) return { state: "queued", error: null };
    return (await parts.jobs.job(id)) === null ? null : { state: "cancelled", error: null };
  }
}

const INTERNAL_ERROR: Wording = {
  en: "Internal error",
  de: "Ein Fehler im Programm; wer den Server betreibt, findet mehr im Protokoll des Servers",
};

/**
 * The outcome of a job that failed. The job is queued again if the record is temporarily unavailable.
 */
function failure(error: unknown, id: string, { log }: JobQueueDependencies): JobEnd {
  if (isTransientError(error)) return { state: "queued", error: null };
  if (error instanceof AppError) return { state: "failed", error: error.wording };
  log.error({ err: error, job: id }, "A job failed");
  return { state: "failed", error: INTERNAL_ERROR };
}

/**
 * Returns the actor with its current scopes.
 *
 * @throws {AppError} `forbidden` if the actor may not run this job any more.
 */
async function requireStillAllowed(
  actor: Actor,
  { choices }: Job,
  parts: JobQueueDependencies,
): Promise<Actor> {
  const current = await revalidateActor(actor, parts, parts.now());
  if (choices === null) requireScope(current, "transfer:run");
  else requireImporter(current, choices);
  return current;
}

/** Removes jobs that ended more than a week ago, with their files. */
export async function pruneJobs(
  { jobs, files }: Pick<JobQueueDependencies, "jobs" | "files">,
  now: Date,
): Promise<void> {
  const before = new Date(now.getTime() - RETENTION_MILLISECONDS);
  const jobIds = await jobs.write(async (transaction) => {
    await transaction.forget(before);
    return await transaction.ids();
  });
  await files.clear(jobIds, now);
}
