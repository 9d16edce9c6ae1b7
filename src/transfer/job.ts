import type { Actor } from "../access/actor.ts";
import type { AuditEntry } from "../access/audit.ts";
import type { FiledProblem, ImportCounts } from "../content/import/import-items.ts";

/** How an import treats what it reads, as the options of the command do. */
export interface ImportChoices {
  /** Instead of the status each item states. */
  status: "draft" | "published" | null;
  /** Leave out keys and types nobody has declared, instead of the whole item. */
  isLenient: boolean;
  /** Report what would happen and change nothing. */
  isDryRun: boolean;
}

export interface ImportReport extends ImportCounts {
  /** The first of them. */
  problems: readonly FiledProblem[];
  /** All of them. */
  problemsTotal: number;
}

/** Something long that is done in the background. Times are ISO 8601, UTC. */
export interface Job {
  id: string;
  kind: "import" | "export";
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  createdAt: string;
  /** As the audit log names actors. */
  createdBy: string;
  startedAt: string | null;
  endedAt: string | null;
  /** In items. */
  progress: { done: number; total: number };
  /** Of an import. */
  choices: ImportChoices | null;
  report: ImportReport | null;
  /** Why it failed. */
  error: string | null;
}

/** A job with what it takes to run it. */
export interface RunnableJob {
  job: Job;
  /** Whoever asked, with what they could do then. */
  actor: Actor;
}

/** A job that this process runs. */
export interface RunningJob {
  /** With how far it is. */
  job: Job;
  /** Identifies the claim of this process. */
  claimedUntil: Date;
  /** Aborted when the job is cancelled or taken over, or the process stops. */
  readonly halt: AbortSignal;
}

export interface JobReader {
  job(id: string): Promise<Job | null>;
  /** Latest first, those before an id. */
  jobs(options: { before?: string; limit: number }): Promise<readonly Job[]>;
  /** Is there one that is queued, or that whoever ran it left unfinished? */
  isWaiting(now: Date): Promise<boolean>;
}

export interface JobStore extends JobReader {
  newId(now: Date): string;
  write<T>(change: (transaction: JobTransaction) => Promise<T>): Promise<T>;
}

export interface JobTransaction extends JobReader {
  insert(job: RunnableJob, entry: AuditEntry): Promise<void>;
  /** How many have not ended. */
  openCount(): Promise<number>;
  /** Has it end as cancelled as soon as whoever runs it looks. */
  askToStop(id: string, entry: AuditEntry): Promise<void>;
  /** The first that may run, for this process alone; null while another one runs. */
  claim(now: Date, until: Date): Promise<RunnableJob | null>;
  /**
   * Keeps how far it is, and the claim.
   * @returns whether to go on: false when it was cancelled, removed or taken over.
   */
  keepUp(job: Job, claim: { held: Date; until: Date }): Promise<boolean>;
  /**
   * Keeps how it ended, and ends the claim; `queued` gives it back.
   * @returns false, with nothing done, when it was taken over.
   */
  settle(job: Job, held: Date): Promise<boolean>;
  /** Ends one that nobody runs. */
  end(job: Job, entry: AuditEntry): Promise<void>;
  /** Removes those that ended before a time. */
  forget(before: Date): Promise<void>;
  /** Ids of all there are. */
  ids(): Promise<ReadonlySet<string>>;
}

/** What jobs read and write beside the record, each file by the id of its job. */
export interface JobFiles {
  /**
   * Keeps what an import is to read.
   * @returns how many lines it has.
   * @throws {AppError} `too_large`; `unavailable` when the disk is full. Then nothing is left of it.
   */
  spool(id: string, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  spooled(id: string): AsyncIterable<Uint8Array>;
  /** Keeps what an export makes; all of it or nothing. */
  writeResult(id: string, texts: AsyncIterable<string>): Promise<void>;
  /** Null: there is none. */
  openResult(id: string): Promise<{ bytes: number; stream(): ReadableStream<Uint8Array> } | null>;
  remove(id: string): Promise<void>;
  /** Removes what belongs to none of these jobs and was not written lately. */
  clear(known: ReadonlySet<string>, now: Date): Promise<void>;
}
