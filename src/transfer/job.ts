import type { Actor } from "../access/actor.ts";
import type { AuditEntry } from "../access/audit.ts";
import type { PreferredSide } from "../content/editing/imported/saving-imports.ts";
import type {
  ImportEventHandlers,
  ImportTotals,
  RedirectCounts,
} from "../content/import/import-events.ts";
import type { FileProblem, ImportCounts, ItemOutcome } from "../content/import/import-items.ts";
import type { TableReadResult } from "../content/import/tables/reading/table-reading.ts";
import type { OmittedRecords } from "../content/import/wordpress/wordpress-plan.ts";
import type { ContentRecord } from "../content/record.ts";
import type { GeneratorChoiceOrDetect } from "../content/site/import-choices/generator-choices.ts";
import type { Wording } from "../errors.ts";

export interface ImportChoices {
  /** Overrides the status of each item. */
  status: "draft" | "published" | null;
  /**
   * The side that wins if an item was changed both on the site and in the file; absent: neither side.
   */
  prefer?: NonNullable<PreferredSide>;
  /** Whether to leave out undeclared fields and types instead of rejecting the item. */
  isLenient: boolean;
  /** Whether to report the outcome without changing anything. */
  isDryRun: boolean;
  /** How to read the file; absent: the input consists of JSON lines. */
  file?: FileReadChoices;
  /** The absolute URL of a live site that is copied into a file before the import. */
  address?: string;
  /** Whether the live site is copied through the REST interface of WordPress; absent: it is not. */
  isWordPress?: boolean;
  /** The earlier import whose file this one uses; absent: this import has its own file. */
  inputOf?: string;
}

/**
 * The caller's choices for reading a file. A missing choice is taken from the choices saved on the
 * site, or guessed.
 */
export interface FileReadChoices {
  /** The file extension determines the format. */
  name: string;
  /** Content type of the rows of a table or the entries of a bibliography; null: not chosen. */
  type: string | null;
  /** Sheet of a workbook; null: the first. */
  sheet: string | null;
  /** Target of each column of a table; `-` leaves the column out. */
  columns: Readonly<Record<string, string>>;
  /**
   * Pairs of a type in the imported files and the type of this site that replaces it, such as `post=page`.
   * Absent: the pairs saved on the site.
   */
  as?: readonly string[];
  /**
   * Whether the file is a ZIP of files that were sent together. Messages then leave out the name of the ZIP.
   */
  isSeveral?: boolean;
  /** The site generator of a folder; absent: as saved on the site, or else detected. */
  generator?: GeneratorChoiceOrDetect;
}

/**
 * Imports a file in any format that the command line accepts.
 *
 * @throws {AppError} `invalid` if the file cannot be read at all.
 */
export type FileImporter = (
  record: ContentRecord,
  actor: Actor,
  file: FileReadChoices & { path: string },
  options: FileImportOptions,
) => Promise<FileImportTotals>;

/**
 * Copies a live site. If an earlier copy was interrupted, continues it.
 *
 * @returns a ZIP of its pages, files and redirects, or the export of a WordPress site.
 * @throws {AppError} `invalid` if the site cannot be copied; `too_large`.
 * @throws the abort reason of `halt`.
 */
export type LiveSiteCopier = (
  address: string,
  options: {
    isWordPress: boolean;
    halt: AbortSignal;
    onCopied: (copied: LiveSiteCopyCounts) => void;
    events: ImportEventHandlers;
  },
) => Promise<AsyncIterable<Uint8Array>>;

export interface LiveSiteCopyCounts {
  pages: number;
  files: number;
}

export interface FileImportOptions
  extends Pick<ImportChoices, "status" | "prefer" | "isLenient" | "isDryRun"> {
  /**
   * Whether to fetch files that the export names but does not contain. These files are fetched from the
   * exported site.
   */
  fetchesUploads: boolean;
  now: Date;
  events: ImportEventHandlers;
  /** Aborts the import. */
  halt: AbortSignal;
  /** Called between items; may yield to the event loop. */
  yieldBetween: () => Promise<void>;
}

export interface FileImportTotals extends ImportTotals {
  /** Number of pictures and other files that the import published. */
  files: number;
}

