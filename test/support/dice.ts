/**
 * Returns a generator of pseudo-random integers from 0 up to, but not including, `below`. The same seed gives
 * the same numbers.
 */
export function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    // Marsaglia's xorshift.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
