import type { IncomingMessage } from "node:http";
import { networkOf } from "../../access/address-limits.ts";

interface NamingOptions {
  trustProxy: boolean;
  /** Whether a key was accepted recently, by its `Authorization` header. */
  isAccepted: (authorization: string) => boolean;
}

/**
 * The client that a request counts towards when clients compete for a resource: the holder of a
 * recently accepted key, otherwise the network.
 */
export function clientName(
  request: IncomingMessage,
  { trustProxy, isAccepted }: NamingOptions,
): string {
  const { authorization } = request.headers;
  if (authorization !== undefined && isAccepted(authorization)) return authorization;
  return networkOf(clientAddress(request, trustProxy));
}

/**
 * The client's address. In a list in `X-Forwarded-For`, only the last address is from the proxy;
 * clients can forge the others.
 */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  trustProxy: boolean,
): string {
  const forwarded = trustProxy ? headers["x-forwarded-for"] : undefined;
  const last = (Array.isArray(forwarded) ? forwarded.join() : forwarded)?.split(",").at(-1)?.trim();
  return last || (socket.remoteAddress ?? "");
}
