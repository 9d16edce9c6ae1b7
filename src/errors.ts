export type ErrorCode =
  | "not_found"
  | "gone"
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  /** Allowed once the person has entered the password again. */
  | "unconfirmed"
  | "conflict"
  | "precondition"
  | "too_large"
  | "unsupported"
  | "rate_limited"
  | "unavailable";

/** One problem in an input: where it is and how to fix it. */
export interface Problem {
  where: string;
  message: string;
}

/**
 * An expected failure with a message for the person or agent who caused it. Every door translates the code
 * once. Any other exception is a bug, and its text never leaves the server.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly problems: readonly Problem[];
  /** Whole seconds after which a repeat may succeed; only with `rate_limited` and `unavailable`. */
  readonly retryAfterSeconds: number | undefined;
  /** An operator has to fix something before a retry can succeed. */
  readonly isLasting: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      problems?: readonly Problem[];
      retryAfterSeconds?: number;
      isLasting?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.problems = details.problems ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.isLasting = details.isLasting ?? false;
  }
}

/** A failure that a retry may overcome, such as a brief loss of the database connection. */
export function isTransient(error: unknown): error is AppError {
  return (
    error instanceof AppError &&
    error.code === "unavailable" &&
    error.retryAfterSeconds !== undefined &&
    !error.isLasting
  );
}
