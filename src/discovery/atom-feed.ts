import { markdownUrl, pageUrl } from "../content/addresses/addresses.ts";
import type { ItemSummary } from "../content/library.ts";
import { firstPublicationTimeOf } from "../content/lists/event-times.ts";
import {
  sealInMainEdition,
  titleWithWarning,
  VERIFICATION_PATH,
} from "../content/pages/quotations/seals.ts";
import { editionForItemLanguage, mainEdition } from "../content/site/editions.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import type { DiscoveryDocument, DocumentContext } from "./document.ts";
import {
  buildEditionFeed,
  buildPageFeed,
  type Feed,
  feedPaths,
  pagePathFromMatch,
} from "./feeds.ts";
import { escapeXml } from "./xml.ts";

const CONTENT_TYPE = "application/atom+xml; charset=utf-8";

/** The latest changes of the main edition as an Atom feed (RFC 4287). */
export const atomFeed: DiscoveryDocument = {
  name: "Atom feed",
  paths: ["/feed.atom"],
  contentType: CONTENT_TYPE,
  render: (context) =>
    atom(buildEditionFeed(context.reading, mainEdition(context.reading)), context),
};

export const atomFeedOfPage: DiscoveryDocument = {
  name: "Atom feed of a page",
  paths: ["/:path+/feed.atom"],
  contentType: CONTENT_TYPE,
  render(context, parameters) {
    const feed = buildPageFeed(context.reading, pagePathFromMatch(parameters));
    return feed === null ? null : atom(feed, context);
  },
};

function atom(feed: Feed, { origin, reading }: DocumentContext): string {
  const { types } = editionForItemLanguage(reading, feed.language);
  const { timeZone } = reading.site();
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
${feed.entries.map((entry) => entryElement(entry, { origin, types, timeZone })).join("")}</feed>
`;
}

function entryElement(
  item: ItemSummary,
  { origin, types, timeZone }: { origin: string; types: ContentTypes; timeZone: string },
): string {
  const url = escapeXml(pageUrl(origin, item.path));
  const published = firstPublicationTimeOf(item, types.get(item.type), timeZone);
  return `<entry xml:lang="${escapeXml(item.language)}">
<title>${escapeXml(titleWithWarning(item, types))}</title>
<id>${url}</id>
<published>${escapeXml(published)}</published>
<updated>${escapeXml(item.updatedAt)}</updated>
<link rel="alternate" type="text/html" href="${url}"/>
<link rel="alternate" type="text/markdown" href="${escapeXml(markdownUrl(origin, item.path))}"/>
${category(item, { origin, types })}${element("summary", item.summary)}</entry>
`;
}

/**
 * A category with the item's seal, the label that shows how far the item can be trusted. Empty if the item
 * has none.
 */
function category(
  item: ItemSummary,
  { origin, types }: { origin: string; types: ContentTypes },
): string {
  const seal = sealInMainEdition(item, types);
  if (seal === null) return "";
  const scheme = escapeXml(pageUrl(origin, VERIFICATION_PATH));
  return `<category scheme="${scheme}" term="${escapeXml(seal.value)}" label="${escapeXml(seal.label)}"/>\n`;
}

/** An element with a text; empty if the text is empty. */
function element(name: string, text: string): string {
  return text === "" ? "" : `<${name}>${escapeXml(text)}</${name}>\n`;
}
