import type { HttpContext } from "./parts.ts";

/** The caller's IP address; empty when there is no connection. */
export function addressOf(c: HttpContext, trustProxy: boolean): string {
  const forwarded = forwardedAddress(c.req.header("x-forwarded-for"), trustProxy);
  return forwarded ?? c.env?.incoming?.socket.remoteAddress ?? "";
}

/** The last address is the one the proxy itself saw; clients can write the others. */
export function forwardedAddress(
  forwardedFor: string | undefined,
  trustProxy: boolean,
): string | undefined {
  return trustProxy ? forwardedFor?.split(",").at(-1)?.trim() || undefined : undefined;
}
