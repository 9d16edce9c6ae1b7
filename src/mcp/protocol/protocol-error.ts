/**
 * Error codes of JSON-RPC 2.0 and of the MCP schema. Only revisions before 2026-07-28 define
 * -32002.
 */
export const ERROR_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedVersion: -32022,
  legacyResourceNotFound: -32002,
} as const;

/** A protocol violation, answered as a JSON-RPC error; its message is shown to the sender. */
export class ProtocolError extends Error {
  readonly code: number;
  /** HTTP status of the response; 200 for errors that the protocol reports only in the body. */
  readonly status: number;
  readonly data: unknown;

  constructor(
    code: number,
    message: string,
    { status = 200, data }: { status?: number; data?: unknown } = {},
  ) {
    super(message);
    this.name = "ProtocolError";
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/** The error for arguments that do not fit the method. */
export function invalidParamsError(message: string): ProtocolError {
  return new ProtocolError(ERROR_CODES.invalidParams, message);
}
