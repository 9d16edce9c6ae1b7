import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "../../config.ts";
import { AppError, type Wording } from "../../errors.ts";
import { systemErrorCode } from "../../files/durable-files.ts";
import type { BackupMeasurements, CheckResults, HealthMeasurements } from "../../health/facts.ts";
import type { MeasureHealth } from "../../health/health.ts";
import type { ReplicaStatus } from "../../http/dependencies.ts";
import {
  type BackupStatus,
  listUntriedBackupPlaces,
  readBackupStatus,
} from "../../storage/backup/last-backup.ts";
import type { OpenRecord } from "../../storage/record/stores.ts";
import { VERSION } from "../../version.ts";
import { readingCopyFilePath } from "../data-folder.ts";
import { findFilesReadableByOthers } from "../folder-access.ts";
import { readCertificate } from "./certificate.ts";

const CERTIFICATE_MILLISECONDS_MAX = 5000;

export interface HealthMeasurerDependencies {
  config: Config;
  record: Pick<OpenRecord, "audit" | "backlog" | "seenTime">;
  replicaStatus: () => ReplicaStatus | null;
  checks: CheckResults;
}

/**
 * What the checks of this process have found. `time`: whether the system's time can be trusted; undefined: it
 * is not checked.
 */
export function createCheckResults(
  damages: Pick<CheckResults, "isDamaged">,
  time: Pick<CheckResults, "isTrusted"> | undefined,
): CheckResults {
  return {
    isDamaged: (part) => damages.isDamaged(part),
    get isTrusted() {
      return time?.isTrusted ?? true;
    },
  };
}

/** Returns the function that measures the health of a site from inside its server. */
export function createHealthMeasurer({
  config,
  record,
  replicaStatus,
  checks,
}: HealthMeasurerDependencies): MeasureHealth {
  return async () => {
    const replica = replicaStatus();
    return {
      ...(await measureMachineHealth(config)),
      ...(await measureRecordHealth(record, config)),
      copies: {
        isDamaged: checks.isDamaged("reading copy"),
        lagSeconds: replica === null || replica.isCurrent ? 0 : replica.lagSeconds,
      },
      ...(checks.isDamaged("record") && { record: { fault: null, isDamaged: true } }),
      clock: { isSteady: checks.isTrusted, seenAt: await seenAt(record) },
    };
  };
}

/** Measures the facts that need no access to the record. */
export async function measureMachineHealth(
  config: Config,
): Promise<Pick<HealthMeasurements, "disk" | "certificate" | "exposedFiles" | "version">> {
  const { origin } = config;
  const milliseconds = CERTIFICATE_MILLISECONDS_MAX;
  return {
    disk: await measureDisk(config),
    certificate: await readCertificate(origin, { milliseconds }),
    exposedFiles: findFilesReadableByOthers(config),
    version: { program: VERSION, node: process.versions.node },
  };
}

export async function measureRecordHealth(
  record: HealthMeasurerDependencies["record"],
  config: Config,
): Promise<Pick<HealthMeasurements, "record" | "queues" | "backup">> {
  try {
    const queues = await record.backlog();
    const backup = await measureBackup(record, config);
    return { record: { fault: null, isDamaged: false }, queues, backup };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return healthFactsOfUnreadableRecord(error.wording);
  }
}

export function healthFactsOfUnreadableRecord(
  fault: Wording,
): Pick<HealthMeasurements, "record" | "queues" | "backup"> {
  const backup = { kind: "elsewhere" } as const;
  return { record: { fault, isDamaged: false }, queues: null, backup };
}

async function measureBackup(
  { audit }: Pick<OpenRecord, "audit">,
  { databaseUrl, dataDir, backup }: Config,
): Promise<BackupMeasurements> {
  if (databaseUrl !== null) return { kind: "elsewhere" };
  const status = await readBackupStatus(dataDir);
  const { last, attempt } = status;
  const isScheduled = backup.at !== null;
  const fault = attempt?.fault ?? null;
  const failed = attempt === null || fault === null ? null : { at: attempt.at, fault };
  const schedule = {
    isScheduled,
    failed: backup.to.length > 0 ? failed : null,
    emptyPlaces: placesWithoutBackup(status, backup.to),
  };
  if (last !== null) return { kind: "made", ...last, ...schedule };
  for await (const { at } of audit.streamAll({})) return { kind: "none", since: at, ...schedule };
  return { kind: "none", since: null, ...schedule };
}

/**
 * The configured places in which no backup was attempted. Excludes places whose attempt failed,
 * because failures are reported separately.
 */
function placesWithoutBackup({ last, attempt }: BackupStatus, places: readonly string[]): string[] {
  if (attempt !== null) return listUntriedBackupPlaces(attempt, places);
  const lastIn = dirname(last?.place ?? "");
  return places.filter((place) => place.replace(/\/+$/, "") !== lastIn);
}

/** Returns null if the data folder is missing, for example because its volume is not mounted. */
async function measureDisk(config: Config): Promise<HealthMeasurements["disk"]> {
  const stats = await statfs(config.dataDir).catch((error: unknown) => {
    if (systemErrorCode(error) === "") throw error;
    return null;
  });
  if (stats === null) return null;
  const { bavail, blocks, bsize, files, ffree } = stats;
  const store = statSync(readingCopyFilePath(config), { throwIfNoEntry: false });
  return {
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    freeFiles: files === 0 ? null : ffree,
    storeBytes: store?.size ?? 0,
  };
}

async function seenAt({ seenTime }: Pick<OpenRecord, "seenTime">): Promise<string | null> {
  try {
    return (await seenTime.load())?.at ?? null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}
