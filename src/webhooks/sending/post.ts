import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { destinationFault, isPublicAddress } from "../destination.ts";

const ANSWER_BYTES_MAX = 16 * 1024;

export interface PostRequest {
  url: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  /** Whether private networks and plain HTTP are allowed. */
  privateNetworks: boolean;
  /** Time limit for the whole exchange. */
  milliseconds: number;
  /** Cancels it. */
  signal: AbortSignal;
  /** DNS resolution; defaults to the system's. */
  lookup?: Lookup;
}

type Lookup = (
  hostname: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** No response arrived; the message says why and is safe to show. */
export class PostFault extends Error {}

/**
 * Sends a body and returns the response's status and `Retry-After`. Follows no redirects and
 * discards the response body. Checks every resolved address as it connects, so that DNS rebinding
 * cannot reach a private network.
 *
 * @throws {PostFault}
 */
export async function post(
  posting: PostRequest,
): Promise<{ status: number; retryAfter: string | undefined }> {
  const fault = destinationFault(posting.url, posting.privateNetworks);
  if (fault !== null) throw new PostFault(`Not sent: the address ${fault}`);
  const timeout = AbortSignal.timeout(posting.milliseconds);
  const request = requestOf(posting, AbortSignal.any([timeout, posting.signal]));
  try {
    const response = await answerTo(request, posting.body);
    await drain(response);
    return { status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] };
  } catch (error) {
    if (timeout.aborted) {
      throw new PostFault(`No answer within ${posting.milliseconds / 1000} seconds`);
    }
    throw new PostFault(faultMessage(error), { cause: error });
  } finally {
    request.destroy();
  }
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
    ...(privateNetworks ? {} : { lookup: publicOnly(lookup) }),
  });
}

async function answerTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    request.on("response", resolve).on("error", reject);
    request.end(body);
  });
}

/** Errors are ignored, because the status has already arrived. */
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

/** A look-up that fails if any resolved address is private. */
function publicOnly(lookup: Lookup): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      if (!addresses.every(({ address }) => isPublicAddress(address))) {
        return done(new PostFault("Not sent: the address leads into a private network"), []);
      }
      const [first] = addresses;
      if (options.all === true || first === undefined) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

const FAULTS: Readonly<Record<string, string>> = {
  ENOTFOUND: "There is no such host",
  EAI_AGAIN: "The host's address could not be looked up",
  ECONNREFUSED: "Nothing listens at that address",
  ECONNRESET: "The connection was cut",
  EPIPE: "The connection was cut",
  ETIMEDOUT: "The host cannot be reached",
  EHOSTUNREACH: "The host cannot be reached",
  ENETUNREACH: "The host cannot be reached",
};

function faultMessage(error: unknown): string {
  if (error instanceof PostFault) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("HPE_")) return "The answer was not HTTP";
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return "The host's TLS certificate is not trusted";
  if (/SSL|TLS|EPROTO/.test(code)) return "The TLS connection failed";
  return FAULTS[code] ?? "The connection failed";
}
