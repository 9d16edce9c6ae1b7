import { markdownUrl, pageUrl } from "../content/addresses/addresses.ts";
import type { ItemSummary } from "../content/library.ts";
import { cautiousTitle } from "../content/pages/lines.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import type { DiscoveryDocument, DocumentContext } from "./document.ts";
import { type Feed, feedPaths, itemFeed, siteFeed } from "./feeds.ts";
import { escapeXml } from "./xml.ts";

const CONTENT_TYPE = "application/atom+xml; charset=utf-8";

/** RFC 4287. */
export const atomFeed: DiscoveryDocument = {
  name: "Atom feed",
  paths: ["/feed.atom"],
  contentType: CONTENT_TYPE,
  render: (context) => atom(siteFeed(context.reading), context),
};

export const atomFeedOfItem: DiscoveryDocument = {
  name: "Atom feed of a page",
  paths: ["/:section/:slug/feed.atom"],
  contentType: CONTENT_TYPE,
  render(context, parameters) {
    const feed = itemFeed(context.reading, `/${parameters["section"]}/${parameters["slug"]}`);
    return feed === null ? null : atom(feed, context);
  },
};

function atom(feed: Feed, { origin, reading }: DocumentContext): string {
  const types = reading.types();
  const self = escapeXml(pageUrl(origin, feedPaths(feed.path).atom));
  const page = escapeXml(pageUrl(origin, feed.path));
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeXml(feed.language)}">
<title>${escapeXml(feed.title)}</title>
${element("subtitle", feed.description)}<id>${self}</id>
<updated>${escapeXml(feed.updatedAt)}</updated>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${page}"/>
<author><name>${escapeXml(reading.site().name)}</name></author>
${feed.entries.map((entry) => entryElement(entry, { origin, types })).join("")}</feed>
`;
}

function entryElement(
  item: ItemSummary,
  { origin, types }: { origin: string; types: ContentTypes },
): string {
  const url = escapeXml(pageUrl(origin, item.path));
  return `<entry xml:lang="${escapeXml(item.language)}">
<title>${escapeXml(cautiousTitle(item, types))}</title>
<id>${url}</id>
<published>${escapeXml(item.publishedAt)}</published>
<updated>${escapeXml(item.updatedAt)}</updated>
<link rel="alternate" type="text/html" href="${url}"/>
<link rel="alternate" type="text/markdown" href="${escapeXml(markdownUrl(origin, item.path))}"/>
${element("summary", item.summary)}</entry>
`;
}

/** The element; empty for an empty text. */
function element(name: string, text: string): string {
  return text === "" ? "" : `<${name}>${escapeXml(text)}</${name}>\n`;
}
