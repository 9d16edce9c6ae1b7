import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Limit on the time between two yields. It is short, because a request may wait for a few such slices.
 */
const SLICE_MILLISECONDS_MAX = 2;

/** A long computation in steps. After it yields a promise, it resumes when the promise has resolved. */
export type ComputationSteps<T = void> = Generator<unknown, T>;

/**
 * Runs the steps of a long computation and yields to the event loop between slices.
 * @returns the result of the steps.
 */
export async function runStepsWithYields<T>(steps: ComputationSteps<T>): Promise<T> {
  let sliceStart = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (step.value instanceof Promise) await step.value;
    if (performance.now() - sliceStart < SLICE_MILLISECONDS_MAX) continue;
    await nextTurn();
    sliceStart = performance.now();
  }
}
