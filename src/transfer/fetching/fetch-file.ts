import { lookup as systemLookup } from "node:dns";
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { addressFault } from "../../links/checking/check-link.ts";
import { readRetryAfter } from "../../webhooks/attempts.ts";
import { faultMessage, publicOnly } from "../../webhooks/sending/public-network.ts";

export interface FetchParts {
  userAgent: string;
  /** Whether private networks may be requested. */
  privateNetworks: boolean;
  /** Time limit for a whole file. */
  milliseconds: number;
  now: () => Date;
}

const REDIRECTS_MAX = 5;
const ATTEMPTS_MAX = 3;
const WAIT_MILLISECONDS_MAX = 30_000;
const WAIT_MILLISECONDS = 2000;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const SLOW_DOWN: ReadonlySet<number> = new Set([429, 503]);

/**
 * Fetches a file, following redirects but never to a private network, and passes it on in pieces.
 *
 * @returns why it cannot be fetched; null once all of it was passed on.
 */
export async function fetchFile(
  start: string,
  take: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
  parts: FetchParts,
): Promise<string | null> {
  let url = start;
  for (let hops = 0, attempts = 1; hops <= REDIRECTS_MAX; ) {
    const fault = addressFault(url, parts.privateNetworks);
    if (fault !== null) return fault;
    const answer = await answerTo(url, take, parts);
    if (typeof answer === "string" || answer === null) return answer;
    if ("waitMilliseconds" in answer) {
      if (attempts === ATTEMPTS_MAX) return "The host asks to be left alone";
      attempts += 1;
      await sleep(answer.waitMilliseconds);
    } else {
      url = answer.location;
      hops += 1;
    }
  }
  return `It redirects more than ${REDIRECTS_MAX} times`;
}

type FetchAnswer = string | null | { location: string } | { waitMilliseconds: number };

async function answerTo(
  url: string,
  take: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
  parts: FetchParts,
): Promise<FetchAnswer> {
  const timeout = AbortSignal.timeout(parts.milliseconds);
  let response: IncomingMessage;
  try {
    response = await requestOnce(url, parts, timeout);
  } catch (error) {
    return timeout.aborted ? tooSlow(parts) : faultMessage(error);
  }
  try {
    const other = answerWithoutFile(url, response, parts);
    if (other !== null) return other;
    await take(response);
    return null;
  } catch (error) {
    if (timeout.aborted) return tooSlow(parts);
    if (response.errored !== null) return faultMessage(error);
    throw error;
  } finally {
    response.destroy();
  }
}

/** The result for an answer that does not contain the file; null: it does. */
function answerWithoutFile(
  url: string,
  { statusCode: status = 0, headers }: IncomingMessage,
  { now }: FetchParts,
): FetchAnswer {
  if (REDIRECT_STATUSES.has(status)) {
    const next = URL.parse(headers.location ?? "", url);
    return next === null ? "Its redirect leads nowhere" : { location: next.href };
  }
  if (SLOW_DOWN.has(status)) {
    const asked = readRetryAfter(headers["retry-after"], now()) ?? WAIT_MILLISECONDS;
    return { waitMilliseconds: Math.min(asked, WAIT_MILLISECONDS_MAX) };
  }
  if (status !== 200) return `The host answers ${status}`;
  const isPage = /^text\/html/i.test(headers["content-type"] ?? "");
  return isPage ? "The host answers with a page" : null;
}

function tooSlow({ milliseconds }: FetchParts): string {
  return `It takes longer than ${milliseconds / 1000} seconds`;
}

/** Sends one request, but never to a private network. The caller destroys the response. */
export async function requestOnce(
  url: string,
  { privateNetworks, userAgent }: FetchParts,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> {
  const send = url.startsWith("https:") ? tlsRequest : plainRequest;
  return await new Promise((resolve, reject) => {
    send(url, {
      headers: { "User-Agent": userAgent, Accept: "*/*", ...headers },
      signal,
      agent: false,
      ...(privateNetworks ? {} : { lookup: publicOnly(systemLookup) }),
    })
      .on("response", resolve)
      .on("error", reject)
      .end();
  });
}
