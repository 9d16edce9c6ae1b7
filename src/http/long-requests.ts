import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

const longRequests = new WeakMap<Duplex, IncomingMessage>();

/** Lets the body of a request take longer to arrive than others; who does so sees to its limits. */
export function letTakeLong(request: IncomingMessage): void {
  longRequests.set(request.socket, request);
}

/** Is it such a request that is arriving on the connection? */
export function mayTakeLong(connection: Duplex): boolean {
  return longRequests.get(connection)?.complete === false;
}
