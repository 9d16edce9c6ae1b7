import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below those that the system gives to connections: while nobody listens on one of these, somebody who
 * tries to connect to it could be given that very port, and be connected to himself.
 */
const FIRST = 12_000;
const LAST = 32_000;
const ATTEMPTS = 50;

/** A port of 127.0.0.1 that nobody listens on, also for a server that stops and starts again. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port after ${ATTEMPTS} attempts`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
