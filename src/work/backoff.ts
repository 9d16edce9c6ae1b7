/** Up to a tenth more, so that retries of many tasks spread out. */
const JITTER = 0.1;

/**
 * Milliseconds to wait after a number of failed attempts, counted from 1; null when `delays` has none
 * left. `random` is from 0 up to 1.
 */
export function backoff(
  delays: readonly number[],
  attempts: number,
  random: number,
): number | null {
  const delay = delays[attempts - 1];
  return delay === undefined ? null : delay * (1 + JITTER * random);
}
