import type { ArrivingBody } from "./body-reading.ts";
import type { Encoding } from "./encoding.ts";

/** A request as every door sees it, from a socket or from a command. */
export interface HttpRequest {
  method: string;
  /** Path and query as sent. */
  target: string;
  /** The target parsed, dot segments resolved. */
  url: RequestUrl;
  /** By lower-case name; repeated headers are joined by commas. */
  header(name: string): string | undefined;
  /** IP address of the client; empty when there is no connection. */
  address: string;
  /** For the log and for complaints. */
  id: string;
  /** Null: the request has none. */
  body: ArrivingBody | null;
  /** Lifts the time limit on the body; the caller sets its own. */
  liftTimeLimit(): void;
}

export type RequestUrl = Pick<URL, "pathname" | "search" | "searchParams">;

export interface HttpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | ReadableStream<Uint8Array> | null;
  /** Where the answer cache holds it; the same request may get the same answer again. */
  cached?: { key: string; encoding: Encoding };
}

export type Handler = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

/** Parsing leaves these as they are. */
const PLAIN_TARGET = /^\/[\w/-]*(?:\.md)?$/;
const NO_PARAMETERS = new URLSearchParams();

/** Null: the target is no path. An absolute URL, as sent to proxies, stands for its path. */
export function readTarget(target: string): RequestUrl | null {
  if (PLAIN_TARGET.test(target)) {
    return { pathname: target, search: "", searchParams: NO_PARAMETERS };
  }
  // URL would take a backslash for a slash.
  if (target.includes("\\")) return null;
  if (/^https?:\/\//i.test(target)) return URL.parse(target);
  return target.startsWith("/") ? URL.parse(`http://localhost${target}`) : null;
}

/** A body that is complete, with its length. */
export function wholeAnswer(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | null,
): HttpAnswer {
  if (body === null) return { status, headers, body };
  const length = String(Buffer.byteLength(body));
  return { status, headers: { ...headers, "Content-Length": length }, body };
}
