import { type RateLimiter, WINDOW_SECONDS } from "./rate-limits.ts";

/** What the reply to a request needs to know of its rate limit. */
export interface RateOutcome {
  headers: Readonly<Record<string, string>>;
  /** Why the request is refused; null: it is accepted. */
  refusal: string | null;
}

/** Counts a request in the named window of a key. Every door uses it. */
export async function limitRate(
  rateLimits: RateLimiter,
  window: string,
  { limitPerMinute, now }: { limitPerMinute: number; now: Date },
): Promise<RateOutcome> {
  const decision = await rateLimits.take(window, limitPerMinute, now.getTime());
  const [left, seconds] = decision.accepted
    ? [decision.remaining, decision.resetSeconds]
    : [0, decision.retryAfterSeconds];
  const headers = {
    "RateLimit-Policy": `"key";q=${limitPerMinute};w=${WINDOW_SECONDS}`,
    RateLimit: `"key";r=${left};t=${seconds}`,
  };
  if (decision.accepted) return { headers, refusal: null };
  return {
    headers: { ...headers, "Retry-After": String(seconds) },
    refusal: `Too many requests: this key may make ${limitPerMinute} in any ${WINDOW_SECONDS} seconds. Wait ${seconds} seconds, then repeat the request`,
  };
}
