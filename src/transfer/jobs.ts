import { z } from "zod";
import { type Actor, actorName, requireRecentConfirmation, requireScope } from "../access/actor.ts";
import { auditEntryForChange, type ChangeContext } from "../access/audit.ts";
import { decodeCursor, toCursorPage } from "../content/lists/cursor.ts";
import { AppError, type Wording } from "../errors.ts";
import { newId } from "../new-id.ts";
import type { Job, JobFiles, JobReader, JobStore } from "./job.ts";

const OPEN_JOBS_MAX = 20;
/** Queues an export of the whole site. @throws {AppError} `forbidden`, `unconfirmed`, `unavailable`. */
export async function requestExport(
  jobs: JobStore,
  actor: Actor,
  options: ChangeContext,
): Promise<Job> {
  requireScope(actor, "transfer:run");
  requireRecentConfirmation(actor);
  const id = newId(options.now);
  return await queueJob(jobs, actor, { id, kind: "export", choices: null, total: 0, ...options });
}

/** Lists jobs, newest first. @throws {AppError} `forbidden`; `invalid` for a cursor of another list. */
export async function listJobs(
  jobs: JobReader,
  actor: Actor,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ items: readonly Job[]; nextCursor: string | null }> {
  requireScope(actor, "transfer:run");
  const cursorScope = ["jobs"];
  const before = cursor === undefined ? undefined : decodeCursor(cursor, cursorScope, z.string());
  const found = await jobs.jobs({
    limit: limit + 1,
    ...(before === undefined ? {} : { before }),
  });
  return toCursorPage(found, { limit, query: cursorScope, positionOf: ({ id }) => id });
}

/** @throws {AppError} `forbidden`, `not_found`. */
export async function inspectJob(jobs: JobReader, actor: Actor, id: string): Promise<Job> {
  requireScope(actor, "transfer:run");
  return await requireJob(jobs, id);
}

/**
 * Cancels a job. Items imported so far remain.
 *
 * @throws {AppError} `forbidden`, `not_found`; `conflict` if the job has ended.
 */
export async function cancelJob(
  jobs: JobStore,
  actor: Actor,
  id: string,
  options: ChangeContext,
): Promise<Job> {
  requireScope(actor, "transfer:run");
  return await jobs.write(async (transaction) => {
    const job = await requireJob(transaction, id);
    if (job.endedAt !== null) {
      throw new AppError("conflict", {
        en: `Cannot cancel this job: it is ${job.state} since ${job.endedAt}`,
        de: "Dieser Auftrag lässt sich nicht mehr abbrechen: Er ist schon beendet",
      });
    }
    const entry = auditEntryForChange("transfer.cancel", id, { actor, ...options });
    if (job.state === "running") {
      await transaction.requestCancel(id, entry);
      return job;
    }
    const ended: Job = { ...job, state: "cancelled", endedAt: options.now.toISOString() };
    await transaction.end(ended, entry);
    return ended;
  });
}

/**
 * Opens the result of an export, or the whole report of an import. Both are ZIP files.
 *
 * @throws {AppError} `forbidden`, `unconfirmed`, `not_found`; `conflict` if there is no result.
 */
export async function openJobResult(
  { jobs, files }: { jobs: JobReader; files: JobFiles },
  actor: Actor,
  id: string,
): Promise<{ name: string; bytes: number; stream(): ReadableStream<Uint8Array> }> {
  requireScope(actor, "transfer:run");
  requireRecentConfirmation(actor);
  const job = await requireJob(jobs, id);
  const result = job.state === "done" ? await files.openResult(id) : null;
  const name = job.kind === "export" ? "export.zip" : "import-report.zip";
  if (result !== null) return { ...result, name };
  const reason: Wording =
    job.kind === "import"
      ? { en: "the import has not run to its end", de: "Der Import lief nicht bis zum Ende" }
      : {
          en: `the export is ${job.state}`,
          de: "Der Export ist nicht fertig geworden, oder seine Datei ist schon gelöscht",
        };
  throw new AppError("conflict", {
    en: `There is nothing to fetch: ${reason.en}`,
    de: `Es gibt nichts herunterzuladen: ${reason.de}`,
  });
}

/** @throws {AppError} `unavailable` if too many jobs are queued. */
export async function queueJob(
  jobs: JobStore,
  actor: Actor,
  {
    id,
    kind,
    choices,
    total,
    ...options
  }: ChangeContext & Pick<Job, "id" | "kind" | "choices"> & { total: number },
): Promise<Job> {
  return await jobs.write(async (transaction) => {
    if ((await transaction.openCount()) >= OPEN_JOBS_MAX) {
      throw new AppError(
        "unavailable",
        {
          en: `${OPEN_JOBS_MAX} jobs are waiting already; repeat this when some have ended`,
          de: `Es warten schon ${OPEN_JOBS_MAX} Aufträge: Versuchen Sie es wieder, wenn einige beendet sind`,
        },
        { retryAfterSeconds: 60 },
      );
    }
    const job: Job = {
      id,
      kind,
      state: "queued",
      createdAt: options.now.toISOString(),
      createdBy: actorName(actor),
      startedAt: null,
      endedAt: null,
      progress: { done: 0, total },
      choices,
      report: null,
      error: null,
    };
    await transaction.insert(
      { job, actor },
      auditEntryForChange(`transfer.${kind}`, id, { actor, ...options }),
    );
    return job;
  });
}

/** @throws {AppError} `not_found`. */
export async function requireJob(jobs: JobReader, id: string): Promise<Job> {
  const job = await jobs.job(id);
  if (job === null)
    throw new AppError("not_found", {
      en: `There is no job with the id ${id}`,
      de: "Diesen Auftrag gibt es nicht: Suchen Sie ihn in der Liste der Aufträge",
    });
  return job;
}
