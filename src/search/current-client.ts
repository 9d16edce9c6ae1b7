import { AsyncLocalStorage } from "node:async_hooks";

/**
 * For each request, a function that returns the name of the client. The search threads need the name to
 * serve clients fairly. Most requests do not search, so the name is looked up only on demand.
 */
const clients = new AsyncLocalStorage<() => string>();

/** Runs a request on behalf of a client. `client` is called only if the request searches. */
export function runForClient<T>(client: () => string, run: () => T): T {
  return clients.run(client, run);
}

/** The client of the running request; empty outside of requests. */
export function currentClientName(): string {
  return clients.getStore()?.() ?? "";
}
