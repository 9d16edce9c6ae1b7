import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

const longRequests = new WeakMap<Duplex, IncomingMessage>();

/** Lifts the time limit on a request's body; the caller sets its own. */
export function liftTimeLimit(request: IncomingMessage): void {
  longRequests.set(request.socket, request);
}

/** Is a request without a time limit arriving on the connection? */
export function isTimeLimitLifted(connection: Duplex): boolean {
  return longRequests.get(connection)?.complete === false;
}
