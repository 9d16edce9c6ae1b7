import type { Wording } from "../errors.ts";

/**
 * The measurements for a report. Unless a field says otherwise, null means that this process cannot
 * measure the value.
 */
export interface HealthMeasurements {
  /** Absent if this process is the server; null if no server responds. */
  server?: ServerMeasurements | null;
  /** Null: the data folder cannot be found. */
  disk: DiskMeasurements | null;
  backup: BackupMeasurements;
  certificate: CertificateMeasurements;
  record: { fault: Wording | null; isDamaged: boolean };
  copies: { isDamaged: boolean; lagSeconds: number } | null;
  queues: QueueMeasurements | null;
  clock: { isSteady: boolean; seenAt: string | null };
  /** Names of files in the data folder that other users of the machine can read. */
  exposedFiles: readonly string[];
  version: { program: string; node: string };
}

/** What the checks that run all the time have found. */
export interface CheckResults {
  isDamaged(part: "reading copy" | "record"): boolean;
  /** Whether the system's time can be trusted. */
  isTrusted: boolean;
}

export interface DiskMeasurements {
  freeBytes: number;
  totalBytes: number;
  /** How many more files fit; null: the file system sets no limit. */
  freeFiles: number | null;
  storeBytes: number;
}

/** The server's report about its readiness. */
export interface ServerMeasurements {
  isReady: boolean;
  answer: string;
}

export type BackupMeasurements =
  /** The record is in PostgreSQL, which is backed up with its own tools. */
  | { kind: "elsewhere" }
  /** `since`: time of the first entry in the audit log. */
  | ({ kind: "none"; since: string | null } & BackupSchedule)
  | ({ kind: "made"; at: string; place: string } & BackupSchedule);

export interface BackupSchedule {
  /** Whether the server makes backups by itself. */
  isScheduled: boolean;
  /** The last scheduled backup, if it failed. */
  failed: { at: string; fault: Wording } | null;
  /** The configured backup locations that have no backup yet. */
  emptyPlaces: readonly string[];
}

export type CertificateMeasurements =
  | { kind: "plain"; isLocal: boolean }
  | { kind: "read"; endsAt: string; fault: Wording | null }
  | { kind: "unread"; fault: Wording };

/** Tasks that wait in one queue. */
export interface QueueLength {
  waiting: number;
  /** When the oldest waiting task was created: ISO 8601, UTC. */
  oldestAt: string | null;
}

export interface QueueMeasurements {
  /** `givenUpAt`: creation time of the latest mail that will not be retried. */
  mail: QueueLength & { givenUpAt: string | null };
  /** `disabled`: the number of webhooks that were turned off because they failed. */
  webhooks: QueueLength & { disabled: number };
  jobs: QueueLength;
}
