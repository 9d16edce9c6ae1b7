import { toJsonByteString } from "./json.ts";
import type { RequestId } from "./message.ts";
import type { ProtocolError } from "./protocol-error.ts";

/** A request as the HTTP server passes it to the MCP service. */
export interface McpRequest {
  method: string;
  /** The value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** The caller's IP address. */
  address: string;
  /** @throws {AppError} `too_large` beyond `bytesMax`. */
  body(bytesMax: number): Promise<Uint8Array>;
}

export interface McpResponse {
  status: number;
  headers: Record<string, string>;
  /** A binary string: one character per UTF-8 byte, as it is written to the socket. */
  body: string | null;
}

/** A response without a body. Responses must never be cached. */
export function emptyResponse(status: number, headers: Record<string, string> = {}): McpResponse {
  return { status, headers: { "Cache-Control": "no-store", ...headers }, body: null };
}

/** A JSON-RPC response with this result. `result` is JSON as a binary string. */
export function resultResponse(id: RequestId, result: string): McpResponse {
  return jsonResponse(200, `{"jsonrpc":"2.0","id":${toJsonByteString(id)},"result":${result}}`);
}

/** A JSON-RPC error response. It has no id if the message could not be parsed. */
export function errorResponse(error: ProtocolError, id?: RequestId): McpResponse {
  const { code, message, data, status } = error;
  const response = {
    jsonrpc: "2.0",
    ...(id === undefined ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
  };
  return jsonResponse(status, toJsonByteString(response));
}

function jsonResponse(status: number, body: string): McpResponse {
  return {
    status,
    headers: { "Cache-Control": "no-store", "Content-Type": "application/json" },
    body,
  };
}
