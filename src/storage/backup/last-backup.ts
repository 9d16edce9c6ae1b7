import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Wording } from "../../errors.ts";
import { replaceFile, systemErrorCode } from "../../files/durable-files.ts";

/**
 * File in the data folder that records the last backup, and the outcome of the last scheduled
 * attempt.
 */
const FILE_NAME = "last-backup.json";

const attemptSchema = z.object({
  at: z.iso.datetime(),
  state: z.enum(["running", "made", "failed"]),
  /** Why the attempt failed, in English; null if it did not fail. */
  fault: z.string().nullable(),
  germanFault: z.string().optional(),
  /** Consecutive attempts before this one that were interrupted, for example because the machine stopped. */
  interruptions: z.int().min(0),
  /** Backup places of the attempt, as in BACKUP_TO; absent in files of earlier versions. */
  places: z.array(z.string()).optional(),
});

const madeSchema = z.object({ at: z.iso.datetime(), place: z.string() });
const statusSchema = z.object({
  ...madeSchema.partial().shape,
  attempt: attemptSchema.optional(),
});

export type LastBackup = z.output<typeof madeSchema>;

export interface BackupAttempt
  extends Omit<z.output<typeof attemptSchema>, "fault" | "germanFault"> {
  /** Why the attempt failed; null if it did not fail. */
  fault: Wording | null;
}

export interface BackupStatus {
  /** Null if no backup was made. */
  last: LastBackup | null;
  /** Null if no scheduled backup was attempted. */
  attempt: BackupAttempt | null;
}

/** Returns a status with only nulls if the file is missing, unreadable or malformed. */
export async function readBackupStatus(folder: string): Promise<BackupStatus> {
  const text = await readFile(join(folder, FILE_NAME), "utf8").catch((error: unknown) => {
    if (["ENOENT", "EACCES"].includes(systemErrorCode(error))) return "";
    throw error;
  });
  const { data } = statusSchema.safeParse(jsonOrNull(text));
  const last = madeSchema.safeParse(data).data ?? null;
  return { last, attempt: attemptOf(data?.attempt) };
}

/**
 * Returns the configured places that the attempt did not include; empty if the attempt has no list
 * of places.
 */
export function listUntriedBackupPlaces(
  { places: tried }: Pick<BackupAttempt, "places">,
  configured: readonly string[],
): string[] {
  return tried === undefined ? [] : configured.filter((place) => !tried.includes(place));
}

/** @returns false if the file cannot be written. The backup is valid nevertheless. */
export async function saveLastBackup(folder: string, last: LastBackup): Promise<boolean> {
  return await write(folder, { ...(await readBackupStatus(folder)), last });
}

/** @returns false if the file cannot be written. */
export async function saveBackupAttempt(folder: string, attempt: BackupAttempt): Promise<boolean> {
  return await write(folder, { ...(await readBackupStatus(folder)), attempt });
}

/** Converts a stored attempt. Earlier versions stored its fault in English only. */
function attemptOf(stored: z.output<typeof attemptSchema> | undefined): BackupAttempt | null {
  if (stored === undefined) return null;
  const { fault: en, germanFault, ...attempt } = stored;
  return { ...attempt, fault: en === null ? null : { en, de: germanFault ?? en } };
}

async function write(folder: string, { last, attempt }: BackupStatus): Promise<boolean> {
  const status = { ...last, ...(attempt !== null && { attempt: storedAttempt(attempt) }) };
  try {
    await replaceFile(join(folder, FILE_NAME), `${JSON.stringify(status, null, 2)}\n`);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "") throw error;
    return false;
  }
}

function storedAttempt({ fault, ...attempt }: BackupAttempt): z.output<typeof attemptSchema> {
  if (fault === null) return { ...attempt, fault };
  return { ...attempt, fault: fault.en, germanFault: fault.de };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
