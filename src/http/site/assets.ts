import type { ReadingCopy } from "../../content/library.ts";
import { fontFileBytes } from "../../fonts/font-files.ts";
import { faviconSvg } from "../../render/looks/favicon.ts";
import { isStylePath, type StyleSheet, styleSheet } from "../../render/looks/style-sheet.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { CACHE_FOREVER, PUBLIC_HEADERS } from "../public-headers.ts";
import { CachedReply, matchesEtag } from "../reply.ts";

/** Caching for URLs whose content may change. */
const FIVE_MINUTES = "public, max-age=300";
const ONE_DAY = "public, max-age=86400";

/**
 * Path of the speculation rules, which list the links that browsers may prerender. Each page refers
 * to this path in a header.
 */
export const SPECULATION_PATH = "/assets/speculation-rules.json";

/**
 * Paths that browsers must not prerender: their answers differ each time, are expensive, or are not pages.
 */
const NOT_PRERENDERED = [
  "/random*",
  "/*/random*",
  "/search*",
  "/*/search*",
  "/*.md",
  "/llms-full.txt",
  "/contact*",
  "/*/contact*",
  "/admin*",
  "/api/*",
  "/mcp*",
  "/media/*",
  "/preview*",
  "/*\\?(.+)",
];
const SPECULATION_RULES = JSON.stringify({
  prerender: [
    {
      where: { and: [{ href_matches: "/*" }, { not: { href_matches: NOT_PRERENDERED } }] },
      eagerness: "moderate",
    },
  ],
});

type SiteParts = Pick<HttpParts, "reading">;

/**
 * Returns a handler for style sheet, fonts and speculation rules. The handler returns null for other
 * addresses.
 */
export function assetHandler({ reading }: SiteParts) {
  const styles = new WeakMap<StyleSheet, { current: CachedReply; outdated: CachedReply }>();
  const speculation = textReply(SPECULATION_RULES, "application/speculationrules+json", ONE_DAY);
  return (request: HttpRequest): HttpAnswer | Promise<HttpAnswer> | null => {
    const { pathname } = request.url;
    if (pathname === SPECULATION_PATH) return speculation.respond(request);
    if (!isStylePath(pathname)) return fontAnswer(request, pathname);
    const sheet = styleSheet(reading.site().look);
    const replies = styles.get(sheet) ?? {
      current: textReply(sheet.css, "text/css; charset=utf-8", CACHE_FOREVER),
      outdated: textReply(sheet.css, "text/css; charset=utf-8", FIVE_MINUTES),
    };
    styles.set(sheet, replies);
    // Requests for an outdated style sheet, from pages in shared caches, get the current style
    // sheet.
    return (pathname === sheet.path ? replies.current : replies.outdated).respond(request);
  };
}

/** Serves the site's icon or, without one, the initial of the site's name in the site's colours. */
export function faviconHandler({ reading }: { reading: Pick<ReadingCopy, "site"> }) {
  return (request: HttpRequest): Promise<HttpAnswer> =>
    textReply(faviconSvg(reading.site()), "image/svg+xml", ONE_DAY).respond(request);
}

/** Serves a font without content coding, because WOFF2 is already compressed. */
function fontAnswer({ header }: HttpRequest, path: string): HttpAnswer | null {
  const bytes = fontFileBytes(path);
  if (bytes === null) return null;
  const etag = `"${path.slice(path.lastIndexOf("-") + 1)}"`;
  const cacheHeaders = { ...PUBLIC_HEADERS, "Cache-Control": CACHE_FOREVER, ETag: etag };
  if (matchesEtag(header("if-none-match"), etag))
    return { status: 304, headers: cacheHeaders, body: null };
  const headers = { "Content-Type": "font/woff2", "Content-Length": String(bytes.length) };
  return { status: 200, headers: { ...cacheHeaders, ...headers }, body: bytes };
}

function textReply(body: string, contentType: string, caching: string): CachedReply {
  const headers = { ...PUBLIC_HEADERS, "Content-Type": contentType, "Cache-Control": caching };
  return new CachedReply({ status: 200, headers, body });
}
