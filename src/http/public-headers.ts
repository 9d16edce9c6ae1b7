import type { SiteProfile } from "../content/site/site.ts";

const EXPOSED =
  "ETag, Link, Content-Location, X-Markdown-Tokens, RateLimit, RateLimit-Policy, Retry-After";

/** What everything the public may read carries: any page anywhere may read it. */
export const PUBLIC_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED,
} as const;

/** Answers to `OPTIONS`, preflights included. */
export const OPTIONS_HEADERS = {
  ...PUBLIC_HEADERS,
  Allow: "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match, If-Modified-Since",
  "Access-Control-Max-Age": "86400",
} as const;

/** Pages: browsers ask each time, shared caches keep them five minutes. */
export const PAGE_CACHING = "public, max-age=0, s-maxage=300, stale-while-revalidate=86400";

/** Documents at known addresses, which agents fetch again and again. */
export const DOCUMENT_CACHING = "public, max-age=3600, stale-while-revalidate=86400";

/** What a cache that ignores `Vary` must not give to the next client. */
export const NEVER_SHARED = "private, no-store";

/** By the Content-Signal convention, as robots.txt states it. */
export function contentSignal({ contentSignal }: SiteProfile): string {
  const { search, aiInput, aiTrain } = contentSignal;
  return `search=${search}, ai-input=${aiInput}, ai-train=${aiTrain}`;
}
