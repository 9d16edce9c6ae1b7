import { randomUUID } from "node:crypto";
import { SeenFilter } from "../caching/seen-filter.ts";
import { VersionedCache } from "../caching/versioned-cache.ts";
import type { ReadingCopy } from "../content/library.ts";
import { buildServiceIdentity } from "../content/site/service-identity.ts";
import type { SiteProfile } from "../content/site/site.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { currentTracer, type SpanAttributes } from "../tracing.ts";
import { admitRequest, type GateDependencies } from "./gate.ts";
import type { McpFeatures } from "./mcp-features.ts";
import {
  findMethod,
  type Method,
  type MethodResult,
  type ProtocolEra,
  usageCounterName,
} from "./methods.ts";
import { PROMPTS } from "./prompts.ts";
import { isJsonObject, type JsonObject } from "./protocol/json.ts";
import { checkLegacyVersion } from "./protocol/legacy.ts";
import { type McpMessage, parseMessage, type RequestId, requestIdOf } from "./protocol/message.ts";
import {
  checkModernRequest,
  isModernRequest,
  withRequiredResultProperties,
} from "./protocol/modern.ts";
import { ERROR_CODES, invalidParamsError, ProtocolError } from "./protocol/protocol-error.ts";
import {
  emptyResponse,
  errorResponse,
  type McpRequest,
  type McpResponse,
  resultResponse,
} from "./protocol/response.ts";
import { SITE_RESOURCES } from "./resources.ts";
import { todayOnSite } from "./today.ts";
import { TOOLS } from "./tools.ts";

const BODY_BYTES_MAX = 256 * 1024;
const CACHE_BYTES_MAX = 16 * 1024 * 1024;
const SEEN_MAX = 20_000;
/** Requests whose cache keys are longer than this are not cached, because they are rarely repeated. */
const KEY_CHARACTERS_MAX = 2000;

export interface McpDependencies extends GateDependencies {
  reading: ReadingCopy;
  version: string;
  log: Pick<Log, "error">;
  /** Counts a call that was made with the key. The count is kept in memory. */
  countUse(keyId: string, tool: string): void;
}

/** The tools, resources and prompts that every site offers. */
export const SITE_FEATURES: McpFeatures = {
  tools: TOOLS,
  resources: SITE_RESOURCES,
  prompts: PROMPTS,
};

/**
 * The stateless MCP service. Answers each POST on its own, with JSON. Supports the current protocol
 * revision, and older revisions whose clients begin with an `initialize` request.
 */
export function createMcpHandler(
  parts: McpDependencies,
  offering: McpFeatures = SITE_FEATURES,
): (request: McpRequest) => Promise<McpResponse> {
  const serverInfo = cachedServerInfo(parts);
  const today = todayOnSite(parts.reading);
  const cache = new VersionedCache<string>(CACHE_BYTES_MAX, () => parts.reading.version());
  const seen = new SeenFilter(SEEN_MAX);
  return async (request) => {
    try {
      const admission = await admitRequest(request, parts, BODY_BYTES_MAX);
      if (!admission.admitted) return admission.response;
      const response = await responseBody(admission.body, request, {
        parts,
        keyId: admission.keyId,
        allowedTools: admission.tools,
        cache,
        seen,
        offering: offeringFor(admission.tools, offering),
        serverInfo: serverInfo(),
        today,
      });
      return { ...response, headers: { ...response.headers, ...admission.headers } };
    } catch (error) {
      return failedResponse(error, parts.log);
    }
  };
}

/** Limits the offered features to the tools that a key may call. Other tools are not even listed. */
function offeringFor(allowedTools: readonly string[], offering: McpFeatures): McpFeatures {
  if (allowedTools.length === 0) return offering;
  const tools = offering.tools.filter(({ definition }) => allowedTools.includes(definition.name));
  return { ...offering, tools };
}

interface RequestScope {
  parts: McpDependencies;
  keyId: string;
  /** Tools the key may call; if empty, all tools. */
  allowedTools: readonly string[];
  /** Cached results, keyed by request; each is JSON as a binary string. */
  cache: VersionedCache<string>;
  /** The requests seen so far. A result is cached when its request is repeated. */
  seen: SeenFilter;
  offering: McpFeatures;
  serverInfo: JsonObject;
  /** The day in the site's time zone. Results are cached for that day, because pages depend on it. */
  today: (now: Date) => string;
}

