import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { addressFault } from "../../links/checking/check-link.ts";
import { readRetryAfter } from "../../webhooks/attempts.ts";
import { faultMessage } from "../../webhooks/sending/public-network.ts";
import { type FetchParts, requestOnce } from "./fetch-file.ts";

/** Validators of an answer, for conditional requests. */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

export type PageAnswer =
  | { kind: "content"; bytes: Uint8Array; contentType: string; validators: Validators }
  | { kind: "unchanged" }
  | { kind: "moved"; to: string }
  | { kind: "wait"; milliseconds: number }
  | { kind: "missing"; status: number; fault: string };

const WAIT_MILLISECONDS = 10_000;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const SLOW_DOWN: ReadonlySet<number> = new Set([429, 503]);

/** Settings of requests; `bytesMax` limits an answer, which is held in memory. */
export type PageRequestOptions = FetchParts & { bytesMax: number };

/**
 * Requests a page or file once, but never from a private network. `missing` has the status 0
 * without an answer.
 */
export async function requestPage(
  url: string,
  known: Validators,
  parts: PageRequestOptions,
): Promise<PageAnswer> {
  const refusal = addressFault(url, parts.privateNetworks);
  if (refusal !== null) return { kind: "missing", status: 0, fault: refusal };
  const timeout = AbortSignal.timeout(parts.milliseconds);
  try {
    const response = await requestOnce(url, parts, timeout, {
      ...(known.etag === undefined ? {} : { "If-None-Match": known.etag }),
      ...(known.lastModified === undefined ? {} : { "If-Modified-Since": known.lastModified }),
    });
    try {
      return answerWithoutContent(url, response, parts) ?? (await readContent(response, parts));
    } finally {
      response.destroy();
    }
  } catch (error) {
    const seconds = parts.milliseconds / 1000;
    const fault = timeout.aborted ? `It takes longer than ${seconds} seconds` : faultMessage(error);
    return { kind: "missing", status: 0, fault };
  }
}

function answerWithoutContent(
  url: string,
  { statusCode: status = 0, headers }: IncomingMessage,
  { now }: PageRequestOptions,
): PageAnswer | null {
  if (status === 200) return null;
  if (status === 304) return { kind: "unchanged" };
  if (SLOW_DOWN.has(status)) {
    const asked = readRetryAfter(headers["retry-after"], now());
    return { kind: "wait", milliseconds: asked ?? WAIT_MILLISECONDS };
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
): Promise<PageAnswer> {
  const { headers } = response;
  const bytes = await bytesUpTo(response, bytesMax);
  if (bytes === null) {
    const fault = `It is longer than ${bytesMax / 1024 / 1024} MiB`;
    return { kind: "missing", status: 200, fault };
  }
  const contentType = headers["content-type"] ?? "";
  return { kind: "content", bytes, contentType, validators: validatorsOf(headers) };
}

/** @returns null if the answer is larger than the limit. */
async function bytesUpTo(
  pieces: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Uint8Array | null> {
  let length = 0;
  let isTooLong = false;
  const bytes = await buffer(
    (async function* () {
      for await (const piece of pieces) {
        length += piece.length;
        isTooLong = length > bytesMax;
        if (isTooLong) return;
        yield piece;
      }
    })(),
  );
  return isTooLong ? null : bytes;
}

function validatorsOf({ etag, "last-modified": lastModified }: IncomingHttpHeaders): Validators {
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  };
}

const GZIP_START = Buffer.from([0x1f, 0x8b]);
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;

/** The text of an answer, decompressed if it is a gzip file, as sitemaps often are; null if damaged. */
export function textOf(bytes: Uint8Array): string | null {
  if (!GZIP_START.equals(bytes.subarray(0, 2))) return new TextDecoder().decode(bytes);
  try {
    return gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES_MAX }).toString();
  } catch {
    return null;
  }
}
