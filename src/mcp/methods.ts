import { AppError } from "../errors.ts";
import { completeArgument } from "./completions.ts";
import { buildMcpInstructions } from "./instructions.ts";
import type { CallContext, McpFeatures, Prompt, Tool } from "./mcp-features.ts";
import { isJsonObject, type JsonObject, toJsonByteString } from "./protocol/json.ts";
import type { McpMessage } from "./protocol/message.ts";
import { ERROR_CODES, invalidParamsError, ProtocolError } from "./protocol/protocol-error.ts";
import { negotiateProtocolVersion, SUPPORTED_VERSIONS } from "./protocol/versions.ts";

const HOUR_MS = 3_600_000;
const FIVE_MINUTES_MS = 300_000;

export type ProtocolEra = "modern" | "legacy";

export interface MethodContext extends CallContext {
  era: ProtocolEra;
  offering: McpFeatures;
  serverInfo: JsonObject;
}

export interface Method {
  eras: readonly ProtocolEra[];
  /** How long clients may cache the result. */
  cacheMs?: number;
  answer: MethodFunction<MethodResult | Promise<MethodResult>>;
}

export interface MethodResult {
  /** A JSON object as a binary string: one character per UTF-8 byte. */
  result: string;
  /** Whether the result may be cached until something is published. */
  isCacheable: boolean;
}

type MethodFunction<Result> = (params: JsonObject, context: MethodContext) => Result;

const BOTH_ERAS: readonly ProtocolEra[] = ["modern", "legacy"];

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["server/discover", { eras: ["modern"], cacheMs: HOUR_MS, answer: cacheable(discover) }],
  ["initialize", { eras: ["legacy"], answer: uncacheable(initialize) }],
  ["ping", { eras: ["legacy"], answer: uncacheable(() => ({})) }],
  ["tools/list", { eras: BOTH_ERAS, cacheMs: HOUR_MS, answer: cacheable(listTools) }],
  ["tools/call", { eras: BOTH_ERAS, answer: callTool }],
  ["resources/list", { eras: BOTH_ERAS, cacheMs: HOUR_MS, answer: cacheable(listResources) }],
  [
    "resources/templates/list",
    { eras: BOTH_ERAS, cacheMs: HOUR_MS, answer: cacheable(listTemplates) },
  ],
  [
    "resources/read",
    { eras: BOTH_ERAS, cacheMs: FIVE_MINUTES_MS, answer: cacheable(readResource) },
  ],
  ["prompts/list", { eras: BOTH_ERAS, cacheMs: HOUR_MS, answer: cacheable(listPrompts) }],
  ["prompts/get", { eras: BOTH_ERAS, answer: cacheable(getPrompt) }],
  ["completion/complete", { eras: BOTH_ERAS, answer: uncacheable(completeArgument) }],
]);

function cacheable(compute: MethodFunction<JsonObject>): MethodFunction<MethodResult> {
  return (params, context) => ({
    result: toJsonByteString(compute(params, context)),
    isCacheable: true,
  });
}

function uncacheable(compute: MethodFunction<JsonObject>): MethodFunction<MethodResult> {
  return (params, context) => ({
    result: toJsonByteString(compute(params, context)),
    isCacheable: false,
  });
}

/** @throws {ProtocolError} method not found, with the HTTP status of the protocol revision. */
export function findMethod(name: string, era: ProtocolEra): Method {
  const method = METHODS.get(name);
  if (method?.eras.includes(era) === true) return method;
  throw new ProtocolError(ERROR_CODES.methodNotFound, `Method not found: ${name.slice(0, 100)}`, {
    status: era === "modern" ? 404 : 200,
  });
}

/**
 * The name under which use is counted: a known tool or method, so that callers cannot invent names.
 */
export function usageCounterName(message: McpMessage, { tools }: McpFeatures): string {
  if (message.kind === "notification") return "notifications";
  const { method, params } = message;
  if (method !== "tools/call") return METHODS.has(method) ? method : "other";
  return toolNamed(params["name"], tools)?.definition.name ?? "other";
}

function discover(_params: JsonObject, context: MethodContext): JsonObject {
  return {
    supportedVersions: SUPPORTED_VERSIONS,
    capabilities: CAPABILITIES,
    instructions: buildMcpInstructions(context),
  };
}

function initialize(params: JsonObject, context: MethodContext): JsonObject {
  return {
    protocolVersion: negotiateProtocolVersion(params["protocolVersion"]),
    capabilities: CAPABILITIES,
    serverInfo: context.serverInfo,
    instructions: buildMcpInstructions(context),
  };
}

