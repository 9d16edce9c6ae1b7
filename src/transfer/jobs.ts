import { z } from "zod";
import { type Actor, actorName, requireConfirmed, requireScope } from "../access/actor.ts";
import { type ChangeContext, changeEntry } from "../access/audit.ts";
import { isTableFile } from "../content/import/file-path.ts";
import { cursorPage, decodeCursor } from "../content/lists/cursor.ts";
import { AppError, type Wording } from "../errors.ts";
import { newId } from "../new-id.ts";
import type { FileInput, ImportChoices, Job, JobFiles, JobReader, JobStore } from "./job.ts";
import { inputIdOf } from "./job-inputs.ts";
import { readSiteAddress } from "./site-address.ts";

const OPEN_JOBS_MAX = 20;
const TABLE_BYTES_MAX = 64 * 1024 * 1024;
/** The texts of the upload form repeat this limit (`src/http/admin/texts/running/`). */
const FILE_BYTES_MAX = 1024 ** 3;

/**
 * Queues an import of JSON lines or another file. It runs with the actor's current scopes.
 *
 * @throws {AppError} `forbidden`; `too_large`; `unavailable` if too many jobs are queued.
 */
export async function requestImport(
  { jobs, files }: { jobs: JobStore; files: JobFiles },
  actor: Actor,
  {
    bytes,
    bytesAtLeast,
    choices,
    ...options
  }: ChangeContext & {
    bytes: AsyncIterable<Uint8Array>;
    /** A lower bound of the size, from what the client declares; 0: unknown. */
    bytesAtLeast: number;
    choices: ImportChoices;
  },
): Promise<Job> {
  requireImporter(actor, choices);
  const id = newId(options.now);
  const { file } = choices;
  if (file !== undefined) requireSize(bytesAtLeast, file);
  const lines = await files.spool(id, file === undefined ? bytes : limitedBytes(bytes, file));
  try {
    const total = file === undefined ? lines : 0;
    return await queue(jobs, actor, { id, kind: "import", choices, total, ...options });
  } catch (error) {
    await files.removeInput(id);
    throw error;
  }
}

/**
 * Queues a dry run of importing a live site, which is copied first. {@link repeatImport} imports the copy.
 *
 * @param address may lack its scheme.
 * @throws {AppError} `forbidden`; `invalid` for an address that is none; `unavailable` if too many jobs are queued.
 */
export async function requestSiteImport(
  jobs: JobStore,
  actor: Actor,
  address: string,
  options: ChangeContext,
): Promise<Job> {
  const url = readSiteAddress(address);
  const name = `${new URL(url).hostname.replace(/[^\w.-]/g, "")}.zip`;
  const choices: ImportChoices = {
    ...{ status: null, isLenient: false, isDryRun: true, address: url },
    file: { name, type: null, sheet: null, columns: {} },
  };
  requireImporter(actor, choices);
  const id = newId(options.now);
  return await queue(jobs, actor, { id, kind: "import", choices, total: 0, ...options });
}

/**
 * Queues another import of the same file with different choices: a real run after a dry run, or a corrected
 * mapping.
 *
 * @throws {AppError} `forbidden`, `not_found`, `unavailable`; `conflict` if the job is not an
 * import or has not ended.
 */
export async function repeatImport(
  jobs: JobStore,
  actor: Actor,
  id: string,
  { changes, ...options }: ChangeContext & { changes: ChangedChoices },
): Promise<Job> {
  const before = await existingJob(jobs, id);
  if (before.choices === null) {
    throw new AppError("conflict", {
      en: "Cannot repeat this job: only imports are repeated",
      de: "Dieser Auftrag lässt sich nicht wiederholen: Das geht nur bei Importen",
    });
  }
  if (before.endedAt === null) {
    throw new AppError("conflict", {
      en: `Cannot repeat this import: it is ${before.state}`,
      de: "Dieser Import lässt sich nicht wiederholen, solange er noch läuft: Warten Sie, oder brechen Sie ihn ab",
    });
  }
  const { status, prefer, isDryRun, isLenient, ...fileChoices } = changes;
  const { file, address } = before.choices;
  const choices: ImportChoices = {
    ...{ status, isDryRun, isLenient, inputOf: inputIdOf(before) },
    ...(prefer === undefined ? {} : { prefer }),
    ...(address === undefined ? {} : { address }),
    ...(file === undefined ? {} : { file: { name: file.name, ...fileChoices } }),
  };
  requireImporter(actor, choices);
  const repeated = { id: newId(options.now), kind: "import", choices, total: 0 } as const;
  return await queue(jobs, actor, { ...repeated, ...options });
}

