import { AppError, englishOnlyWording } from "../../../../errors.ts";

/**
 * The error for a database that cannot be opened. Its message is for the operator and leaves out
 * user and password.
 */
export function cannotOpenDatabaseError(url: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new AppError(
    "unavailable",
    englishOnlyWording(`Cannot open the database ${hostAndDatabase(url)}: ${reason}`),
    {
      cause,
    },
  );
}

function hostAndDatabase(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
