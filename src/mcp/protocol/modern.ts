import { decodeHeaderValue } from "./header-value.ts";
import { isJsonObject, type JsonObject, toJsonByteString } from "./json.ts";
import { ERROR_CODES, ProtocolError } from "./protocol-error.ts";
import { MODERN_VERSIONS, SUPPORTED_VERSIONS } from "./versions.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo";

type ReadHeader = (name: string) => string | undefined;

/**
 * Maps each method to the parameter whose value the header `Mcp-Name` repeats. Other methods do not require
 * the header.
 */
const NAME_PARAMETERS: ReadonlyMap<string, "name" | "uri"> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

/**
 * Whether a request follows revision 2026-07-28, which requires the protocol version in `_meta`. A
 * request with a modern version only in its header also counts, so that its missing metadata is
 * reported. An `initialize` without `_meta` never counts.
 */
export function isModernRequest(
  { method, params }: { method: string; params: JsonObject },
  header: ReadHeader,
): boolean {
  const meta = params["_meta"];
  if (isJsonObject(meta) && VERSION_KEY in meta) return true;
  return method !== "initialize" && MODERN_VERSIONS.includes(header("mcp-protocol-version") ?? "");
}

/**
 * Checks the requirements of revision 2026-07-28: metadata in every request, and headers that agree
 * with the body.
 *
 * @throws {ProtocolError} with the code that the revision prescribes and status 400.
 */
export function checkModernRequest(
  { method, params }: { method: string; params: JsonObject },
  header: ReadHeader,
): void {
  const meta = params["_meta"];
  if (!isJsonObject(meta)) throw missing("params._meta");
  const version = meta[VERSION_KEY];
  if (typeof version !== "string") throw missing(`params._meta["${VERSION_KEY}"]`);
  checkVersion(version, header("mcp-protocol-version"));
  if (!isJsonObject(meta[CAPABILITIES_KEY])) throw missing(`params._meta["${CAPABILITIES_KEY}"]`);
  checkMethodHeader(method, header("mcp-method"));
  const parameter = NAME_PARAMETERS.get(method);
  if (parameter !== undefined) checkNameHeader(params[parameter], parameter, header("mcp-name"));
}

/**
 * Adds the properties that the revision requires in every non-empty result: type, cache lifetime and scope,
 * server info. Input and output are JSON in binary strings.
 */
export function withRequiredResultProperties(
  result: string,
  {
    cacheMs,
    isForAll,
    serverInfo,
  }: {
    cacheMs: number | undefined;
    /** Whether the result is the same for every key. */
    isForAll: boolean;
    serverInfo: JsonObject;
  },
): string {
  const scope = isForAll ? "public" : "private";
  const cache = cacheMs === undefined ? "" : `"ttlMs":${cacheMs},"cacheScope":"${scope}",`;
  const meta = toJsonByteString({ [SERVER_INFO_KEY]: serverInfo });
  return `{"resultType":"complete",${result.slice(1, -1)},${cache}"_meta":${meta}}`;
}

function checkVersion(version: string, header: string | undefined): void {
  if (header === undefined) throw mismatch("the header MCP-Protocol-Version is missing");
  if (header !== version) {
    throw mismatch(
      `MCP-Protocol-Version is "${truncated(header)}" but _meta says "${truncated(version)}"`,
    );
  }
  if (MODERN_VERSIONS.includes(version)) return;
  throw new ProtocolError(
    ERROR_CODES.unsupportedVersion,
    `Protocol version "${truncated(version)}" is not served with per-request metadata; use ${MODERN_VERSIONS.join(", ")}`,
    { status: 400, data: { supported: SUPPORTED_VERSIONS, requested: version } },
  );
}

function checkMethodHeader(method: string, header: string | undefined): void {
  if (header === undefined) throw mismatch("the header Mcp-Method is missing");
  if (header === method) return;
  throw mismatch(`Mcp-Method is "${truncated(header)}" but the method is "${truncated(method)}"`);
}

function checkNameHeader(name: unknown, parameter: string, header: string | undefined): void {
  if (header === undefined) throw mismatch("the header Mcp-Name is missing");
  const decoded = decodeHeaderValue(header);
  if (decoded === null) throw mismatch("Mcp-Name is neither plain ASCII nor =?base64?…?=");
  if (decoded === name) return;
  const stated = typeof name === "string" ? `"${truncated(name)}"` : "not a string";
  throw mismatch(`Mcp-Name is "${truncated(decoded)}" but params.${parameter} is ${stated}`);
}

function mismatch(what: string): ProtocolError {
  return new ProtocolError(ERROR_CODES.headerMismatch, `Header mismatch: ${what}`, { status: 400 });
}

function missing(where: string): ProtocolError {
  return new ProtocolError(ERROR_CODES.invalidParams, `${where} is missing or of the wrong type`, {
    status: 400,
  });
}

function truncated(value: string): string {
  return value.length <= 80 ? value : `${value.slice(0, 79)}…`;
}