type ChangedChoices = Pick<ImportChoices, "status" | "prefer" | "isDryRun" | "isLenient"> &
  Omit<FileInput, "name">;

/** Queues an export of the whole site. @throws {AppError} `forbidden`, `unconfirmed`, `unavailable`. */
export async function requestExport(
  jobs: JobStore,
  actor: Actor,
  options: ChangeContext,
): Promise<Job> {
  requireScope(actor, "transfer:run");
  requireConfirmed(actor);
  const id = newId(options.now);
  return await queue(jobs, actor, { id, kind: "export", choices: null, total: 0, ...options });
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
  return cursorPage(found, { limit, query: cursorScope, positionOf: ({ id }) => id });
}

/** @throws {AppError} `forbidden`, `not_found`. */
export async function inspectJob(jobs: JobReader, actor: Actor, id: string): Promise<Job> {
  requireScope(actor, "transfer:run");
  return await existingJob(jobs, id);
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
    const job = await existingJob(transaction, id);
    if (job.endedAt !== null) {
      throw new AppError("conflict", {
        en: `Cannot cancel this job: it is ${job.state} since ${job.endedAt}`,
        de: "Dieser Auftrag lässt sich nicht mehr abbrechen: Er ist schon beendet",
      });
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
 * Opens the result file of an export, or the whole report of an import: ZIPs.
 *
 * @throws {AppError} `forbidden`, `unconfirmed`, `not_found`; `conflict` if there is no result.
 */
export async function openResult(
  { jobs, files }: { jobs: JobReader; files: JobFiles },
  actor: Actor,
  id: string,
): Promise<{ name: string; bytes: number; stream(): ReadableStream<Uint8Array> }> {
  requireScope(actor, "transfer:run");
  requireConfirmed(actor);
  const job = await existingJob(jobs, id);
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

/**
 * Checks the scopes for an import. Files other than tables and JSON lines may contain pictures and
 * redirects.
 */
function requireImporter(
  actor: Actor,
  { status, file }: Pick<ImportChoices, "status" | "file">,
): void {
  requireScope(actor, "transfer:run");
  requireScope(actor, "content:write");
  if (status === "published") requireScope(actor, "content:publish");
  if (file === undefined || isTableFile(file.name)) return;
  requireScope(actor, "content:publish");
  requireScope(actor, "media:write");
}

async function* limitedBytes(
  bytes: AsyncIterable<Uint8Array>,
  file: FileInput,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    requireSize(size, file);
    yield piece;
  }
}

function requireSize(bytes: number, { name }: FileInput): void {
  const isTable = isTableFile(name);
  const limit = isTable ? TABLE_BYTES_MAX : FILE_BYTES_MAX;
  if (bytes <= limit) return;
  const limitText = isTable ? `${limit / 1024 ** 2} MB` : `${limit / 1024 ** 3} GB`;
  throw new AppError("too_large", {
    en: `The ${isTable ? "table" : "file"} is larger than ${limitText}; split it, or import it with the command line`,
    de: `Die ${isTable ? "Tabelle" : "Datei"} ist größer als ${limitText}: Teilen Sie sie auf, oder bitten Sie, wer den Server betreibt, sie einzuspielen`,
  });
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
      changeEntry(`transfer.${kind}`, id, { actor, ...options }),
    );
    return job;
  });
}

async function existingJob(jobs: JobReader, id: string): Promise<Job> {
  const job = await jobs.job(id);
  if (job === null)
    throw new AppError("not_found", {
      en: `There is no job with the id ${id}`,
      de: "Diesen Auftrag gibt es nicht: Suchen Sie ihn in der Liste der Aufträge",
    });
  return job;
}
