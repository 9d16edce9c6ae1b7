import { AppError, type Wording } from "../../../../errors.ts";
import { type DatabaseErrorKind, errorKindOfSqlstate } from "./sqlstates.ts";

const RETRY_SECONDS = 5;
const DISORDER_RETRY_SECONDS = 30;
const FULL_RETRY_SECONDS = 60;
/**
 * Error codes of network faults, and of a process that has run out of file descriptors or local
 * addresses.
 */
const NETWORK_FAULTS = new Set([
  "EACCES",
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "EMFILE",
  "ENETDOWN",
  "ENETUNREACH",
  "ENFILE",
  "ENOBUFS",
  "ENOENT",
  "ENOTCONN",
  "ENOTFOUND",
  "EPIPE",
  "EPROTO",
  "ETIMEDOUT",
]);
/**
 * Matches certificate errors of Node and OpenSSL. These errors count as `away` faults (the database is
 * unreachable), because a certificate can expire at any time.
 */
const CERTIFICATE_FAULT = /^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_)|SELF_SIGNED_CERT/;
/** Matches messages of driver errors that have no code. */
const CONNECTION_LOST =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded|Query read timeout|read ECON|write E|The server does not support SSL|SASL: )/;
const SPOILING_FAULTS: ReadonlySet<DatabaseErrorKind> = new Set(["away", "disorder"]);
const UNKNOWN_OUTCOME: Wording = {
  en: "The connection to the database was lost while it kept the change, so that it may have been kept or not. Look before you repeat it",
  de: "Die Verbindung zur Datenbank brach ab, während sie die Änderung speicherte; ob sie gespeichert ist, ist ungewiss. Sehen Sie nach, bevor Sie sie wiederholen",
};

export function classifyDatabaseError(error: unknown): DatabaseErrorKind {
  if (!(error instanceof Error)) return "bug";
  const code = codeOf(error);
  if (
    NETWORK_FAULTS.has(code) ||
    CERTIFICATE_FAULT.test(code) ||
    CONNECTION_LOST.test(error.message)
  )
    return "away";
  const meaning = errorKindOfSqlstate(code);
  return meaning === "bug" && endsConnection(error) ? "away" : meaning;
}

/** Whether the server is unreachable, or the connection lost. */
export function isDatabaseUnreachable(error: unknown): boolean {
  return classifyDatabaseError(error) === "away";
}

/** Whether the database reports that data or an index is damaged (XX001, XX002). */
export function isDatabaseDamage(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (/^XX00[12]$/.test(codeOf(cause))) return true;
  }
  return false;
}

/** Whether the connection must be replaced. Some errors of a reachable server require this too. */
export function needsNewConnection(error: unknown): boolean {
  // A new connection helps with `disorder` faults too, for example when cached plans no longer fit
  // after a schema change.
  return SPOILING_FAULTS.has(classifyDatabaseError(error));
}

/** Whether waiting for another session's lock timed out. */
export function isLockNotAvailable(error: unknown): boolean {
  return classifyDatabaseError(error) === "locked";
}

/** Translates expected failures to an AppError. Returns anything else unchanged. */
export function translateDatabaseError(
  error: unknown,
  { lockWaitSeconds }: { lockWaitSeconds: number },
): unknown {
  const unavailable = (wording: Wording, retryAfterSeconds: number) =>
    new AppError("unavailable", wording, { retryAfterSeconds, cause: error });
  switch (classifyDatabaseError(error)) {
    case "away":
      return databaseUnreachableError(error);
    case "disorder":
      return unavailable(
        {
          en: `The database is not in order: nothing was changed. Its operator finds the reason in the log; try again in ${DISORDER_RETRY_SECONDS} seconds`,
          de: `Mit der Datenbank stimmt etwas nicht, und es wurde nichts geändert. Wer sie betreibt, findet den Grund im Protokoll des Servers: Versuchen Sie es in ${DISORDER_RETRY_SECONDS} Sekunden noch einmal`,
        },
        DISORDER_RETRY_SECONDS,
      );
    case "full":
      return diskFullError(error);
    case "locked":
      return unavailable(
        {
          en: `Another process has been writing to the store for ${lockWaitSeconds} seconds; try again when it is done`,
          de: `Ein anderes Programm schreibt seit ${lockWaitSeconds} Sekunden in die Datenbank: Versuchen Sie es wieder, wenn es fertig ist`,
        },
        lockWaitSeconds,
      );
    case "cancelled":
      return unavailable(
        {
          en: `The database gave up what took too long; try again in ${RETRY_SECONDS} seconds`,
          de: `Das dauerte der Datenbank zu lange: Versuchen Sie es in ${RETRY_SECONDS} Sekunden noch einmal`,
        },
        RETRY_SECONDS,
      );
    case "conflict":
      return unavailable(
        {
          en: "Another change stood in the way; try again",
          de: "Eine gleichzeitige Änderung stand im Weg: Versuchen Sie es noch einmal",
        },
        1,
      );
    case "unknown outcome":
      return unknownCommitOutcomeError(error);
    case "bug":
      return error;
  }
}

export function databaseUnreachableError(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    {
      en: `The database cannot be reached for the moment; try again in ${RETRY_SECONDS} seconds`,
      de: `Die Datenbank ist gerade nicht erreichbar: Versuchen Sie es in ${RETRY_SECONDS} Sekunden noch einmal`,
    },
    { retryAfterSeconds: RETRY_SECONDS, cause },
  );
}

/** The error for a connection that was lost before the server confirmed the commit. */
export function unknownCommitOutcomeError(cause: unknown): AppError {
  return new AppError("unavailable", UNKNOWN_OUTCOME, { retryAfterSeconds: RETRY_SECONDS, cause });
}

function diskFullError(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    {
      en: "The disk is full: nothing was changed. Make room on it",
      de: "Auf dem Server ist kein Platz mehr, und es wurde nichts geändert: Bitten Sie, wer ihn betreibt, Platz zu schaffen",
    },
    {
      retryAfterSeconds: FULL_RETRY_SECONDS,
      cause,
    },
  );
}

/**
 * Whether the server closes the connection after this error. It does so after FATAL and PANIC,
 * regardless of the code.
 */
function endsConnection(error: Error): boolean {
  return "severity" in error && (error.severity === "FATAL" || error.severity === "PANIC");
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
