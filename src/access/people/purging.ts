import type { PeopleStores } from "./people-stores.ts";
import { ATTEMPT_WINDOW_MILLISECONDS } from "./sign-in-limits.ts";

/**
 * Clock task: deletes expired sessions, codes and challenges, and attempts that no longer count towards any
 * limit.
 */
export async function purgeExpiredSignInData(
  { sessions, adminCodes, passkeys, signInAttempts }: PeopleStores,
  now: Date,
): Promise<void> {
  await sessions.removeExpired(now);
  await adminCodes.removeExpired(now);
  await passkeys.removeExpiredChallenges(now);
  await signInAttempts.deleteBefore(new Date(now.getTime() - ATTEMPT_WINDOW_MILLISECONDS));
}
