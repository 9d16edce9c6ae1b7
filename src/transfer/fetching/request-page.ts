import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { findLinkUrlError } from "../../links/checking/check-link.ts";
import { parseRetryAfter } from "../../webhooks/attempts.ts";
import { describePostError } from "../../webhooks/sending/public-network.ts";
import { TimeLimit } from "../../work/time-limit.ts";
import {
  type FetchOptions,
  REDIRECT_STATUSES,
  requestOnce,
  SLOW_DOWN_STATUSES,
} from "./fetch-file.ts";

/** Validators of a response, for conditional requests (RFC 9110). */
export interface CacheValidators {
  etag?: string;
  lastModified?: string;
}

export type PageResponse =
  | { kind: "content"; bytes: Uint8Array; contentType: string; validators: CacheValidators }
  | { kind: "unchanged" }
  | { kind: "moved"; to: string }
  | { kind: "wait"; milliseconds: number }
  | { kind: "missing"; status: number; fault: string };

const WAIT_MILLISECONDS_DEFAULT = 10_000;

/** `bytesMax` limits the response, which is buffered in memory. */
export type PageRequestOptions = FetchOptions & { bytesMax: number };

/**
 * Requests a page or file once. Refuses addresses in private networks unless they are allowed. Returns
 * `missing` with the status 0 if there is no response.
 *
 * @throws the abort reason of `halt`.
 */
export async function requestPage(
  url: string,
  known: CacheValidators,
  options: PageRequestOptions,
): Promise<PageResponse> {
  const refusal = findLinkUrlError(url, options.privateNetworks);
  if (refusal !== null) return { kind: "missing", status: 0, fault: refusal };
  using limit = new TimeLimit(options.milliseconds, options.halt);
  try {
    const response = await requestOnce(url, options, limit.signal, {
      ...(known.etag === undefined ? {} : { "If-None-Match": known.etag }),
      ...(known.lastModified === undefined ? {} : { "If-Modified-Since": known.lastModified }),
    });
    try {
      return answerWithoutContent(url, response, options) ?? (await readContent(response, options));
    } finally {
      response.destroy();
    }
  } catch (error) {
    options.halt?.throwIfAborted();
    const seconds = options.milliseconds / 1000;
    const fault = limit.isOver
      ? `It takes longer than ${seconds} seconds`
      : describePostError(error);
    return { kind: "missing", status: 0, fault };
  }
}

function answerWithoutContent(
  url: string,
  { statusCode: status = 0, headers }: IncomingMessage,
  { now }: PageRequestOptions,
): PageResponse | null {
  if (status === 200) return null;
  if (status === 304) return { kind: "unchanged" };
  if (SLOW_DOWN_STATUSES.has(status)) {
    const retryAfter = parseRetryAfter(headers["retry-after"], now());
    return { kind: "wait", milliseconds: retryAfter ?? WAIT_MILLISECONDS_DEFAULT };
  }
  if (!REDIRECT_STATUSES.has(status)) {
    return { kind: "missing", status, fault: `The host answers ${status}` };
  }
  const to = URL.parse(headers.location ?? "", url)?.href;
  const fault = "Its redirect leads nowhere";
  return to === undefined ? { kind: "missing", status, fault } : { kind: "moved", to };
}

async function readContent(
  response: IncomingMessage,
  { bytesMax }: PageRequestOptions,
): Promise<PageResponse> {
  const { headers } = response;
  const bytes = await bytesUpTo(response, bytesMax);
  if (bytes === null) {
    const fault = `It is longer than ${bytesMax / 1024 / 1024} MiB`;
    return { kind: "missing", status: 200, fault };
  }
  const contentType = headers["content-type"] ?? "";
  return { kind: "content", bytes, contentType, validators: validatorsOf(headers) };
}

/** Reads a whole response; null if it is larger than the limit. */
async function bytesUpTo(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Uint8Array | null> {
  let length = 0;
  let isTooLong = false;
  const bytes = await buffer(
    (async function* () {
      for await (const chunk of chunks) {
        length += chunk.length;
        isTooLong = length > bytesMax;
        if (isTooLong) return;
        yield chunk;
      }
    })(),
  );
  return isTooLong ? null : bytes;
}

function validatorsOf({
  etag,
  "last-modified": lastModified,
}: IncomingHttpHeaders): CacheValidators {
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  };
}

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Decodes a response as text. Decompresses gzip files first, because sitemaps are often compressed. Returns
 * null for a damaged gzip file.
 */
export function decodeResponseText(bytes: Uint8Array): string | null {
  if (!GZIP_MAGIC.equals(bytes.subarray(0, 2))) return new TextDecoder().decode(bytes);
  try {
    return gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES_MAX }).toString();
  } catch {
    return null;
  }
}
