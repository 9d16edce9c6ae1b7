import { isJsonObject, type JsonObject } from "./json.ts";
import { ERROR_CODES, ProtocolError } from "./protocol-error.ts";

export type RequestId = string | number;

/** A well-formed message from a client. */
export type McpMessage =
  | { kind: "request"; id: RequestId; method: string; params: JsonObject }
  | { kind: "notification"; method: string };

const NO_PARAMS: JsonObject = {};
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * @throws {ProtocolError} parse error for invalid JSON; invalid request for JSON that is not a single
 * request or notification.
 */
export function parseMessage(body: Uint8Array): McpMessage {
  const value = parseJson(body);
  if (Array.isArray(value)) {
    throw invalidRequest("Batches are not taken: send each message in a request of its own");
  }
  if (!isJsonObject(value)) throw invalidRequest("The body must be one JSON-RPC message object");
  if (value["jsonrpc"] !== "2.0") throw invalidRequest('The member "jsonrpc" must be "2.0"');
  const { method } = value;
  if (typeof method !== "string") throw invalidRequest(faultWithoutMethod(value));
  const params = value["params"] ?? NO_PARAMS;
  if (!isJsonObject(params)) throw invalidRequest('The member "params" must be an object');
  if (!("id" in value)) return { kind: "notification", method };
  const { id } = value;
  if (!isRequestId(id)) throw invalidRequest('The member "id" must be a string or a whole number');
  return { kind: "request", id, method, params };
}

/** The id of a possibly malformed message, for the error response. */
export function requestIdOf(body: Uint8Array): RequestId | undefined {
  try {
    const value = parseJson(body);
    return isJsonObject(value) && isRequestId(value["id"]) ? value["id"] : undefined;
  } catch {
    return undefined;
  }
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(body));
  } catch {
    throw new ProtocolError(ERROR_CODES.parse, "The body is not JSON in UTF-8", { status: 400 });
  }
}

function faultWithoutMethod(value: JsonObject): string {
  return "result" in value || "error" in value
    ? "This service sends no requests, so it takes no responses"
    : 'The member "method" must be a string';
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isInteger(value);
}

function invalidRequest(message: string): ProtocolError {
  return new ProtocolError(ERROR_CODES.invalidRequest, message, { status: 400 });
}
