import { AsyncLocalStorage } from "node:async_hooks";

/**
 * For whom a search runs, so that clients share the search threads fairly. A function, since most requests
 * never search.
 */
const clients = new AsyncLocalStorage<() => string>();

/** Runs a request on behalf of a client; `client` names it when asked. */
export function asClient<T>(client: () => string, run: () => T): T {
  return clients.run(client, run);
}

/** The client of the running request; empty outside of requests. */
export function askingClient(): string {
  return clients.getStore()?.() ?? "";
}
