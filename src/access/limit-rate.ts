import { RATE_WINDOW_SECONDS, type RateLimiter } from "./rate-limits.ts";

/** The decision about a request, with the rate-limit headers for its response. */
export interface RateLimitOutcome {
  headers: Readonly<Record<string, string>>;
  /** Why the request is refused; null: it is accepted. */
  refusal: string | null;
}

/**
 * Counts a request in the rate-limit window `windowName`, and accepts or refuses it. Every interface that
 * requires a key, such as the admin API and the MCP service, calls this function.
 */
export async function applyRateLimit(
  rateLimits: RateLimiter,
  windowName: string,
  { limitPerMinute, now }: { limitPerMinute: number; now: Date },
): Promise<RateLimitOutcome> {
  const decision = await rateLimits.take(windowName, limitPerMinute, now.getTime());
  const [remaining, seconds] = decision.accepted
    ? [decision.remaining, decision.resetSeconds]
    : [0, decision.retryAfterSeconds];
  const headers = {
    "RateLimit-Policy": `"key";q=${limitPerMinute};w=${RATE_WINDOW_SECONDS}`,
    RateLimit: `"key";r=${remaining};t=${seconds}`,
  };
  if (decision.accepted) return { headers, refusal: null };
  return {
    headers: { ...headers, "Retry-After": String(seconds) },
    refusal: `Too many requests: this key may make ${limitPerMinute} in any ${RATE_WINDOW_SECONDS} seconds. Wait ${seconds} seconds, then repeat the request`,
  };
}
