import { AppError } from "../../../errors.ts";

const RETRY_SECONDS = 5;
const NETWORK_FAULTS = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);
/**
 * SQLSTATE of what an operator did to the server or to the connection, not of what was asked: connection
 * exceptions (08), wrong credentials (28), no such database, one that only reads, no connections left,
 * shutting down or starting up (57P).
 */
const OUTAGES = /^(?:08|28|57P)|^(?:3D000|25006|25P03|53300)$/;
/** What Node and OpenSSL say of certificates, such as one that has expired since the last connection. */
const NOT_TRUSTED = /^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_)|SELF_SIGNED_CERT/;
/** What the driver says without a code. */
const LOST =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|timeout exceeded|Query read timeout|read ECONN|write E|The server does not support SSL|SASL: )/;
const DEADLOCK = "40P01";
const LOCK_NOT_AVAILABLE = "55P03";
const QUERY_CANCELED = "57014";
const UNKNOWN_OUTCOME =
  "The connection to the database was lost while it kept the change, so that it may have been kept or not. Look before you repeat it";

/** Was the server not reached, or the connection to it lost? */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    NETWORK_FAULTS.has(code) ||
    OUTAGES.test(code) ||
    NOT_TRUSTED.test(code) ||
    LOST.test(error.message)
  );
}

/** Did somebody else hold a lock for longer than the connection waits? */
export function isLockNotAvailable(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

/** An expected failure in our words, everything else as it is. */
export function worded(error: unknown, { lockWaitSeconds }: { lockWaitSeconds: number }): unknown {
  if (isAway(error)) return away(error);
  switch (codeOf(error)) {
    case LOCK_NOT_AVAILABLE:
      return new AppError(
        "unavailable",
        `Another process has been writing to the store for ${lockWaitSeconds} seconds; try again when it is done`,
        { retryAfterSeconds: lockWaitSeconds, cause: error },
      );
    case QUERY_CANCELED:
      return new AppError(
        "unavailable",
        `The database was told to give up what took long; try again in ${RETRY_SECONDS} seconds`,
        { retryAfterSeconds: RETRY_SECONDS, cause: error },
      );
    case DEADLOCK:
      return new AppError("unavailable", "Another change stood in the way; try again", {
        retryAfterSeconds: 1,
        cause: error,
      });
    default:
      return error;
  }
}

export function away(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    `The database cannot be reached for the moment; try again in ${RETRY_SECONDS} seconds`,
    { retryAfterSeconds: RETRY_SECONDS, cause },
  );
}

/** The connection was lost before it told whether the transaction was committed. */
export function unknownOutcome(cause: unknown): AppError {
  return new AppError("unavailable", UNKNOWN_OUTCOME, { retryAfterSeconds: RETRY_SECONDS, cause });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}