export interface ImportReport extends ImportCounts {
  /** The first 1,000 problems. */
  problems: readonly FileProblem[];
  /** Number of all problems, including those that are not listed. */
  problemsTotal: number;
  /** The interpretation of a table; absent for other files. */
  table?: TableReadResult;
  /** The outcomes of the first 1,000 items. */
  items?: readonly ItemOutcome[];
  /** Messages about what the import did or assumed. */
  notes?: readonly Wording[];
  /** Records of the file that the import leaves out, with the reason. */
  leftOut?: readonly OmittedRecords[];
  redirects?: RedirectCounts;
  /** Numbers of pages and files copied from a live site so far; absent for the import of a file. */
  copied?: LiveSiteCopyCounts;
  /** Number of new items that are not public yet. */
  drafts?: number;
  /** Number of pictures and other files that the import published. */
  files?: number;
}

/** An import or export in the background. Times are ISO 8601, UTC. */
export interface Job {
  id: string;
  kind: "import" | "export";
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  createdAt: string;
  /** The actor, as in the audit log. */
  createdBy: string;
  startedAt: string | null;
  endedAt: string | null;
  /** Counted in items. */
  progress: { done: number; total: number };
  /** The options of an import; null for an export. */
  choices: ImportChoices | null;
  report: ImportReport | null;
  /** Why the job failed; null unless it has failed. */
  error: Wording | null;
}

export interface JobWithRequester {
  job: Job;
  /** The requester, with the scopes held at the time of the request. */
  actor: Actor;
}

export interface JobWithInterruptionCount extends JobWithRequester {
  /** Number of times that a process died while it ran the job, or lost its claim on the job. */
  interruptions: number;
}

/** A job that this process runs. */
export interface RunningJob {
  /** Updated as the job progresses. */
  job: Job;
  /** The end of this process's claim, which also identifies the claim. */
  claimedUntil: Date;
  /** Aborted when the job is cancelled or taken over, or the process stops. */
  readonly halt: AbortSignal;
}

export interface JobReader {
  job(id: string): Promise<Job | null>;
  /** Lists jobs, newest first, with ids below `before`. */
  jobs(options: { before?: string; limit: number }): Promise<readonly Job[]>;
  /** Whether a job is queued, or left unfinished by a process that died. */
  isWaiting(now: Date): Promise<boolean>;
}

export interface JobStore extends JobReader {
  write<T>(change: (transaction: JobTransaction) => Promise<T>): Promise<T>;
}

export interface JobTransaction extends JobReader {
  insert(job: JobWithRequester, entry: AuditEntry): Promise<void>;
  /** Number of jobs that have not ended. */
  openCount(): Promise<number>;
  /** Requests cancellation; the process that runs the job ends it. */
  requestCancel(id: string, entry: AuditEntry): Promise<void>;
  /** Claims the first runnable job; null if there is none or another job runs. */
  claim(now: Date, until: Date): Promise<JobWithInterruptionCount | null>;
  /**
   * Stores progress and renews the claim that ends at `heldUntil`.
   * @returns false if the job was cancelled, removed or taken over.
   */
  renewClaim(job: Job, claim: { heldUntil: Date; until: Date }): Promise<boolean>;
  /**
   * Stores the outcome of a job, and releases this process's claim, which ends at `heldUntil`. If the
   * new state is `queued`, the job returns to the queue.
   * @returns false if the job was taken over; then nothing is stored.
   */
  settle(job: Job, heldUntil: Date): Promise<boolean>;
  /** Ends a job that is not running. */
  end(job: Job, entry: AuditEntry): Promise<void>;
  /** Removes jobs that ended before a time. */
  forget(before: Date): Promise<void>;
  ids(): Promise<ReadonlySet<string>>;
}

/** Input and result files of jobs, by job id. */
export interface JobFiles {
  /**
   * Stores the input of an import.
   * @returns the input's number of lines.
   * @throws {AppError} `too_large`; `unavailable` if the disk is full. A failure leaves no partial
   * file.
   */
  storeInput(id: string, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  hasInput(id: string): Promise<boolean>;
  readInput(id: string): AsyncIterable<Uint8Array>;
  /** The input as a local file, for formats that need random access. */
  localInput(id: string): Promise<{ path: string } & AsyncDisposable>;
  /**
   * Stores a ZIP: the result of an export, or the whole report of an import. A failure leaves no partial
   * file.
   */
  writeResult(id: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** The result of a job; null if there is none. */
  openResult(id: string): Promise<{ bytes: number; stream(): ReadableStream<Uint8Array> } | null>;
  removeInput(id: string): Promise<void>;
  /** Removes partial files left by killed processes on this machine. */
  clearAbandoned(): Promise<void>;
  /** Removes old files that belong to no known job. */
  clear(known: ReadonlySet<string>, now: Date): Promise<void>;
}
