import { type Actor, type KeyActor, requireScope } from "../access/actor.ts";
import { formatBearerChallenge, keyRequestInstructions } from "../access/keys/challenge.ts";
import { applyRateLimit } from "../access/limit-rate.ts";
import type { RateLimiter } from "../access/rate-limits.ts";
import { MCP_PATH } from "../content/site/service-identity.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import {
  crossOriginHeaders,
  findHostOrOriginError,
  type HostRules,
  isPreflight,
  PREFLIGHT_HEADERS,
} from "./cross-origin.ts";
import { ProtocolError } from "./protocol/protocol-error.ts";
import {
  emptyResponse,
  errorResponse,
  type McpRequest,
  type McpResponse,
} from "./protocol/response.ts";

const REQUIRED_SCOPE = "mcp:read";

export interface GateDependencies extends HostRules {
  now: () => Date;
  /** @throws {AppError} `unauthenticated` for a missing, wrong, expired or revoked key. */
  authenticate(authorization: string | undefined, address: string): Promise<Actor>;
  rateLimits: RateLimiter;
}

/**
 * The body of an admitted POST with headers for its response, or the response that refuses the request.
 */
export type GateResult =
  | {
      admitted: true;
      keyId: string;
      tools: readonly string[];
      body: Uint8Array;
      headers: Record<string, string>;
    }
  | { admitted: false; response: McpResponse };

/**
 * Checks a request before its message is parsed. The order reveals the least to strangers: host and
 * origin, key, rate limit, scope, method, content type, size. The key comes before the method so
 * that clients falling back to GET learn that a key is missing.
 */
export async function admitRequest(
  request: McpRequest,
  parts: GateDependencies,
  bodyBytesMax: number,
): Promise<GateResult> {
  const fault = findHostOrOriginError(request, parts);
  if (fault !== null) return refused(refusal(403, fault), {});
  const corsHeaders = crossOriginHeaders(request);
  if (isPreflight(request)) {
    return {
      admitted: false,
      response: emptyResponse(204, { ...corsHeaders, ...PREFLIGHT_HEADERS }),
    };
  }
  const headers = { ...corsHeaders };
  try {
    const actor = await requireKey(request, parts, headers);
    if (request.method === "POST") await countRequest(actor, parts, headers);
    requireReadScope(actor, parts.origin, headers);
    requirePost(request, headers);
    requireJson(request);
    const body = await request.body(bodyBytesMax);
    const { keyId, tools } = actor;
    return { admitted: true, keyId, tools, body, headers };
  } catch (error) {
    if (error instanceof ProtocolError) return refused(error, headers);
    if (error instanceof AppError) return refused(toProtocolError(error, headers), headers);
    throw error;
  }
}

async function requireKey(
  request: McpRequest,
  { authenticate, origin }: GateDependencies,
  headers: Record<string, string>,
): Promise<KeyActor> {
  const authorization = request.header("authorization");
  const isMissing = authorization === undefined || authorization.trim() === "";
  try {
    const actor = await authenticate(isMissing ? undefined : authorization, request.address);
    if (actor.kind === "key") return actor;
    throw new AppError("unauthenticated", englishOnlyWording("This service needs a key"));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthenticated") throw error;
    const detail = isMissing ? {} : { error: "invalid_token", error_description: error.message };
    headers["WWW-Authenticate"] = formatBearerChallenge(`${origin}${MCP_PATH}`, detail);
    const fault = isMissing ? "No key was sent" : error.message;
    throw refusal(401, `${fault}. ${keyRequestInstructions(origin)}`);
  }
}

async function countRequest(
  { keyId, ratePerMinute }: KeyActor,
  { rateLimits, now }: GateDependencies,
  headers: Record<string, string>,
): Promise<void> {
  const rate = await applyRateLimit(rateLimits, keyId, {
    limitPerMinute: ratePerMinute,
    now: now(),
  });
  Object.assign(headers, rate.headers);
  if (rate.refusal !== null) throw refusal(429, rate.refusal);
}

function requireReadScope(actor: Actor, origin: string, headers: Record<string, string>): void {
  try {
    requireScope(actor, REQUIRED_SCOPE);
  } catch (error) {
    headers["WWW-Authenticate"] = formatBearerChallenge(`${origin}${MCP_PATH}`, {
      error: "insufficient_scope",
      scope: REQUIRED_SCOPE,
    });
    throw error;
  }
}

function requirePost({ method }: McpRequest, headers: Record<string, string>): void {
  if (method === "POST") return;
  headers["Allow"] = "POST";
  throw refusal(405, `${method} is not served here: send each message by POST`);
}

function requireJson(request: McpRequest): void {
  const [type = "", ...parameters] = (request.header("content-type") ?? "")
    .toLowerCase()
    .split(";");
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (type.trim() !== "application/json" || !isUtf8) {
    throw refusal(415, "The Content-Type must be application/json, in UTF-8");
  }
  const encoding = request.header("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") throw refusal(415, "Send the body without Content-Encoding");
}

const HTTP_STATUS_BY_CODE: Partial<Record<AppError["code"], number>> = {
  invalid: 400,
  forbidden: 403,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
};

function toProtocolError(error: AppError, headers: Record<string, string>): ProtocolError {
  const status = HTTP_STATUS_BY_CODE[error.code];
  if (status === undefined) throw error;
  if (error.retryAfterSeconds !== undefined) {
    headers["Retry-After"] = String(error.retryAfterSeconds);
  }
  return refusal(status, error.message);
}

/**
 * Uses the HTTP status as error code, which is unambiguous: JSON-RPC and MCP reserve other ranges.
 */
function refusal(status: number, message: string): ProtocolError {
  return new ProtocolError(status, message, { status });
}

function refused(error: ProtocolError, headers: Record<string, string>): GateResult {
  const response = errorResponse(error);
  return {
    admitted: false,
    response: { ...response, headers: { ...response.headers, ...headers } },
  };
}
