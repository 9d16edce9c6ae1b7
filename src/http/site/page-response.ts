import { markdownPath, pageUrl } from "../../content/addresses/addresses.ts";
import type { PageView } from "../../content/pages/view.ts";
import { editionForItemLanguage, editionPath } from "../../content/site/editions.ts";
import { feedPaths, hasItemFeeds } from "../../discovery/feeds.ts";
import { pageHtml } from "../../render/page-html.ts";
import { pageMarkdown } from "../../render/page-markdown.ts";
import type { HttpDependencies } from "../dependencies.ts";
import type { RenderedResponse } from "../encodable-response.ts";
import { CSP_WITH_EXTERNAL_PICTURES } from "../guards.ts";
import {
  contentSignal,
  NO_STORE_CACHE_CONTROL,
  PAGE_CACHE_CONTROL,
  PUBLIC_HEADERS,
} from "../public-headers.ts";
import { SPECULATION_PATH } from "./assets.ts";

type SiteParts = Pick<HttpDependencies, "reading" | "origin">;

/**
 * `negotiated`: Markdown at the address of the HTML, chosen by `Accept`. `markdown`: Markdown at its
 * own address ending in `.md`.
 */
export type PageFormat = "html" | "negotiated" | "markdown";

const ABOUT_SITE = '</llms.txt>; rel="describedby"; type="text/markdown"';
const SITE_LINKS = `${ABOUT_SITE}, </sitemap.xml>; rel="sitemap"; type="application/xml", </.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json", </.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`;

/** A page in one representation, with its headers. */
export function renderPageResponse(
  view: PageView,
  format: PageFormat,
  parts: SiteParts,
): RenderedResponse {
  const { origin, reading } = parts;
  const { path, query, updatedAt, isIndexed } = view;
  const text =
    format === "html"
      ? pageHtml(view, { ...parts, feeds: feedsOfPage(view, parts) })
      : pageMarkdown(view, parts);
  const body = Buffer.from(text);
  const markdownAddress = encodeURI(markdownPath(path)) + query;
  const canonicalLink = isIndexed ? `<${pageUrl(origin, path)}${query}>; rel="canonical", ` : "";
  const toMarkdown = `<${origin}${markdownAddress}>; rel="alternate"; type="text/markdown", `;
  const links = canonicalLink + (format === "markdown" ? ABOUT_SITE : toMarkdown + SITE_LINKS);
  const headers: Record<string, string> = {
    ...PUBLIC_HEADERS,
    "Content-Type": format === "html" ? "text/html; charset=utf-8" : "text/markdown; charset=utf-8",
    "Cache-Control": format === "negotiated" ? NO_STORE_CACHE_CONTROL : PAGE_CACHE_CONTROL,
    "Content-Signal": contentSignal(reading.site()),
    Link: links,
  };
  if (updatedAt !== null) headers["Last-Modified"] = new Date(updatedAt).toUTCString();
  if (!isIndexed) headers["X-Robots-Tag"] = "noindex";
  if (format !== "html") headers["X-Markdown-Tokens"] = String(estimateTokens(text));
  if (format === "html") {
    headers["Speculation-Rules"] = `"${SPECULATION_PATH}"`;
    if (reading.site().look.picturesFromElsewhere) {
      headers["Content-Security-Policy"] = CSP_WITH_EXTERNAL_PICTURES;
    }
  }
  if (format === "negotiated") headers["Content-Location"] = markdownAddress;
  if (format !== "markdown") headers["Vary"] = "Accept";
  return { status: 200, headers, body };
}

/** Estimates tokens at four characters each, typical of English in current tokenizers. */
function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** The page's own feed, if any, and the feed of its edition. */
export function feedsOfPage(view: PageView, { reading }: SiteParts) {
  const edition = editionForItemLanguage(reading, view.language);
  const site = { title: edition.site.name, ...feedPaths(editionPath(edition, "/")) };
  if (!hasOwnFeed(view, reading)) return [site];
  return [{ title: view.title, ...feedPaths(encodeURI(view.path)) }, site];
}

function hasOwnFeed({ subject }: PageView, reading: SiteParts["reading"]): boolean {
  if (subject.kind === "listing") return subject.type.dated !== undefined;
  const type = subject.kind === "item" ? reading.types().get(subject.item.type) : undefined;
  return type !== undefined && hasItemFeeds(reading, type);
}
