import { setImmediate as nextTurn } from "node:timers/promises";

/** Pages wait for no more than this; a page itself takes a tenth of it. */
const TURN_MILLISECONDS_MAX = 5;

/** Goes through the steps of a long piece of work, letting others have the processor in between. */
export async function takingTurns(steps: Iterable<void>): Promise<void> {
  let begun = performance.now();
  for (const _step of steps) {
    if (performance.now() - begun < TURN_MILLISECONDS_MAX) continue;
    await nextTurn();
    begun = performance.now();
  }
}
