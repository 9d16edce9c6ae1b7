import { setTimeout as sleep } from "node:timers/promises";

const POLL_MILLISECONDS = 10;
/** Generous, because everything takes long on a busy machine. Only a failing test waits this long. */
const PATIENCE_MILLISECONDS = 60_000;

/** Waits until a condition holds, such as that a change has arrived. @returns the elapsed milliseconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<number> {
  const begun = performance.now();
  await found(async () => ((await holds()) ? true : undefined));
  return performance.now() - begun;
}

/** Waits until `look` returns a value. */
export async function found<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const end = performance.now() + PATIENCE_MILLISECONDS;
  while (performance.now() < end) {
    const one = await look();
    if (one !== undefined) return one;
    await sleep(POLL_MILLISECONDS);
  }
  throw new Error(`It did not come about within ${PATIENCE_MILLISECONDS} ms`);
}