/**
 * Declares no notifications of changed lists, because the service is stateless and only answers
 * requests.
 */
const CAPABILITIES: JsonObject = { tools: {}, resources: {}, prompts: {}, completions: {} };

function listTools(params: JsonObject, { offering }: MethodContext): JsonObject {
  refuseCursor(params);
  return { tools: offering.tools.map((tool) => tool.definition) };
}

async function callTool(params: JsonObject, context: MethodContext): Promise<MethodResult> {
  const { tools } = context.offering;
  const name = requireText(params, "name");
  const tool = toolNamed(name, tools);
  if (tool === undefined) {
    const names = tools.map(({ definition }) => definition.name).join(", ");
    throw invalidParamsError(
      `Unknown tool "${name.slice(0, 100)}"; the tools of this key are ${names}`,
    );
  }
  const args = params["arguments"] ?? {};
  if (!isJsonObject(args)) throw invalidParamsError("params.arguments must be an object");
  try {
    return { result: await tool.call(args, context), isCacheable: tool.isCacheable };
  } catch (error) {
    if (error instanceof AppError) return { result: failedCall(error), isCacheable: false };
    throw error;
  }
}

function toolNamed(name: unknown, tools: readonly Tool[]): Tool | undefined {
  return tools.find(({ definition }) => definition.name === name);
}

/**
 * Returns an error as the result of a tool, so that the model can correct its call. A protocol error would
 * reach the client, but not the model.
 */
function failedCall({ code, message, retryAfterSeconds }: AppError): string {
  const isAbsent = code === "not_found" || code === "gone";
  const next = isAbsent ? ". To look for it by words, call search_content" : "";
  const wait = retryAfterSeconds === undefined ? "" : `. Retry after ${retryAfterSeconds} seconds`;
  return toJsonByteString({
    content: [{ type: "text", text: message + next + wait }],
    isError: true,
  });
}

function listResources(params: JsonObject, context: MethodContext): JsonObject {
  const cursor = params["cursor"];
  if (cursor !== undefined && typeof cursor !== "string") {
    throw invalidParamsError("params.cursor must be a string");
  }
  const { resources, nextCursor } = context.offering.resources.list(cursor, context);
  return nextCursor === null ? { resources } : { resources, nextCursor };
}

function listTemplates(params: JsonObject, context: MethodContext): JsonObject {
  refuseCursor(params);
  const templates = context.offering.resources.templates(context);
  return { resourceTemplates: templates.map(({ definition }) => definition) };
}

function readResource(params: JsonObject, context: MethodContext): JsonObject {
  const uri = requireText(params, "uri");
  const contents = context.offering.resources.read(uri, context);
  if (contents !== null) return { contents };
  const code =
    context.era === "modern" ? ERROR_CODES.invalidParams : ERROR_CODES.legacyResourceNotFound;
  throw new ProtocolError(code, `Resource not found: ${uri.slice(0, 300)}`, { data: { uri } });
}

function listPrompts(params: JsonObject, { offering }: MethodContext): JsonObject {
  refuseCursor(params);
  return { prompts: offering.prompts.map(({ definition }) => definition) };
}

function getPrompt(params: JsonObject, context: MethodContext): JsonObject {
  const { prompts } = context.offering;
  const name = requireText(params, "name");
  const prompt = prompts.find(({ definition }) => definition.name === name);
  if (prompt === undefined) {
    const names = prompts.map(({ definition }) => definition.name).join(", ");
    throw invalidParamsError(`Unknown prompt "${name.slice(0, 100)}"; the prompts are ${names}`);
  }
  return {
    description: prompt.definition.description,
    messages: prompt.messages(promptArguments(prompt, params["arguments"] ?? {}), context),
  };
}

function promptArguments({ definition }: Prompt, given: unknown): Record<string, string> {
  if (!isJsonObject(given)) throw invalidParamsError("params.arguments must be an object");
  const args: Record<string, string> = {};
  for (const { name, required } of definition.arguments) {
    const value = given[name];
    if (typeof value === "string" && value.trim() !== "") args[name] = value.trim();
    else if (required || (value !== undefined && value !== "")) {
      throw invalidParamsError(`The argument "${name}" of ${definition.name} must be a text`);
    }
  }
  return args;
}

/** Refuses a cursor for a list that is never paged. */
function refuseCursor(params: JsonObject): void {
  if (params["cursor"] === undefined) return;
  throw invalidParamsError("This list comes whole: call it without a cursor");
}

function requireText(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value === "string" && value !== "") return value;
  throw invalidParamsError(`params.${name} must be a text`);
}
