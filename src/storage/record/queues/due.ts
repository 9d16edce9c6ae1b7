import { type RawBuilder, type SqlBool, sql } from "kysely";

const HOUR_MILLISECONDS = 60 * 60 * 1000;
/**
 * Limit on how far ahead a due time can be. It is longer than any retry delay or claim, so a time further
 * ahead comes from a wrong clock.
 */
const AHEAD_MILLISECONDS_MAX = 28 * HOUR_MILLISECONDS;
const CLAIM_MILLISECONDS_MAX = HOUR_MILLISECONDS;

/**
 * Returns SQL that tests whether a queued task is due. A task is due if it has not been attempted yet,
 * or if the time of its next attempt has come. A time implausibly far ahead also counts as due, because
 * it comes from a wrong clock.
 */
export function isDueSql(column: string, now: Date): RawBuilder<SqlBool> {
  const last = new Date(now.getTime() + AHEAD_MILLISECONDS_MAX);
  const time = sql.ref(column);
  const attempts = sql.ref("attempts");
  return sql<SqlBool>`(${attempts} = 0 or ${time} <= ${iso(now)} or ${time} > ${iso(last)})`;
}

/**
 * Whether a claim is valid. A claim that ends implausibly late is invalid, because its end comes
 * from a wrong clock.
 */
export function isLeaseValid(claimedUntil: string | null, now: Date): boolean {
  if (claimedUntil === null) return false;
  return claimedUntil > iso(now) && claimedUntil <= latestLeaseExpiry(now);
}

/** The latest plausible end of a claim, as ISO 8601. */
export function latestLeaseExpiry(now: Date): string {
  return iso(new Date(now.getTime() + CLAIM_MILLISECONDS_MAX));
}

function iso(date: Date): string {
  return date.toISOString();
}
