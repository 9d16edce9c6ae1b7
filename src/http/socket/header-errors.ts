import type { IncomingMessage } from "node:http";

/** Matches a Host header: a name or a bracketed address, and a port (RFC 3986). */
const HOST_PATTERN = /^(?:[\w.~%!$&'()*+;=-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Returns the fault in headers that Node's parser accepts; null: none. Expects repeated headers to
 * be joined by commas.
 */
export function findHeaderError(request: IncomingMessage): string | null {
  const { host, authorization, "transfer-encoding": coding } = request.headers;
  // HTTP/1.0 needs no Host; Node refuses HTTP/1.1 without one.
  if (host !== undefined && !HOST_PATTERN.test(host)) {
    return "The address or the Host header is not well-formed: send one host and an optional port";
  }
  if (authorization?.includes(",") && isRepeated(request, "authorization")) {
    return "Send one Authorization header";
  }
  if (coding !== undefined && (coding.toLowerCase() !== "chunked" || isHttp10(request))) {
    return "The body must come as it is or, over HTTP/1.1, with Transfer-Encoding: chunked";
  }
  return null;
}

function isRepeated({ headersDistinct }: IncomingMessage, name: string): boolean {
  return (headersDistinct[name]?.length ?? 0) > 1;
}

function isHttp10({ httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  return httpVersionMajor === 1 && httpVersionMinor === 0;
}
