import { isAscii } from "node:buffer";
import { markdownPath, pageUrl } from "../../content/addresses.ts";
import type { PageView } from "../../content/pages/view.ts";
import type { SiteProfile } from "../../content/site.ts";
import { feedPaths, hasFeed } from "../../discovery/feeds.ts";
import { pageHtml } from "../../render/page-html.ts";
import { pageMarkdown } from "../../render/page-markdown.ts";
import type { HttpParts } from "../parts.ts";
import { contentSignal, NEVER_SHARED, PAGE_CACHING, PUBLIC_HEADERS } from "../public-headers.ts";
import type { Reply } from "../reply.ts";

type SiteParts = Pick<HttpParts, "reading" | "origin">;

/** HTML, or Markdown: at the page's own address by negotiation, or at the address of its twin. */
export type Form = "html" | "negotiated" | "twin";

const ABOUT_SITE = '</llms.txt>; rel="describedby"; type="text/markdown"';
const SITE_LINKS = `${ABOUT_SITE}, </sitemap.xml>; rel="sitemap"; type="application/xml", </.well-known/ai-catalog.json>; rel="ai-catalog"; type="application/ai-catalog+json", </.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`;

/** A page in one of its forms, with the headers of that form. */
export function pageReply(view: PageView, form: Form, parts: SiteParts): Reply {
  const { origin, reading } = parts;
  const { updatedAt, isIndexed, query } = view;
  const body =
    form === "html"
      ? pageHtml(view, { ...parts, feeds: feedsOf(view, parts) })
      : pageMarkdown(view, parts);
  const canonical = pageUrl(origin, view.path) + query;
  const twin = encodeURI(markdownPath(view.path)) + query;
  return replyIn(
    form,
    { canonical, twin, updatedAt, isIndexed },
    { body: Buffer.from(body), site: reading.site(), origin },
  );
}

export interface PageReply extends Reply {
  body: Buffer;
}

/** What the headers tell of a page. */
interface ShownPage {
  /** Absolute. */
  canonical: string;
  /** Root-relative, of the Markdown form. */
  twin: string;
  updatedAt: string | null;
  isIndexed: boolean;
}

/** The bytes of a form with its headers. */
export function replyIn(
  form: Form,
  { canonical, twin, updatedAt, isIndexed }: ShownPage,
  { body, site, origin }: { body: Buffer; site: SiteProfile; origin: string },
): PageReply {
  const toSelf = isIndexed ? `<${canonical}>; rel="canonical", ` : "";
  const toMarkdown = `<${origin}${twin}>; rel="alternate"; type="text/markdown", `;
  const links = toSelf + (form === "twin" ? ABOUT_SITE : toMarkdown + SITE_LINKS);
  const headers: Record<string, string> = {
    ...PUBLIC_HEADERS,
    "Content-Type": form === "html" ? "text/html; charset=utf-8" : "text/markdown; charset=utf-8",
    "Cache-Control": form === "negotiated" ? NEVER_SHARED : PAGE_CACHING,
    "Content-Signal": contentSignal(site),
    Link: links,
  };
  if (updatedAt !== null) headers["Last-Modified"] = new Date(updatedAt).toUTCString();
  if (!isIndexed) headers["X-Robots-Tag"] = "noindex";
  if (form !== "html") headers["X-Markdown-Tokens"] = String(estimateTokens(body));
  if (form === "negotiated") headers["Content-Location"] = twin;
  if (form !== "twin") headers["Vary"] = "Accept";
  return { status: 200, headers, body };
}

/** Four characters a token, as for English in the tokenizers of the day. */
function estimateTokens(text: Buffer): number {
  return Math.ceil(charactersIn(text) / 4);
}

/** As JavaScript counts them. */
function charactersIn(bytes: Buffer): number {
  return isAscii(bytes) ? bytes.length : bytes.toString().length;
}

/** The feed of this very page if it has one, and that of the whole site. */
export function feedsOf(view: PageView, { reading }: SiteParts) {
  const site = { title: reading.site().name, ...feedPaths("/") };
  const type =
    view.subject.kind === "item" ? reading.types().get(view.subject.item.type) : undefined;
  if (type === undefined || !hasFeed(reading, type)) return [site];
  return [{ title: view.title, ...feedPaths(encodeURI(view.path)) }, site];
}
