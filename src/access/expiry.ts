/** Allowed clock difference between processes that share a record. */
const SKEW_MILLISECONDS_MAX = 60 * 60 * 1000;

/**
 * Whether a time has passed. A time further ahead than the program ever sets also counts as
 * passed, since it comes from a wrong clock.
 *
 * @param expiresAt ISO 8601, UTC.
 * @param longest the longest lifetime ever set, in milliseconds.
 */
export function hasExpired(expiresAt: string, now: Date, longest: number): boolean {
  const left = Date.parse(expiresAt) - now.getTime();
  return left <= 0 || left > longest + SKEW_MILLISECONDS_MAX;
}
