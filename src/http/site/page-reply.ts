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
  const links = [
    ...(isIndexed ? [`<${canonical}>; rel="canonical"`] : []),
    ...(form === "twin"
      ? [ABOUT_SITE]
      : [`<${origin}${twin}>; rel="alternate"; type="text/markdown"`, SITE_LINKS]),
  ];
  const headers = {
    ...PUBLIC_HEADERS,
    ...(updatedAt === null ? {} : { "Last-Modified": new Date(updatedAt).toUTCString() }),
    ...(isIndexed ? {} : { "X-Robots-Tag": "noindex" }),
    "Content-Signal": contentSignal(site),
    Link: links.join(", "),
  };
  if (form === "html") return { status: 200, headers: { ...headers, ...HTML_HEADERS }, body };
  return {
    status: 200,
    headers: {
      ...headers,
      "Content-Type": "text/markdown; charset=utf-8",
      "X-Markdown-Tokens": String(estimateTokens(body)),
      ...(form === "twin"
        ? { "Cache-Control": PAGE_CACHING }
        : { "Cache-Control": NEVER_SHARED, Vary: "Accept", "Content-Location": twin }),
    },
    body,
  };
}

const HTML_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": PAGE_CACHING,
  Vary: "Accept",
};

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
