import { AppError, englishOnlyWording, type Wording } from "../../errors.ts";
import { DamageError, type DamageLocation, reportRecordDamage } from "./damage.ts";

const PERM = 3;
const BUSY = 5;
const LOCKED = 6;
const NOMEM = 7;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const PROTOCOL = 15;
const NOTADB = 26;

const READ_FAULTS: ReadonlySet<number | null> = new Set([
  PERM,
  BUSY,
  LOCKED,
  NOMEM,
  READONLY,
  IOERR,
  FULL,
  CANTOPEN,
  PROTOCOL,
]);
const BUSY_RETRY_SECONDS = 5;
const DISORDER_RETRY_SECONDS = 30;
const FULL_RETRY_SECONDS = 60;

/** Whether the file is locked by another connection, or being recovered after a crash. */
export function isBusyError(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

/** Whether the file is corrupt or not a database. */
export function isCorruptionError(error: unknown): boolean {
  const code = codeOf(error);
  return code === CORRUPT || code === NOTADB;
}

/**
 * Translates faults caused by the machine or another process into `unavailable`; returns other errors
 * unchanged.
 */
export function translateSqliteError(error: unknown): unknown {
  switch (codeOf(error)) {
    case FULL:
      return unavailable(
        "The disk is full: nothing was changed. Make room on it",
        FULL_RETRY_SECONDS,
        error,
      );
    case BUSY:
    case LOCKED:
    case PROTOCOL:
      return unavailable(
        `Another process has locked the store; try again in ${BUSY_RETRY_SECONDS} seconds`,
        BUSY_RETRY_SECONDS,
        error,
      );
    case NOMEM:
    case READONLY:
    case IOERR:
    case CANTOPEN:
      return unavailable(
        `The store cannot be read or written on this machine: nothing was changed. Its operator finds the reason in the log; try again in ${DISORDER_RETRY_SECONDS} seconds`,
        DISORDER_RETRY_SECONDS,
        error,
      );
    case CORRUPT:
    case NOTADB:
      return reportRecordDamage(null, null, error);
    default:
      return error;
  }
}

/**
 * Translates faults of reading into `unavailable`, except damage, which {@link asDamageError} finds.
 * Returns other errors unchanged.
 */
export function translateSqliteReadError(error: unknown): unknown {
  if (!READ_FAULTS.has(codeOf(error))) return error;
  return unavailable(
    `This machine cannot read what is stored for the moment; try again in ${BUSY_RETRY_SECONDS} seconds`,
    BUSY_RETRY_SECONDS,
    error,
  );
}

/** Why a command cannot read or write a file; undefined if the error has another cause. */
export function describeFileError(error: unknown): Wording | undefined {
  return REASONS_BY_CODE.get(codeOf(error));
}

const REASONS_BY_CODE: ReadonlyMap<number | null, Wording> = new Map([
  [PERM, { en: "the system does not allow it", de: "Das Betriebssystem erlaubt es nicht" }],
  [READONLY, { en: "it cannot be written to", de: "Es lässt sich nicht beschreiben" }],
  [IOERR, { en: "the disk has failed, or is full", de: "Die Platte ist defekt oder voll" }],
  [FULL, { en: "the disk is full", de: "Die Platte ist voll" }],
  [CANTOPEN, { en: "the file cannot be opened", de: "Die Datei lässt sich nicht öffnen" }],
]);

function unavailable(message: string, retryAfterSeconds: number, cause: unknown): AppError {
  return new AppError("unavailable", englishOnlyWording(message), { retryAfterSeconds, cause });
}

/** Returns the error for damage in `part`, if damage caused the given error; otherwise null. */
export function asDamageError(error: unknown, part: DamageLocation["part"]): DamageError | null {
  if (error instanceof DamageError) return error;
  const isOfFile = isCorruptionError(error) || codeOf(error) === IOERR;
  return isOfFile ? new DamageError({ part, table: null, row: null }, error) : null;
}

/** Node's error for an integer beyond 2^53, which no version of this program stores. */
const BEYOND_NUMBERS = /^Value is too large to be represented as a JavaScript number/;

/**
 * Returns the primary result code of an error; `node:sqlite` reports the extended code. If an integer was
 * too large to be read, returns the code of a corrupt file.
 */
function codeOf(error: unknown): number | null {
  if (error instanceof RangeError && BEYOND_NUMBERS.test(error.message)) return CORRUPT;
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 0xff
    : null;
}
