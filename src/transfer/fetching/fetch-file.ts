import { lookup as systemLookup } from "node:dns";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { findLinkUrlError } from "../../links/checking/check-link.ts";
import { parseRetryAfter } from "../../webhooks/attempts.ts";
import { createPublicDnsLookup, describePostError } from "../../webhooks/sending/public-network.ts";
import { responseTo } from "../../webhooks/sending/response-to.ts";
import { TimeLimit } from "../../work/time-limit.ts";

export interface FetchOptions {
  userAgent: string;
  /** Whether addresses in private networks are allowed. */
  privateNetworks: boolean;
  /** Time limit for a whole response. */
  milliseconds: number;
  now: () => Date;
  /** Aborts requests. */
  halt?: AbortSignal;
}

const REDIRECTS_MAX = 5;
const ATTEMPTS_MAX = 3;
const WAIT_MILLISECONDS_MAX = 30_000;
const WAIT_MILLISECONDS_DEFAULT = 2000;
export const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Statuses with which a host asks for fewer requests. */
export const SLOW_DOWN_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/**
 * Fetches a file and passes its chunks to `consume`. Follows redirects, but refuses addresses in
 * private networks unless they are allowed.
 *
 * @returns why the file cannot be fetched; null once `consume` has received the whole file.
 */
export async function fetchFile(
  start: string,
  consume: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
  options: FetchOptions,
): Promise<string | null> {
  let url = start;
  for (let hops = 0, attempts = 1; hops <= REDIRECTS_MAX; ) {
    const fault = findLinkUrlError(url, options.privateNetworks);
    if (fault !== null) return fault;
    const outcome = await fetchOnce(url, consume, options);
    if (typeof outcome === "string" || outcome === null) return outcome;
    if ("waitMilliseconds" in outcome) {
      if (attempts === ATTEMPTS_MAX) return "The host asks to be left alone";
      attempts += 1;
      await sleep(outcome.waitMilliseconds);
    } else {
      url = outcome.location;
      hops += 1;
    }
  }
  return `It redirects more than ${REDIRECTS_MAX} times`;
}

/**
 * The outcome of one request for a file. Null: the file was fetched. A text: the reason why the file
 * cannot be fetched. `location`: the target of a redirect. `waitMilliseconds`: how long to wait before
 * the next attempt.
 */
type FetchOutcome = string | null | { location: string } | { waitMilliseconds: number };

async function fetchOnce(
  url: string,
  consume: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
  options: FetchOptions,
): Promise<FetchOutcome> {
  using limit = new TimeLimit(options.milliseconds);
  let response: IncomingMessage;
  try {
    response = await requestOnce(url, options, limit.signal);
  } catch (error) {
    return limit.isOver ? tooSlow(options) : describePostError(error);
  }
  try {
    const outcome = outcomeWithoutFile(url, response, options);
    if (outcome !== null) return outcome;
    await consume(response);
    return null;
  } catch (error) {
    if (limit.isOver) return tooSlow(options);
    if (response.errored !== null) return describePostError(error);
    throw error;
  } finally {
    response.destroy();
  }
}

/** Returns the outcome of a response that does not contain the file; null if it contains the file. */
function outcomeWithoutFile(
  url: string,
  { statusCode: status = 0, headers }: IncomingMessage,
  { now }: FetchOptions,
): FetchOutcome {
  if (REDIRECT_STATUSES.has(status)) {
    const next = URL.parse(headers.location ?? "", url);
    return next === null ? "Its redirect leads nowhere" : { location: next.href };
  }
  if (SLOW_DOWN_STATUSES.has(status)) {
    const retryAfter = parseRetryAfter(headers["retry-after"], now()) ?? WAIT_MILLISECONDS_DEFAULT;
    return { waitMilliseconds: Math.min(retryAfter, WAIT_MILLISECONDS_MAX) };
  }
  if (status !== 200) return `The host answers ${status}`;
  const isPage = /^text\/html/i.test(headers["content-type"] ?? "");
  return isPage ? "The host answers with a page" : null;
}

function tooSlow({ milliseconds }: FetchOptions): string {
  return `It takes longer than ${milliseconds / 1000} seconds`;
}

/**
 * Sends one request. Refuses addresses in private networks unless they are allowed. The caller destroys the
 * response.
 */
export async function requestOnce(
  url: string,
  { privateNetworks, userAgent }: FetchOptions,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> {
  const send = url.startsWith("https:") ? tlsRequest : plainRequest;
  const request = send(url, {
    headers: { "User-Agent": userAgent, Accept: "*/*", ...headers },
    signal,
    agent: false,
    ...(privateNetworks ? {} : { lookup: createPublicDnsLookup(systemLookup) }),
  });
  request.end();
  return await responseTo(request);
}
