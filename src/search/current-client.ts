import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Names the client of the current request, so that the search threads can serve clients fairly. Stores a
 * function, because most requests do not search and need no name.
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
