import { jsonBytes } from "./json.ts";
import type { RequestId } from "./message.ts";
import type { ProtocolError } from "./protocol-error.ts";

/** A request to the MCP address, as the HTTP door hands it in. */
export interface McpRequest {
  method: string;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** The caller's IP address. */
  address: string;
  /** @throws {AppError} `too_large` beyond that many bytes. */
  body(bytesMax: number): Promise<Uint8Array>;
}

export interface McpReply {
  status: number;
  headers: Record<string, string>;
  /** UTF-8 with a character for each byte, as it goes to the socket. */
  body: string | null;
}

/** A reply without a body; nothing this service says may be kept by caches. */
export function emptyReply(status: number, headers: Record<string, string> = {}): McpReply {
  return { status, headers: { "Cache-Control": "no-store", ...headers }, body: null };
}

/** The answer to a request: a JSON-RPC response with this result, bytes of JSON. */
export function resultReply(id: RequestId, result: string): McpReply {
  return jsonReply(200, `{"jsonrpc":"2.0","id":${jsonBytes(id)},"result":${result}}`);
}

/** A JSON-RPC error; without an id when the message it answers could not be read. */
export function errorReply(error: ProtocolError, id?: RequestId): McpReply {
  const { code, message, data, status } = error;
  const response = {
    jsonrpc: "2.0",
    ...(id === undefined ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) },
  };
  return jsonReply(status, jsonBytes(response));
}

function jsonReply(status: number, body: string): McpReply {
  return {
    status,
    headers: { "Cache-Control": "no-store", "Content-Type": "application/json" },
    body,
  };
}
