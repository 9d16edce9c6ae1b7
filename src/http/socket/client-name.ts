import type { IncomingMessage } from "node:http";
import { clientNetworkOf } from "../../access/address-limits.ts";

/** Matches an address with a port, as some proxies send it: `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const PORT_OF_ADDRESS = /^(?:(\d+(?:\.\d+){3}):\d+|\[([^\]]+)\](?::\d+)?)$/;

interface NamingOptions {
  trustProxy: boolean;
  /** Whether the key in an `Authorization` header was accepted recently. */
  isAccepted: (authorization: string) => boolean;
}

/**
 * The name under which clients compete for resources: the holder of a recently accepted key,
 * otherwise the network.
 */
export function clientName(
  request: IncomingMessage,
  { trustProxy, isAccepted }: NamingOptions,
): string {
  const authorization = lastHeader(request, "authorization");
  if (authorization !== null && isAccepted(authorization)) return authorization;
  return clientNetworkOf(clientIpAddress(request, trustProxy));
}

/**
 * The client's address. In a list in `X-Forwarded-For`, only the last address is from the proxy;
 * clients can forge the others.
 */
export function clientIpAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? lastHeader(request, "x-forwarded-for") : null;
  const last = forwarded?.split(",").at(-1)?.trim().replace(PORT_OF_ADDRESS, "$1$2");
  return last || (request.socket.remoteAddress ?? "");
}

/**
 * The value of the last header with this lower-case name. Searches the raw headers, because parsing all
 * headers would cost more than all other work of refusing a request.
 */
function lastHeader({ rawHeaders }: IncomingMessage, name: string): string | null {
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    const candidate = rawHeaders[at] ?? "";
    if (candidate.length === name.length && candidate.toLowerCase() === name) {
      return rawHeaders[at + 1] ?? null;
    }
  }
  return null;
}
