import { lookup as systemLookup } from "node:dns";
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { isIP } from "node:net";
import { type SpanAttributes, type TracedStep, traceStep } from "../../tracing.ts";
import { noResponseWithin } from "../../webhooks/connection-errors.ts";
import { isPublicIpAddress } from "../../webhooks/destination.ts";
import {
  createPublicDnsLookup,
  type DnsLookup,
  describePostError,
} from "../../webhooks/sending/public-network.ts";
import { responseTo } from "../../webhooks/sending/response-to.ts";
import { TimeLimit } from "../../work/time-limit.ts";
import type { LinkRequestOutcome } from "../judging-links.ts";
import {
  NO_REDIRECT_TARGET,
  NOT_A_WEB_URL,
  PASSWORD_IN_URL,
  PRIVATE_NETWORK,
  REDIRECT_LOOP,
  REDIRECT_TO_BUSY_HOST,
  REDIRECTS_MAX,
  TOO_MANY_REDIRECTS,
} from "../link-errors.ts";

/** Maximum number of bytes read from the body of a GET response. */
const ANSWER_BYTES_MAX = 64 * 1024;
const PERMANENT_STATUSES: ReadonlySet<number> = new Set([301, 308]);
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const SLOW_DOWN_STATUSES: ReadonlySet<number> = new Set([429, 503]);

// Connections and TLS sessions are not reused, because requests to a host are rare. Reuse would
// cost memory: Node 26 frees the remains of a request only when it collects the old generation.
const PLAIN_AGENT = new PlainAgent({ keepAlive: false });
const TLS_AGENT = new TlsAgent({ keepAlive: false, maxCachedSessions: 0 });

/** Traces omit the address, because it comes from an editor's text. */
const REQUEST_STEPS = { HEAD: requestStep("HEAD"), GET: requestStep("GET") };

export interface LinkCheckOptions {
  userAgent: string;
  /** Whether requests to private networks are allowed. */
  privateNetworks: boolean;
  /** Time limit for each request. */
  milliseconds: number;
  signal: AbortSignal;
  /** Waits until another request to the host is allowed. False: the wait would be too long. */
  waitForTurn(host: string): Promise<boolean>;
  /** Called if the host asks for fewer requests. */
  slowDown(host: string, retryAfter: string | undefined): Promise<void>;
  /** DNS resolution; defaults to the system's. */
  lookup?: DnsLookup;
}

/**
 * Requests an address with HEAD, and with GET if HEAD fails. Follows redirects up to a limit, and stops at a
 * loop.
 */
export async function checkLink(
  start: string,
  parts: LinkCheckOptions,
): Promise<LinkRequestOutcome> {
  let url = start;
  let isPermanent = true;
  let target: string | null = null;
  const seen = new Set([start]);
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    if (redirects > 0 && !(await parts.waitForTurn(new URL(url).host))) {
      return {
        status: null,
        target: null,
        fault: REDIRECT_TO_BUSY_HOST.en,
      };
    }
    const answer = await requestWithFallback(url, parts);
    if ("fault" in answer) return { status: null, target: null, fault: answer.fault };
    const { status, location } = answer;
    if (!REDIRECT_STATUSES.has(status)) return { status, target, fault: null };
    const next = redirectTarget(location, url);
    if (next === null) return { status, target: null, fault: NO_REDIRECT_TARGET.en };
    url = next;
    if (seen.has(url)) return { status, target: null, fault: REDIRECT_LOOP.en };
    seen.add(url);
    isPermanent &&= PERMANENT_STATUSES.has(status);
    if (isPermanent) target = url;
  }
  return { status: null, target: null, fault: TOO_MANY_REDIRECTS.en };
}

function requestStep(method: string): TracedStep {
  return { name: "link check", kind: "client", attributes: { "http.request.method": method } };
}

function redirectTarget(location: string | undefined, from: string): string | null {
  const url = location === undefined ? null : URL.parse(location, from);
  if (url === null) return null;
  url.hash = "";
  return url.href;
}

type HostResponse = { status: number; location: string | undefined } | { fault: string };

/** Tries GET if HEAD fails: some servers answer HEAD with an error or not at all. */
async function requestWithFallback(url: string, parts: LinkCheckOptions): Promise<HostResponse> {
  const head = await requestOnce("HEAD", url, parts);
  const isOk = "status" in head && head.status < 400;
  if (isOk || parts.signal.aborted) return head;
  if (!(await parts.waitForTurn(new URL(url).host))) return head;
  return await requestOnce("GET", url, parts);
}

function requestOnce(
  method: "HEAD" | "GET",
  url: string,
  parts: LinkCheckOptions,
): Promise<HostResponse> {
  return traceStep(
    REQUEST_STEPS[method],
    () => requestUntraced(method, url, parts),
    answerAttributes,
  );
}

function answerAttributes(answer: HostResponse): SpanAttributes {
  if ("fault" in answer) return { "error.type": "no_answer" };
  return {
    "http.response.status_code": answer.status,
    ...(answer.status < 400 ? {} : { "error.type": String(answer.status) }),
  };
}

async function requestUntraced(
  method: "HEAD" | "GET",
  url: string,
  parts: LinkCheckOptions,
): Promise<HostResponse> {
  const fault = findLinkUrlError(url, parts.privateNetworks);
  if (fault !== null) return { fault };
  using limit = new TimeLimit(parts.milliseconds, parts.signal);
  try {
    const response = await answerTo(method, url, { parts, signal: limit.signal });
    const { statusCode: status = 0, headers } = response;
    if (method === "GET") await readBeginning(response);
    response.destroy();
    if (SLOW_DOWN_STATUSES.has(status))
      await parts.slowDown(new URL(url).host, headers["retry-after"]);
    return { status, location: headers.location };
  } catch (error) {
    if (limit.isOver) return { fault: noResponseWithin(parts.milliseconds / 1000).en };
    return { fault: describePostError(error) };
  }
}

async function answerTo(
  method: string,
  url: string,
  { parts, signal }: { parts: LinkCheckOptions; signal: AbortSignal },
): Promise<IncomingMessage> {
  const { privateNetworks, userAgent, lookup = systemLookup } = parts;
  signal.throwIfAborted();
  const isTls = url.startsWith("https:");
  const request = (isTls ? tlsRequest : plainRequest)(url, {
    method,
    headers: { "User-Agent": userAgent, Accept: "*/*" },
    agent: isTls ? TLS_AGENT : PLAIN_AGENT,
    ...(privateNetworks ? {} : { lookup: createPublicDnsLookup(lookup) }),
  });
  request.end();
  signal.addEventListener("abort", () => request.destroy(new Error("Aborted")), { once: true });
  return await responseTo(request);
}

/** Reads up to {@link ANSWER_BYTES_MAX} of the body. @throws if the response ends prematurely. */
async function readBeginning(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const piece of response) {
    bytes += Buffer.byteLength(piece);
    if (bytes > ANSWER_BYTES_MAX) return;
  }
}

/** Why an address must not be requested; null if no reason is known before the DNS lookup. */
export function findLinkUrlError(text: string, privateNetworks: boolean): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return NOT_A_WEB_URL.en;
  if (url.username !== "" || url.password !== "") return PASSWORD_IN_URL.en;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isLocal = /(^|\.)localhost\.?$/.test(host);
  const isPrivate = isLocal || (isIP(host) !== 0 && !isPublicIpAddress(host));
  if (isPrivate && !privateNetworks) return PRIVATE_NETWORK.en;
  return null;
}
