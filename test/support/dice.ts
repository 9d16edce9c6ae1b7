/** Repeatable: the same seed gives the same numbers, from 0 up to the given one. */
export function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    // By Marsaglia's xorshift.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
