import { setImmediate as nextTurn } from "node:timers/promises";

/** A request waits for a few of these, in steps of its own. */
const TURN_MILLISECONDS_MAX = 2;

/**
 * Goes through the steps of a long piece of work, letting others have the processor in between.
 * @returns what the work comes to.
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
