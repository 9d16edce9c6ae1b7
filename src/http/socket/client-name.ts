import type { IncomingMessage } from "node:http";
import { networkOf } from "../../access/address-limits.ts";

interface Naming {
  trustProxy: boolean;
  /** Whether a key was accepted lately, by its `Authorization` header. */
  isAccepted: (authorization: string) => boolean;
}

/**
 * For whom a request counts where clients share something: the holder of a key that was accepted lately,
 * otherwise the network.
 */
export function clientName(request: IncomingMessage, { trustProxy, isAccepted }: Naming): string {
  const { authorization } = request.headers;
  if (authorization !== undefined && isAccepted(authorization)) return authorization;
  return networkOf(clientAddress(request, trustProxy));
}

/** The last address was added by the proxy itself; clients can forge the others. */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? headers["x-forwarded-for"] : undefined;
  const last = (Array.isArray(forwarded) ? forwarded.join() : forwarded)?.split(",").at(-1)?.trim();
  return last || (socket.remoteAddress ?? "");
}
