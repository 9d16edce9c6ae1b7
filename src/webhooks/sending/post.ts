import { lookup as systemLookup } from "node:dns";
import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { type SpanAttributes, type TracedStep, traceStep } from "../../tracing.ts";
import { TimeLimit } from "../../work/time-limit.ts";
import { noResponseWithin } from "../connection-errors.ts";
import { findWebhookUrlError } from "../destination.ts";
import {
  createPublicDnsLookup,
  type DnsLookup,
  describePostError,
  PostError,
} from "./public-network.ts";
import { responseTo } from "./response-to.ts";

const ANSWER_BYTES_MAX = 16 * 1024;

/** Traces omit the address, because it may contain a secret of the receiver. */
const POST_STEP: TracedStep = {
  name: "webhook",
  kind: "client",
  attributes: { "http.request.method": "POST" },
};

interface PostResponse {
  status: number;
  retryAfter: string | undefined;
}

export interface PostRequest {
  url: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  /** Whether private networks and plain HTTP are allowed. */
  privateNetworks: boolean;
  /** Time limit for the whole exchange. */
  milliseconds: number;
  /** Cancels the exchange. */
  signal: AbortSignal;
  /** DNS resolution; defaults to the system's. */
  lookup?: DnsLookup;
}

/**
 * Sends a body and returns the response's status and `Retry-After`. Follows no redirects and
 * discards the response body. Checks every resolved address as it connects, so that DNS rebinding
 * cannot reach a private network.
 *
 * @throws {PostError}
 */
export function postToReceiver(posting: PostRequest): Promise<PostResponse> {
  return traceStep(POST_STEP, () => sendRequest(posting), answerAttributes);
}

async function sendRequest(posting: PostRequest): Promise<PostResponse> {
  const fault = findWebhookUrlError(posting.url, posting.privateNetworks);
  if (fault !== null) throw new PostError(`Not sent: the address ${fault.en}`);
  using limit = new TimeLimit(posting.milliseconds, posting.signal);
  const request = requestOf(posting, limit.signal);
  try {
    request.end(posting.body);
    const response = await responseTo(request);
    await drain(response);
    return { status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] };
  } catch (error) {
    if (limit.isOver) {
      throw new PostError(noResponseWithin(posting.milliseconds / 1000).en);
    }
    throw new PostError(describePostError(error), { cause: error });
  } finally {
    request.destroy();
  }
}

function answerAttributes({ status }: PostResponse): SpanAttributes {
  return {
    "http.response.status_code": status,
    ...(status < 400 ? {} : { "error.type": String(status) }),
  };
}

function requestOf(
  { url, headers, privateNetworks, lookup = systemLookup }: PostRequest,
  signal: AbortSignal,
): ClientRequest {
  const send = url.toLowerCase().startsWith("https:") ? tlsRequest : plainRequest;
  return send(url, {
    method: "POST",
    headers,
    signal,
    agent: false,
    ...(privateNetworks ? {} : { lookup: createPublicDnsLookup(lookup) }),
  });
}

/** Discards the body of a response. Ignores errors, because the status has already arrived. */
async function drain(response: IncomingMessage): Promise<void> {
  let size = 0;
  await new Promise<void>((resolve) => {
    response.on("close", resolve).on("error", () => {});
    response.on("data", (piece: Buffer) => {
      size += piece.length;
      if (size > ANSWER_BYTES_MAX) response.destroy();
    });
  });
}
