import type { Kysely } from "kysely";
import type { AuditEntry } from "../../../access/audit.ts";
import type { Wording } from "../../../errors.ts";
import type {
  Job,
  JobReader,
  JobStore,
  JobTransaction,
  JobWithInterruptionCount,
  JobWithRequester,
} from "../../../transfer/job.ts";
import { mapReportTexts } from "../../../transfer/report-texts.ts";
import { writeAuditEntry } from "../access/audit.ts";
import type { Connections } from "../connections.ts";
import type { RecordTables } from "../tables.ts";
import { isLeaseValid } from "./due.ts";
import type { JobRow } from "./queue-rows.ts";

class JobQueries implements JobReader {
  protected readonly db: Kysely<RecordTables>;

  constructor(db: Kysely<RecordTables>) {
    this.db = db;
  }

  async job(id: string): Promise<Job | null> {
    const row = await this.db
      .selectFrom("jobs")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? null : jobOf(row);
  }

  async jobs({ before, limit }: { before?: string; limit: number }): Promise<Job[]> {
    const latest = this.db.selectFrom("jobs").selectAll().orderBy("id", "desc").limit(limit);
    const rows = await (before === undefined ? latest : latest.where("id", "<", before)).execute();
    return rows.map(jobOf);
  }

  async isWaiting(now: Date): Promise<boolean> {
    return (await this.nextRow(now)) !== null;
  }

  /** The next job to run, if none is running. Jobs whose claim expired come first. */
  protected async nextRow(now: Date): Promise<JobRow | null> {
    const open = await this.db
      .selectFrom("jobs")
      .selectAll()
      .where("ended_at", "is", null)
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    const isRunning = open.some(({ claimed_until }) => isLeaseValid(claimed_until, now));
    return isRunning ? null : (open.find(({ state }) => state === "running") ?? open[0] ?? null);
  }
}

class KyselyJobTransaction extends JobQueries implements JobTransaction {
  async insert({ job, actor }: JobWithRequester, entry: AuditEntry): Promise<void> {
    await this.db
      .insertInto("jobs")
      .values({
        ...jobRow(job),
        actor: JSON.stringify(actor),
        is_to_stop: 0,
        interruptions: 0,
        claimed_until: null,
      })
      .execute();
    await writeAuditEntry(this.db, entry);
  }

  async openCount(): Promise<number> {
    const row = await this.db
      .selectFrom("jobs")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("ended_at", "is", null)
      .executeTakeFirst();
    return row?.count ?? 0;
  }

  async requestCancel(id: string, entry: AuditEntry): Promise<void> {
    await this.db.updateTable("jobs").set({ is_to_stop: 1 }).where("id", "=", id).execute();
    await writeAuditEntry(this.db, entry);
  }

  async claim(now: Date, until: Date): Promise<JobWithInterruptionCount | null> {
    const row = await this.nextRow(now);
    if (row === null) return null;
    const job: Job = {
      ...jobOf(row),
      state: "running",
      startedAt: row.started_at ?? now.toISOString(),
    };
    const interruptions = row.interruptions + (row.state === "running" ? 1 : 0);
    await this.db
      .updateTable("jobs")
      .set({ ...jobRow(job), interruptions, claimed_until: until.toISOString() })
      .where("id", "=", job.id)
      .execute();
    return { job, actor: JSON.parse(row.actor), interruptions };
  }

  async renewClaim(
    job: Job,
    { heldUntil, until }: { heldUntil: Date; until: Date },
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#ofClaim(job, heldUntil)
      .set({ claimed_until: until.toISOString() })
      .where("is_to_stop", "=", 0)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async settle(job: Job, heldUntil: Date): Promise<boolean> {
    const { numUpdatedRows } = await this.#ofClaim(job, heldUntil)
      .set({ claimed_until: null })
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async end(job: Job, entry: AuditEntry): Promise<void> {
    await this.db
      .updateTable("jobs")
      .set({ ...jobRow(job), claimed_until: null })
      .where("id", "=", job.id)
      .execute();
    await writeAuditEntry(this.db, entry);
  }

  async forget(before: Date): Promise<void> {
    await this.db.deleteFrom("jobs").where("ended_at", "<", before.toISOString()).execute();
  }

  async ids(): Promise<ReadonlySet<string>> {
    const rows = await this.db.selectFrom("jobs").select("id").execute();
    return new Set(rows.map(({ id }) => id));
  }

  /** Returns an update that changes the job only if this claim on it is current. */
  #ofClaim(job: Job, heldUntil: Date) {
    return this.db
      .updateTable("jobs")
      .set(jobRow(job))
      .where("id", "=", job.id)
      .where("claimed_until", "=", heldUntil.toISOString());
  }
}

export class KyselyJobStore extends JobQueries implements JobStore {
  readonly #transact: Connections["transact"];

  constructor({ reader, transact }: Connections) {
    super(reader);
    this.#transact = transact;
  }

  async write<T>(change: (transaction: JobTransaction) => Promise<T>): Promise<T> {
    return await this.#transact((db) => change(new KyselyJobTransaction(db)));
  }
}

function jobOf(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    createdAt: row.created_at,
    createdBy: row.created_by,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    progress: { done: row.done, total: row.total },
    choices: JSON.parse(row.options),
    ...parseWordings(row),
  };
}

/** German texts of a job's messages, keyed by the English text. */
type German = Record<string, string>;

/**
 * Reads a job's report and error from its row. A row of an earlier version has only English texts, which
 * are then used in place of the German texts.
 */
function parseWordings(
  row: Pick<JobRow, "report" | "error" | "german">,
): Pick<Job, "report" | "error"> {
  const german: German = row.german === null ? {} : JSON.parse(row.german);
  const wordingOf = (en: string): Wording => ({ en, de: german[en] ?? en });
  return {
    report:
      row.report === null
        ? null
        : mapReportTexts({ conflicts: 0, ...JSON.parse(row.report) }, wordingOf),
    error: row.error === null ? null : wordingOf(row.error),
  };
}

/**
 * Returns the columns for a job's report and error. `report` and `error` are in English, for instances of
 * an earlier version. `german` has the German texts.
 */
function storedTexts({
  report,
  error,
}: Pick<Job, "report" | "error">): Pick<JobRow, "report" | "error" | "german"> {
  const german: German = {};
  const english = ({ en, de }: Wording): string => {
    if (de !== en) german[en] = de;
    return en;
  };
  const stored = {
    report: report === null ? null : JSON.stringify(mapReportTexts(report, english)),
    error: error === null ? null : english(error),
  };
  return { ...stored, german: Object.keys(german).length === 0 ? null : JSON.stringify(german) };
}

function jobRow(
  job: Job,
): Omit<JobRow, "actor" | "is_to_stop" | "interruptions" | "claimed_until"> {
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    options: JSON.stringify(job.choices),
    done: job.progress.done,
    total: job.progress.total,
    ...storedTexts(job),
    created_at: job.createdAt,
    created_by: job.createdBy,
    started_at: job.startedAt,
    ended_at: job.endedAt,
  };
}
