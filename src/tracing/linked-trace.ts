import type { Link } from "@opentelemetry/api";

/** Version 00 of W3C Trace Context. Ids of only zeros are invalid. */
const TRACEPARENT_PATTERN = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}$/;

/**
 * Returns a link to the trace that a `traceparent` header names; an empty list without a valid header. The
 * link does not influence sampling.
 */
export function linksFromTraceparent(traceparent: string | string[] | undefined): Link[] {
  if (typeof traceparent !== "string") return [];
  const [, traceId, spanId] = TRACEPARENT_PATTERN.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return [];
  return [{ context: { traceId, spanId, traceFlags: 0, isRemote: true } }];
}
