import type { McpRequest } from "./protocol/reply.ts";

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

const ALLOWED_HEADERS =
  "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name";
const EXPOSED_HEADERS = "WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy";
const PREFLIGHT_SECONDS = "7200";

/** Through which names the service may be addressed, and from which web pages. */
export interface HostRules {
  /** The configured public origin. */
  origin: string;
  /** Further host names, without port, lower case. */
  allowedHosts: readonly string[];
}

/**
 * Does the request name this service as its host, and come from no foreign web page? Guards a local
 * service against DNS rebinding. Loopback names are always hosts of ours: a rebound name is never one.
 */
export function refusesHost(request: McpRequest, rules: HostRules): string | null {
  const host = hostnameOf(`http://${request.header("host") ?? ""}`);
  if (host === null || !(LOOPBACK_HOSTS.has(host) || isOurs(host, rules))) {
    return "The Host header names another service";
  }
  const origin = request.header("origin");
  if (origin === undefined || isAllowedOrigin(origin, rules)) return null;
  return "Web pages of this origin may not call this service";
}

/** What lets the scripts of an allowed web page read the reply; nothing for other clients. */
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

/** On a developer's machine the pages that call come from other ports, and under either name. */
function isAllowedOrigin(origin: string, rules: HostRules): boolean {
  if (origin === rules.origin) return true;
  const host = hostnameOf(origin);
  if (host === null) return false;
  const isLocal = LOOPBACK_HOSTS.has(host) && LOOPBACK_HOSTS.has(new URL(rules.origin).hostname);
  return isLocal || rules.allowedHosts.includes(host);
}

function isOurs(host: string, { origin, allowedHosts }: HostRules): boolean {
  return host === new URL(origin).hostname || allowedHosts.includes(host);
}

/** Null for what is no address with a host. */
function hostnameOf(address: string): string | null {
  const hostname = URL.parse(address)?.hostname ?? "";
  return hostname === "" ? null : hostname;
}
