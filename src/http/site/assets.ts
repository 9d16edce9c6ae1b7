import type { ReadingCopy } from "../../content/library.ts";
import { readFontFile } from "../../fonts/font-files.ts";
import { faviconSvg } from "../../render/looks/favicon.ts";
import { isStyleSheetPath, type StyleSheet, styleSheet } from "../../render/looks/style-sheet.ts";
import type { HttpDependencies } from "../dependencies.ts";
import { EncodableResponse, matchesEtag } from "../encodable-response.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { IMMUTABLE_CACHE_CONTROL, PUBLIC_HEADERS } from "../public-headers.ts";

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

type SiteParts = Pick<HttpDependencies, "reading">;

/**
 * Returns a handler for style sheet, fonts and speculation rules. The handler returns null for other
 * addresses.
 */
export function createAssetHandler({ reading }: SiteParts) {
  const styles = new WeakMap<
    StyleSheet,
    { current: EncodableResponse; outdated: EncodableResponse }
  >();
  const speculation = textResponse(SPECULATION_RULES, "application/speculationrules+json", ONE_DAY);
  return (request: HttpRequest): HttpResponse | Promise<HttpResponse> | null => {
    const { pathname } = request.url;
    if (pathname === SPECULATION_PATH) return speculation.respond(request);
    if (!isStyleSheetPath(pathname)) return fontResponse(request, pathname);
    const sheet = styleSheet(reading.site().look);
    const responses = styles.get(sheet) ?? {
      current: textResponse(sheet.css, "text/css; charset=utf-8", IMMUTABLE_CACHE_CONTROL),
      outdated: textResponse(sheet.css, "text/css; charset=utf-8", FIVE_MINUTES),
    };
    styles.set(sheet, responses);
    // Requests for an outdated style sheet, from pages in shared caches, get the current style
    // sheet.
    return (pathname === sheet.path ? responses.current : responses.outdated).respond(request);
  };
}

/** Serves the site's icon or, without one, the initial of the site's name in the site's colours. */
export function createFaviconHandler({ reading }: { reading: Pick<ReadingCopy, "site"> }) {
  return (request: HttpRequest): Promise<HttpResponse> =>
    textResponse(faviconSvg(reading.site()), "image/svg+xml", ONE_DAY).respond(request);
}

/** Serves a font without content coding, because WOFF2 is already compressed. */
function fontResponse({ header }: HttpRequest, path: string): HttpResponse | null {
  const bytes = readFontFile(path);
  if (bytes === null) return null;
  const etag = `"${path.slice(path.lastIndexOf("-") + 1)}"`;
  const cacheHeaders = { ...PUBLIC_HEADERS, "Cache-Control": IMMUTABLE_CACHE_CONTROL, ETag: etag };
  if (matchesEtag(header("if-none-match"), etag))
    return { status: 304, headers: cacheHeaders, body: null };
  const headers = { "Content-Type": "font/woff2", "Content-Length": String(bytes.length) };
  return { status: 200, headers: { ...cacheHeaders, ...headers }, body: bytes };
}

function textResponse(body: string, contentType: string, caching: string): EncodableResponse {
  const headers = { ...PUBLIC_HEADERS, "Content-Type": contentType, "Cache-Control": caching };
  return new EncodableResponse({ status: 200, headers, body });
}
