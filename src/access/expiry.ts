/** Allowed clock difference between processes that share a record. */
const SKEW_MILLISECONDS_MAX = 60 * 60 * 1000;

/**
 * Whether something has expired. An expiry further ahead than the longest lifetime also counts as expired,
 * because only a wrong clock can produce such an expiry.
 *
 * @param expiresAt ISO 8601, UTC.
 * @param lifetimeMax the longest lifetime ever given, in milliseconds.
 */
export function hasExpired(expiresAt: string, now: Date, lifetimeMax: number): boolean {
  const remaining = Date.parse(expiresAt) - now.getTime();
  return remaining <= 0 || remaining > lifetimeMax + SKEW_MILLISECONDS_MAX;
}
