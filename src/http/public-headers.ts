import type { SiteProfile } from "../content/site/site.ts";

const EXPOSED_HEADERS =
  "ETag, Link, Content-Location, X-Markdown-Tokens, RateLimit, RateLimit-Policy, Retry-After";

/** Headers of every public response. They allow scripts of any origin to read the response. */
export const PUBLIC_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED_HEADERS,
} as const;

/** Headers of responses to `OPTIONS`, preflights included. */
export const OPTIONS_HEADERS = {
  ...PUBLIC_HEADERS,
  Allow: "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers": "Accept, Content-Type, If-None-Match, If-Modified-Since",
  "Access-Control-Max-Age": "86400",
} as const;

/**
 * Caching of pages: browsers revalidate each time, shared caches reuse the page for five minutes.
 */
export const PAGE_CACHE_CONTROL = "public, max-age=0, s-maxage=300, stale-while-revalidate=86400";

/** Caching of documents at well-known paths, which agents fetch repeatedly. */
export const DOCUMENT_CACHE_CONTROL = "public, max-age=3600, stale-while-revalidate=86400";

/** Caching of files whose address changes with their content. */
export const IMMUTABLE_CACHE_CONTROL = "public, max-age=31536000, immutable";

/**
 * Caching of responses that depend on `Accept`. Shared caches must not store them, because some
 * shared caches ignore `Vary`.
 */
export const NO_STORE_CACHE_CONTROL = "private, no-store";

/** The site's Content-Signal value, as in robots.txt. */
export function contentSignal({ contentSignal }: SiteProfile): string {
  const { search, aiInput, aiTrain } = contentSignal;
  return `search=${search}, ai-input=${aiInput}, ai-train=${aiTrain}`;
}
