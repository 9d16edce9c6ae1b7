import assert from "node:assert/strict";
import type { CostlyText } from "./pieces.ts";

/** With `COSTS=full`, texts of up to 1 MiB are measured. */
const SMALL = process.env["COSTS"] === "full" ? 256 * 1024 : 8 * 1024;
const TIMES = 4;
const EXPONENT = 1.2;
/** Tolerance for compilation and garbage collection, which may happen in either measurement. */
const SPARE_MILLISECONDS = SMALL / 500;
const SPARE_REQUESTS_MILLISECONDS = 30;
const ATTEMPTS = 3;

/** @throws unless the CPU time for a text four times as long is at most 4^1.2 times as much. */
export function requireNearLinear(text: CostlyText, read: (text: string) => void): void {
  const [small, large] = [text(SMALL), text(TIMES * SMALL)];
  read(text(SMALL / 4));
  let [before, after] = [0, 0];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    before = Math.max(
      before,
      cpuMilliseconds(() => read(small)),
    );
    after = cpuMilliseconds(() => read(large));
    if (after <= before * TIMES ** EXPONENT + SPARE_MILLISECONDS) return;
  }
  assert.fail(`${SMALL} characters took ${before} ms, ${TIMES * SMALL} took ${after} ms`);
}

/** @throws unless requests four times as long take at most 4^1.2 times the CPU time. */
export async function requireNearLinearRequests(
  { characters, times }: { characters: number; times: number },
  send: (characters: number) => Promise<void>,
): Promise<void> {
  const measured = async (length: number) => {
    const start = process.cpuUsage();
    for (let sent = 0; sent < times; sent += 1) await send(length);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  await send(characters);
  let [before, after] = [0, 0];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    before = Math.max(before, await measured(characters));
    after = await measured(TIMES * characters);
    if (after <= before * TIMES ** EXPONENT + SPARE_REQUESTS_MILLISECONDS) return;
  }
  assert.fail(`${characters} characters took ${before} ms, ${TIMES * characters} took ${after} ms`);
}

/** The CPU time of a run. Elapsed time would depend on how busy the machine is. */
export function cpuMilliseconds(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
