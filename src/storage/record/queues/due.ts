import { type RawBuilder, type SqlBool, sql } from "kysely";

const HOUR_MILLISECONDS = 60 * 60 * 1000;
/** More than any queue waits for a further attempt, and more than any claim lasts. */
const AHEAD_MILLISECONDS_MAX = 28 * HOUR_MILLISECONDS;
const CLAIM_MILLISECONDS_MAX = HOUR_MILLISECONDS;

/** Has the time come? One further ahead than the program sets any is from a clock that was wrong. */
export function isDue(column: string, now: Date): RawBuilder<SqlBool> {
  const last = new Date(now.getTime() + AHEAD_MILLISECONDS_MAX);
  const time = sql.ref(column);
  return sql<SqlBool>`(${time} <= ${iso(now)} or ${time} > ${iso(last)})`;
}

/** Is the claim still held? One that ends further ahead than any is from a clock that was wrong. */
export function isHeld(claimedUntil: string | null, now: Date): boolean {
  if (claimedUntil === null) return false;
  return claimedUntil > iso(now) && claimedUntil <= latestClaim(now);
}

/** The latest end of a claim that can have been made by now, as ISO 8601. */
export function latestClaim(now: Date): string {
  return iso(new Date(now.getTime() + CLAIM_MILLISECONDS_MAX));
}

function iso(date: Date): string {
  return date.toISOString();
}
