import { AppError, englishOnlyWording } from "../../errors.ts";

/**
 * Throws if a store has a migration that this version of the program lacks. The message then contains
 * `remedy`, which says what to do.
 * @throws {AppError} `unavailable`, naming the migrations of the newer version.
 */
export function requireAllMigrationsKnown(
  applied: readonly string[],
  known: readonly string[],
  remedy: string,
): void {
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new AppError(
    "unavailable",
    englishOnlyWording(
      `A newer version of this program has changed the store (${unknown.join(", ")}): ${remedy}`,
    ),
  );
}
