import { markdownPath, pageUrl } from "../../content/addresses.ts";
import type { PageView } from "../../content/pages/view.ts";
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
  const canonical = `<${pageUrl(origin, view.path)}${view.query}>; rel="canonical"`;
  const twin = encodeURI(markdownPath(view.path)) + view.query;
  const shared = {
    ...PUBLIC_HEADERS,
    ...(view.updatedAt === null ? {} : { "Last-Modified": new Date(view.updatedAt).toUTCString() }),
    ...(view.isIndexed ? {} : { "X-Robots-Tag": "noindex" }),
    "Content-Signal": contentSignal(reading.site()),
  };
  const links = [
    ...(view.isIndexed ? [canonical] : []),
    ...(form === "twin"
      ? [ABOUT_SITE]
      : [`<${origin}${twin}>; rel="alternate"; type="text/markdown"`, SITE_LINKS]),
  ];
  const headers = { ...shared, Link: links.join(", ") };
  if (form === "html") {
    const body = pageHtml(view, { ...parts, feeds: feedsOf(view, parts) });
    return { status: 200, headers: { ...headers, ...HTML_HEADERS }, body };
  }
  const body = pageMarkdown(view, parts);
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
function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** The feed of this very page if it has one, and that of the whole site. */
export function feedsOf(view: PageView, { reading }: SiteParts) {
  const site = { title: reading.site().name, ...feedPaths("/") };
  const type =
    view.subject.kind === "item" ? reading.types().get(view.subject.item.type) : undefined;
  if (type === undefined || !hasFeed(reading, type)) return [site];
  return [{ title: view.title, ...feedPaths(encodeURI(view.path)) }, site];
}
