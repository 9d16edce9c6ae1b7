import { z } from "zod";
import { type Actor, actorName, requireConfirmed, requireScope } from "../access/actor.ts";
import { changeEntry } from "../access/audit.ts";
import { decodeCursor, encodeCursor } from "../content/lists/cursor.ts";
import { AppError } from "../errors.ts";
import type { ImportChoices, Job, JobFiles, JobReader, JobStore, TableInput } from "./job.ts";
import { inputIdOf } from "./job-inputs.ts";

const OPEN_MAX = 20;
/** A dry run holds the write lock for its whole duration. */
const DRY_RUN_LINES_MAX = 20_000;

const TABLE_BYTES_MAX = 64 * 1024 * 1024;

export interface JobOptions {
  now: Date;
  requestId?: string;
}

/**
 * Queues an import of JSON lines or a table, which runs with the actor's current scopes.
 *
 * @throws {AppError} `forbidden`; `too_large`; `unavailable` if too many jobs are queued.
 */
export async function requestImport(
  { jobs, files }: { jobs: JobStore; files: JobFiles },
  actor: Actor,
  {
    bytes,
    choices,
    ...options
  }: JobOptions & {
    bytes: AsyncIterable<Uint8Array>;
    choices: ImportChoices;
  },
): Promise<Job> {
  requireImporter(actor, choices);
  const id = jobs.newId(options.now);
  const isTable = choices.table !== undefined;
  const lines = await files.spool(id, isTable ? tableBytes(bytes) : bytes);
  try {
    if (choices.isDryRun && lines > DRY_RUN_LINES_MAX && !isTable) {
      throw new AppError(
        "too_large",
        `A dry run takes at most ${DRY_RUN_LINES_MAX} lines, for others cannot write meanwhile; try a part of them`,
      );
    }
    const total = isTable ? 0 : lines;
    return await queue(jobs, actor, { id, kind: "import", choices, total, ...options });
  } catch (error) {
    await files.remove(id);
    throw error;
  }
}

/**
 * Queues an import of the same file with other choices: a dry run for a run, or a corrected mapping.
 *
 * @throws {AppError} `forbidden`, `not_found`, `unavailable`; `conflict` if it is no import of a table, or
 * has not ended.
 */
export async function repeatImport(
  jobs: JobStore,
  actor: Actor,
  id: string,
  {
    status,
    isDryRun,
    table,
    ...options
  }: JobOptions & Pick<ImportChoices, "status" | "isDryRun"> & { table: Omit<TableInput, "file"> },
): Promise<Job> {
  requireImporter(actor, { status });
  const before = await existingJob(jobs, id);
  const file = before.choices?.table?.file;
  if (file === undefined) {
    throw new AppError("conflict", "Cannot repeat this job: only imports of tables are repeated");
  }
  if (before.endedAt === null) {
    throw new AppError("conflict", `Cannot repeat this import: it is ${before.state}`);
  }
  const choices: ImportChoices = {
    ...{ status, isDryRun, isLenient: false },
    table: { file, ...table },
    inputOf: inputIdOf(before),
  };
  const repeated = { id: jobs.newId(options.now), kind: "import", choices, total: 0 } as const;
  return await queue(jobs, actor, { ...repeated, ...options });
}

/** Queues an export of all items. @throws {AppError} `forbidden`, `unconfirmed`, `unavailable`. */
export async function requestExport(
  jobs: JobStore,
  actor: Actor,
  options: JobOptions,
): Promise<Job> {
  requireScope(actor, "transfer:run");
  requireConfirmed(actor);
  const id = jobs.newId(options.now);
  return await queue(jobs, actor, { id, kind: "export", choices: null, total: 0, ...options });
}

/** @throws {AppError} `forbidden`; `invalid` for a cursor of another list. */
export async function listJobs(
  jobs: JobReader,
  actor: Actor,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ items: readonly Job[]; nextCursor: string | null }> {
  requireScope(actor, "transfer:run");
  const asked = ["jobs"];
  const before = cursor === undefined ? undefined : decodeCursor(cursor, asked, z.string());
  const found = await jobs.jobs({
    limit: limit + 1,
    ...(before === undefined ? {} : { before }),
  });
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, nextCursor: last === undefined ? null : encodeCursor(asked, last.id) };
}

/** @throws {AppError} `forbidden`, `not_found`. */
export async function inspectJob(jobs: JobReader, actor: Actor, id: string): Promise<Job> {
  requireScope(actor, "transfer:run");
  return await existingJob(jobs, id);
}

/**
 * Cancels a job. Items imported so far remain.
 *
 * @throws {AppError} `forbidden`, `not_found`; `conflict` if it has ended.
 */
export async function cancelJob(
  jobs: JobStore,
  actor: Actor,
  id: string,
  options: JobOptions,
): Promise<Job> {
  requireScope(actor, "transfer:run");
  return await jobs.write(async (transaction) => {
    const job = await existingJob(transaction, id);
    if (job.endedAt !== null) {
      throw new AppError(
        "conflict",
        `Cannot cancel this job: it is ${job.state} since ${job.endedAt}`,
      );
    }
    const entry = changeEntry("transfer.cancel", id, { actor, ...options });
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
 * The result file of an export.
 *
 * @throws {AppError} `forbidden`, `unconfirmed`, `not_found`; `conflict` if there is no result.
 */
export async function openResult(
  { jobs, files }: { jobs: JobReader; files: JobFiles },
  actor: Actor,
  id: string,
): Promise<{ bytes: number; stream(): ReadableStream<Uint8Array> }> {
  requireScope(actor, "transfer:run");
  requireConfirmed(actor);
  const job = await existingJob(jobs, id);
  const result = job.kind === "export" && job.state === "done" ? await files.openResult(id) : null;
  if (result !== null) return result;
  const reason = job.kind === "import" ? "an import makes no file" : `the export is ${job.state}`;
  throw new AppError("conflict", `There is nothing to fetch: ${reason}`);
}

function requireImporter(actor: Actor, { status }: Pick<ImportChoices, "status">): void {
  requireScope(actor, "transfer:run");
  requireScope(actor, "content:write");
  if (status === "published") requireScope(actor, "content:publish");
}

async function* tableBytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > TABLE_BYTES_MAX) {
      const limit = `${TABLE_BYTES_MAX / 1024 / 1024} MiB`;
      const message = `The table is larger than ${limit}; split it, or import it with the command line`;
      throw new AppError("too_large", message);
    }
    yield piece;
  }
}

async function queue(
  jobs: JobStore,
  actor: Actor,
  {
    id,
    kind,
    choices,
    total,
    ...options
  }: JobOptions & Pick<Job, "id" | "kind" | "choices"> & { total: number },
): Promise<Job> {
  return await jobs.write(async (transaction) => {
    if ((await transaction.openCount()) >= OPEN_MAX) {
      throw new AppError(
        "unavailable",
        `${OPEN_MAX} jobs are waiting already; repeat this when some have ended`,
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
      changeEntry(`transfer.${kind}`, id, { actor, ...options }),
    );
    return job;
  });
}

async function existingJob(jobs: JobReader, id: string): Promise<Job> {
  const job = await jobs.job(id);
  if (job === null) throw new AppError("not_found", `There is no job with the id ${id}`);
  return job;
}
