import { setImmediate as nextTurn } from "node:timers/promises";

/** A request waits for a few of these, in steps of its own. */
const TURN_MILLISECONDS_MAX = 2;

/** Goes through the steps of a long piece of work, letting others have the processor in between. */
export async function takingTurns(steps: Iterable<void>): Promise<void> {
  let begun = performance.now();
  for (const _step of steps) {
    if (performance.now() - begun < TURN_MILLISECONDS_MAX) continue;
    await nextTurn();
    begun = performance.now();
  }
}
