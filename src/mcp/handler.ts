import { randomUUID } from "node:crypto";
import { DAY_MILLISECONDS } from "../access/days.ts";
import { SeenFilter } from "../caching/seen-filter.ts";
import { VersionedCache } from "../caching/versioned-cache.ts";
import type { ReadingCopy } from "../content/library.ts";
import { serviceIdentity } from "../content/site/service-identity.ts";
import type { SiteProfile } from "../content/site/site.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { type GateParts, passGate } from "./gate.ts";
import { type Answer, countedAs, type Era, findMethod, type Method } from "./methods.ts";
import type { Offering } from "./offering.ts";
import { PROMPTS } from "./prompts.ts";
import { isJsonObject, type JsonObject } from "./protocol/json.ts";
import { checkLegacyVersion } from "./protocol/legacy.ts";
import { idOf, type Message, parseMessage, type RequestId } from "./protocol/message.ts";
import { checkModernRequest, completeResult, isModern } from "./protocol/modern.ts";
import { ERROR_CODES, invalidParams, ProtocolError } from "./protocol/protocol-error.ts";
import {
  emptyReply,
  errorReply,
  type McpReply,
  type McpRequest,
  resultReply,
} from "./protocol/reply.ts";
import { SITE_RESOURCES } from "./resources.ts";
import { TOOLS } from "./tools.ts";

const BODY_BYTES_MAX = 256 * 1024;
const KEPT_BYTES_MAX = 16 * 1024 * 1024;
const ASKED_MAX = 20_000;
/** Longer questions are hardly asked twice. */
const KEY_CHARACTERS_MAX = 2000;

export interface McpParts extends GateParts {
  reading: ReadingCopy;
  version: string;
  log: Pick<Log, "error">;
  /** Counts what a key did, without a write. */
  countUse(keyId: string, tool: string): void;
}

/** What this service offers of every site. */
export const SITE_OFFERING: Offering = {
  tools: TOOLS,
  resources: SITE_RESOURCES,
  prompts: PROMPTS,
};

/**
 * The MCP service at one address: stateless, answering each POST by itself with JSON, for clients of
 * the present protocol revision and of the older ones that begin with `initialize`.
 */
export function createMcpHandler(
  parts: McpParts,
  offering: Offering = SITE_OFFERING,
): (request: McpRequest) => Promise<McpReply> {
  const serverInfo = rememberServerInfo(parts);
  const kept = new VersionedCache<string>(KEPT_BYTES_MAX, () => parts.reading.version());
  const asked = new SeenFilter(ASKED_MAX);
  return async (request) => {
    try {
      const admission = await passGate(request, parts, BODY_BYTES_MAX);
      if (!admission.admitted) return admission.reply;
      const reply = await answerBody(admission.body, request, {
        parts,
        keyId: admission.keyId,
        kept,
        asked,
        offering,
        serverInfo: serverInfo(),
      });
      return { ...reply, headers: { ...reply.headers, ...admission.headers } };
    } catch (error) {
      return failedReply(error, parts.log);
    }
  };
}

interface Service {
  parts: McpParts;
  /** Whose request it is. */
  keyId: string;
  /** Results as bytes of JSON, by what was asked. */
  kept: VersionedCache<string>;
  /** What is asked once only is not kept. */
  asked: SeenFilter;
  offering: Offering;
  serverInfo: JsonObject;
}

async function answerBody(
  body: Uint8Array,
  request: McpRequest,
  service: Service,
): Promise<McpReply> {
  try {
    const message = parseMessage(body);
    service.parts.countUse(service.keyId, countedAs(message, service.offering));
    if (message.kind === "notification") return emptyReply(202);
    return resultReply(message.id, await answer(message, request, service));
  } catch (error) {
    return failedReply(error, service.parts.log, idOf(body));
  }
}

/** What the store cannot answer now is answered 503, as by every other door. */
function failedReply(error: unknown, log: McpParts["log"], id?: RequestId): McpReply {
  if (!(error instanceof AppError) || error.code !== "unavailable") {
    return errorReply(asProtocolError(error, log), id);
  }
  const refusal = new ProtocolError(ERROR_CODES.internal, error.message, { status: 503 });
  const reply = errorReply(refusal, id);
  const { retryAfterSeconds: seconds } = error;
  const retry = seconds === undefined ? {} : { "Retry-After": String(seconds) };
  return { ...reply, headers: { ...reply.headers, ...retry } };
}

/** The result as bytes of JSON, from what was answered before if nothing published has changed since. */
async function answer(
  { method: name, params }: Extract<Message, { kind: "request" }>,
  request: McpRequest,
  service: Service,
): Promise<string> {
  const era = eraOf(name, params, request);
  const method = findMethod(name, era);
  const now = service.parts.now();
  const { _meta: _, ...asked } = params;
  const day = Math.floor(now.getTime() / DAY_MILLISECONDS);
  const key = `${era} ${name} ${day} ${JSON.stringify(asked)}`;
  // V8 keeps each text that is looked for in a map, so what is asked for the first time is not.
  const isAskedAgain = key.length <= KEY_CHARACTERS_MAX && service.asked.add(key);
  const kept = isAskedAgain ? service.kept.get(key) : undefined;
  if (kept !== undefined) return kept;
  const version = service.parts.reading.version();
  const { result, isLasting } = await answerAnew(method, { era, params, now }, service);
  if (isLasting && isAskedAgain) {
    service.kept.set(key, result, { size: key.length + result.length, version });
  }
  return result;
}

async function answerAnew(
  method: Method,
  { era, params, now }: { era: Era; params: JsonObject; now: Date },
  { parts: { reading, origin }, offering, serverInfo }: Service,
): Promise<Answer> {
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
  return { ...answer, result: completeResult(answer.result, { cacheMs, serverInfo }) };
}

/** @throws {ProtocolError} when the request does not keep to the rules of its era. */
function eraOf(method: string, params: JsonObject, request: McpRequest): Era {
  const header = (name: string) => request.header(name);
  if (isModern({ method, params }, header)) {
    checkModernRequest({ method, params }, header);
    return "modern";
  }
  if (method !== "initialize") checkLegacyVersion(header("mcp-protocol-version"));
  return "legacy";
}

function asProtocolError(error: unknown, log: McpParts["log"]): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof AppError) return invalidParams(error.message);
  return internalError(error, log);
}

function internalError(error: unknown, log: McpParts["log"]): ProtocolError {
  const incident = randomUUID();
  log.error({ err: error, incident }, "The MCP service failed");
  return new ProtocolError(ERROR_CODES.internal, `Internal error ${incident}`, { status: 500 });
}

/** Names the service as the site does, found anew only when the site's profile has changed. */
function rememberServerInfo({ reading, origin, version }: McpParts): () => JsonObject {
  let site: SiteProfile | null = null;
  let info: JsonObject = {};
  return () => {
    const current = reading.site();
    if (current !== site) {
      const { name, title } = serviceIdentity(reading, { origin, version });
      site = current;
      info = { name, title, version };
    }
    return info;
  };
}
