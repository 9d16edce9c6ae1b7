import type { Link } from "@opentelemetry/api";

/** Version 00 of W3C Trace Context; ids of only zeros are invalid. */
const TRACEPARENT_PATTERN = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}$/;

/**
 * A link to the trace in a `traceparent` header; it does not influence sampling. Empty without a valid
 * header.
 */
export function linkedTrace(traceparent: string | string[] | undefined): Link[] {
  if (typeof traceparent !== "string") return [];
  const [, traceId, spanId] = TRACEPARENT_PATTERN.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return [];
  return [{ context: { traceId, spanId, traceFlags: 0, isRemote: true } }];
}
