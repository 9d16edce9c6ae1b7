import type { RequestBody } from "./body-reading.ts";
import type { Encoding } from "./encoding.ts";

/** An HTTP request, from a socket or from this process. */
export interface HttpRequest {
  method: string;
  /** Path and query as sent. */
  target: string;
  /** The parsed target with dot segments resolved. */
  url: RequestUrl;
  /** The value of a header by its lower-case name. Repeated headers are joined by commas. */
  header(name: string): string | undefined;
  /** IP address of the client; empty without a connection. */
  address: string;
  /** Id for the log and for error responses. */
  id: string;
  /** Null: no body. */
  body: RequestBody | null;
  /** Lifts the body timeout; the caller sets its own. */
  liftTimeLimit(): void;
}

export type RequestUrl = Pick<URL, "pathname" | "search" | "searchParams">;

export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | ReadableStream<Uint8Array> | null;
  /** The answer's cache entry, which answers repeats of the request. */
  cached?: CacheReference;
}

/** Identifies the cache entry of an answer. */
export interface CacheReference {
  key: string;
  encoding: Encoding;
  /** Representation and path, as in `html /topics`. */
  address: string;
}

export type Handler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** Fast path: matches targets that need no parsing. */
const PLAIN_TARGET = /^\/[\w/-]*(?:\.md)?$/;
const NO_PARAMETERS = new URLSearchParams();

/**
 * Parses a target, which may be an absolute URL as sent to proxies. Null: the target is malformed.
 */
export function parseRequestTarget(target: string): RequestUrl | null {
  if (PLAIN_TARGET.test(target)) {
    return { pathname: target, search: "", searchParams: NO_PARAMETERS };
  }
  // Refused, because `URL` would treat a backslash as a slash.
  if (target.includes("\\")) return null;
  if (/^https?:\/\//i.test(target)) return URL.parse(target);
  return target.startsWith("/") ? URL.parse(`http://localhost${target}`) : null;
}

/** An answer with a complete body and its length. */
export function responseWithContentLength(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | null,
): HttpResponse {
  if (body === null) return { status, headers, body };
  const length = String(Buffer.byteLength(body));
  return { status, headers: { ...headers, "Content-Length": length }, body };
}
