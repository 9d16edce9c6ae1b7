import { setImmediate as nextTurn } from "node:timers/promises";

/** Bounds the delay of requests, which may wait for a few slices. */
const SLICE_MILLISECONDS_MAX = 2;

/**
 * Runs the steps of a long computation and yields to the event loop between slices.
 * @returns the iterator's result.
 */
export async function yieldBetween<T>(steps: Iterator<void, T>): Promise<T> {
  let sliceStart = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - sliceStart < SLICE_MILLISECONDS_MAX) continue;
    await nextTurn();
    sliceStart = performance.now();
  }
}