async function responseBody(
  body: Uint8Array,
  request: McpRequest,
  scope: RequestScope,
): Promise<McpResponse> {
  try {
    const message = parseMessage(body);
    const usage = usageCounterName(message, scope.offering);
    scope.parts.countUse(scope.keyId, usage);
    currentTracer()?.describeRequest(callAttributes(message, usage));
    if (message.kind === "notification") return emptyResponse(202);
    return resultResponse(message.id, await answer(message, request, scope));
  } catch (error) {
    return failedResponse(error, scope.parts.log, requestIdOf(body));
  }
}

/**
 * Trace attributes by OpenTelemetry's conventions for MCP. `usage` is a known tool or method name,
 * never text from the client.
 */
function callAttributes({ kind, method }: McpMessage, usage: string): SpanAttributes {
  if (kind === "request" && method === "tools/call") {
    return { "mcp.method.name": method, "gen_ai.tool.name": usage };
  }
  return { "mcp.method.name": usage };
}

/**
 * The response to an error. If the store is unavailable, the status is 503, as in the service's other HTTP
 * interfaces.
 */
function failedResponse(error: unknown, log: McpDependencies["log"], id?: RequestId): McpResponse {
  if (!(error instanceof AppError) || error.code !== "unavailable") {
    return errorResponse(asProtocolError(error, log), id);
  }
  const refusal = new ProtocolError(ERROR_CODES.internal, error.message, { status: 503 });
  const response = errorResponse(refusal, id);
  const { retryAfterSeconds: seconds } = error;
  const retry = seconds === undefined ? {} : { "Retry-After": String(seconds) };
  return { ...response, headers: { ...response.headers, ...retry } };
}

/**
 * Returns the result as JSON in a binary string. Uses the cached result if nothing has been published
 * since.
 */
async function answer(
  { method: name, params }: Extract<McpMessage, { kind: "request" }>,
  request: McpRequest,
  scope: RequestScope,
): Promise<string> {
  const era = protocolEra(name, params, request);
  const method = findMethod(name, era);
  const now = scope.parts.now();
  const { _meta: _, ...parameters } = params;
  const day = scope.today(now);
  const tools = scope.allowedTools.join();
  const key = `${era} ${tools} ${name} ${day} ${JSON.stringify(parameters)}`;
  // V8 retains every string that was looked up in a map, so only requests seen before are looked up.
  const isRepeat = key.length <= KEY_CHARACTERS_MAX && scope.seen.add(key);
  const cached = isRepeat ? scope.cache.get(key) : undefined;
  if (cached !== undefined) return cached;
  const version = scope.parts.reading.version();
  const { result, isCacheable } = await computeResult(method, { era, params, now }, scope);
  if (isCacheable && isRepeat) {
    scope.cache.set(key, result, { size: key.length + result.length, version });
  }
  return result;
}

async function computeResult(
  method: Method,
  { era, params, now }: { era: ProtocolEra; params: JsonObject; now: Date },
  { parts: { reading, origin }, allowedTools, offering, serverInfo }: RequestScope,
): Promise<MethodResult> {
  const { _meta: meta } = params;
  const answer = await method.answer(params, {
    reading,
    types: reading.types(),
    origin,
    now,
    meta: isJsonObject(meta) ? meta : {},
    era,
    offering,
    serverInfo,
  });
  if (era === "legacy") return answer;
  const { cacheMs } = method;
  const isForAll = allowedTools.length === 0;
  return {
    ...answer,
    result: withRequiredResultProperties(answer.result, { cacheMs, isForAll, serverInfo }),
  };
}

/** @throws {ProtocolError} when the request breaks the rules of the protocol revision it uses. */
function protocolEra(method: string, params: JsonObject, request: McpRequest): ProtocolEra {
  const header = (name: string) => request.header(name);
  if (isModernRequest({ method, params }, header)) {
    checkModernRequest({ method, params }, header);
    return "modern";
  }
  if (method !== "initialize") checkLegacyVersion(header("mcp-protocol-version"));
  return "legacy";
}

function asProtocolError(error: unknown, log: McpDependencies["log"]): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof AppError) return invalidParamsError(error.message);
  return internalError(error, log);
}

function internalError(error: unknown, log: McpDependencies["log"]): ProtocolError {
  const incident = randomUUID();
  log.error({ err: error, incident }, "The MCP service failed");
  return new ProtocolError(ERROR_CODES.internal, `Internal error ${incident}`, { status: 500 });
}

/** The service's name and title, recomputed only when the site's profile changes. */
function cachedServerInfo({ reading, origin, version }: McpDependencies): () => JsonObject {
  let site: SiteProfile | null = null;
  let info: JsonObject = {};
  return () => {
    const current = reading.site();
    if (current !== site) {
      const { name, title } = buildServiceIdentity(reading, { origin, version });
      site = current;
      info = { name, title, version };
    }
    return info;
  };
}
