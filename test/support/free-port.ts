import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ports that the system assigns to outgoing connections. A client that connects to an unused port
 * of that range could be assigned the same port and be connected to itself.
 */
const FIRST = 12_000;
const LAST = 32_000;
const ATTEMPTS = 50;

/** A free port of 127.0.0.1. It stays usable for a server that stops and starts again. */
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
