/** Jitter: each delay is lengthened by up to a tenth, to spread retries. */
const JITTER_PART = 0.1;

/**
 * @param delays milliseconds to wait after the first, second, … failed attempt.
 * @param random from 0 to 1.
 * @returns milliseconds until the next attempt; null when there is none.
 */
export function backoffMilliseconds(
  delays: readonly number[],
  attempts: number,
  random: number,
): number | null {
  const delay = delays[attempts - 1];
  return delay === undefined ? null : delay * (1 + JITTER_PART * random);
}
