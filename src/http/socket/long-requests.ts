import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

const longRequests = new WeakMap<Duplex, IncomingMessage>();

/** Lifts the body timeout of a request; the caller sets its own. */
export function liftTimeLimit(request: IncomingMessage): void {
  longRequests.set(request.socket, request);
}

/** Whether a request without a timeout is arriving on the connection. */
export function isTimeLimitLifted(connection: Duplex): boolean {
  return longRequests.get(connection)?.complete === false;
}
