import type { McpRequest } from "./protocol/response.ts";

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

const ALLOWED_HEADERS =
  "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name";
const EXPOSED_HEADERS = "WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy";
const PREFLIGHT_SECONDS = "7200";

/** Host names of the service, and web origins that may call it. */
export interface HostRules {
  /** The public origin, without a trailing slash. */
  origin: string;
  /** Additional host names in lower case, without ports. */
  allowedHosts: readonly string[];
}

/**
 * Returns why the Host or Origin header of a request is refused; null if both are allowed. Protects
 * a local service against DNS rebinding. Loopback names are always allowed, because they cannot be
 * rebound.
 */
export function findHostOrOriginError(request: McpRequest, rules: HostRules): string | null {
  const host = hostnameOf(`http://${request.header("host") ?? ""}`);
  if (host === null || !(LOOPBACK_HOSTS.has(host) || isOwnHost(host, rules))) {
    return "The Host header names another service";
  }
  const origin = request.header("origin");
  if (origin === undefined || isAllowedOrigin(origin, rules)) return null;
  return "Web pages of this origin may not call this service";
}

/** CORS headers for a request from an allowed origin; none if the request has no origin. */
export function crossOriginHeaders(request: McpRequest): Record<string, string> {
  const origin = request.header("origin");
  if (origin === undefined) return {};
  return {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": EXPOSED_HEADERS,
    Vary: "Origin",
  };
}

export function isPreflight(request: McpRequest): boolean {
  return (
    request.method === "OPTIONS" &&
    request.header("origin") !== undefined &&
    request.header("access-control-request-method") !== undefined
  );
}

export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Methods": "POST",
  "Access-Control-Allow-Headers": ALLOWED_HEADERS,
  "Access-Control-Max-Age": PREFLIGHT_SECONDS,
};

/** In local development, pages on any port and under any loopback name may call the service. */
function isAllowedOrigin(origin: string, rules: HostRules): boolean {
  if (origin === rules.origin) return true;
  const host = hostnameOf(origin);
  if (host === null) return false;
  const isLocal = LOOPBACK_HOSTS.has(host) && LOOPBACK_HOSTS.has(new URL(rules.origin).hostname);
  return isLocal || rules.allowedHosts.includes(host);
}

function isOwnHost(host: string, { origin, allowedHosts }: HostRules): boolean {
  return host === new URL(origin).hostname || allowedHosts.includes(host);
}

/** The host name in a URL; null if the text is not a URL with a host. */
function hostnameOf(address: string): string | null {
  const hostname = URL.parse(address)?.hostname ?? "";
  return hostname === "" ? null : hostname;
}
