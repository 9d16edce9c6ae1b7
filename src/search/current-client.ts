import { AsyncLocalStorage } from "node:async_hooks";

/**
 * A function that names the client of the current request. The search threads need the name to serve
 * clients fairly. Most requests do not search, so the name is found only when it is needed.
 */
const clients = new AsyncLocalStorage<() => string>();

/** Runs a request on behalf of a client. `client` is called only if the request searches. */
export function runForClient<T>(client: () => string, run: () => T): T {
  return clients.run(client, run);
}

/** The client of the running request; empty outside of requests. */
export function currentClient(): string {
  return clients.getStore()?.() ?? "";
}
