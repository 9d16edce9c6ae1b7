import { setImmediate as nextTurn } from "node:timers/promises";

/** Bounds the delay of requests, which may wait for a few slices. */
const TURN_MILLISECONDS_MAX = 2;

/**
 * Runs the steps of a long computation and yields to the event loop between slices.
 * @returns the iterator's result.
 */
export async function yieldBetween<T>(steps: Iterator<void, T>): Promise<T> {
  let begun = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - begun < TURN_MILLISECONDS_MAX) continue;
    await nextTurn();
    begun = performance.now();
  }
}
