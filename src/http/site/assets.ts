import type { ReadingCopy } from "../../content/library.ts";
import { fontFile } from "../../fonts/font-files.ts";
import { favicon } from "../../render/looks/favicon.ts";
import { isStylePath, type StyleSheet, styleSheet } from "../../render/looks/style-sheet.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { HttpParts } from "../parts.ts";
import { PUBLIC_HEADERS } from "../public-headers.ts";
import { CachedReply, matches } from "../reply.ts";

const CACHE_FOREVER = "public, max-age=31536000, immutable";
/** Caching for URLs whose content may change. */
const FIVE_MINUTES = "public, max-age=300";
const ONE_DAY = "public, max-age=86400";

/** Path of the speculation rules, which tell browsers what to prefetch; a header of each page names it. */
export const SPECULATION_PATH = "/assets/speculation-rules.json";

/** Paths that are not prefetched, as they differ each time, are expensive or are no pages. */
const NOT_AHEAD = [
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
      where: { and: [{ href_matches: "/*" }, { not: { href_matches: NOT_AHEAD } }] },
      eagerness: "moderate",
    },
  ],
});

type SiteParts = Pick<HttpParts, "reading">;

/** Answers the style sheet and the fonts; null for any other address. */
export function openAssets({ reading }: SiteParts) {
  const styles = new WeakMap<StyleSheet, { kept: CachedReply; outdated: CachedReply }>();
  const speculation = textReply(SPECULATION_RULES, "application/speculationrules+json", ONE_DAY);
  return (request: HttpRequest): HttpAnswer | Promise<HttpAnswer> | null => {
    const { pathname } = request.url;
    if (pathname === SPECULATION_PATH) return speculation.respond(request);
    if (!isStylePath(pathname)) return fontAnswer(request, pathname);
    const sheet = styleSheet(reading.site().look);
    const replies = styles.get(sheet) ?? {
      kept: textReply(sheet.css, "text/css; charset=utf-8", CACHE_FOREVER),
      outdated: textReply(sheet.css, "text/css; charset=utf-8", FIVE_MINUTES),
    };
    styles.set(sheet, replies);
    // Pages in shared caches may refer to an earlier style sheet; they get the current one.
    return (pathname === sheet.path ? replies.kept : replies.outdated).respond(request);
  };
}

/** An initial of the site's name in its colours, unless it has its own icon. */
export function openFavicon({ reading }: { reading: Pick<ReadingCopy, "site"> }) {
  return (request: HttpRequest): Promise<HttpAnswer> =>
    textReply(favicon(reading.site()), "image/svg+xml", ONE_DAY).respond(request);
}

/** Answers a font, uncompressed since WOFF2 is compressed already. */
function fontAnswer({ header }: HttpRequest, path: string): HttpAnswer | null {
  const bytes = fontFile(path);
  if (bytes === null) return null;
  const etag = `"${path.slice(path.lastIndexOf("-") + 1)}"`;
  const kept = { ...PUBLIC_HEADERS, "Cache-Control": CACHE_FOREVER, ETag: etag };
  if (matches(header("if-none-match"), etag)) return { status: 304, headers: kept, body: null };
  const headers = { "Content-Type": "font/woff2", "Content-Length": String(bytes.length) };
  return { status: 200, headers: { ...kept, ...headers }, body: bytes };
}

function textReply(body: string, contentType: string, caching: string): CachedReply {
  const headers = { ...PUBLIC_HEADERS, "Content-Type": contentType, "Cache-Control": caching };
  return new CachedReply({ status: 200, headers, body });
}
