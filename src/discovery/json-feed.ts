import { pageUrl } from "../content/addresses/addresses.ts";
import { type ItemSummary, mayBeTruncated } from "../content/library.ts";
import { firstPublicationTimeOf } from "../content/lists/event-times.ts";
import { sealInMainEdition, titleWithWarning } from "../content/pages/quotations/seals.ts";
import { editionForItemLanguage, mainEdition } from "../content/site/editions.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import { cutAtWord } from "../search/language/folding.ts";
import type { DiscoveryDocument, DocumentContext } from "./document.ts";
import {
  buildEditionFeed,
  buildPageFeed,
  type Feed,
  feedPaths,
  pagePathFromMatch,
} from "./feeds.ts";

const CONTENT_TYPE = "application/feed+json";

/** The latest changes of the main edition in JSON Feed 1.1. */
export const jsonFeed: DiscoveryDocument = {
  name: "JSON feed",
  paths: ["/feed.json"],
  contentType: CONTENT_TYPE,
  render: (context) =>
    json(buildEditionFeed(context.reading, mainEdition(context.reading)), context),
};

export const jsonFeedOfPage: DiscoveryDocument = {
  name: "JSON feed of a page",
  paths: ["/:path+/feed.json"],
  contentType: CONTENT_TYPE,
  render(context, parameters) {
    const feed = buildPageFeed(context.reading, pagePathFromMatch(parameters));
    return feed === null ? null : json(feed, context);
  },
};

function json(feed: Feed, { origin, reading }: DocumentContext): string {
  const { types } = editionForItemLanguage(reading, feed.language);
  const { timeZone } = reading.site();
  const document = {
    version: "https://jsonfeed.org/version/1.1",
    title: feed.title,
    home_page_url: pageUrl(origin, feed.path),
    feed_url: pageUrl(origin, feedPaths(feed.path).json),
    ...(feed.description === "" ? {} : { description: feed.description }),
    language: feed.language,
    authors: [{ name: reading.site().name, url: `${origin}/` }],
    items: feed.entries.map((entry) => feedItem(entry, { origin, types, timeZone })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function feedItem(
  item: ItemSummary,
  { origin, types, timeZone }: { origin: string; types: ContentTypes; timeZone: string },
) {
  const url = pageUrl(origin, item.path);
  const seal = sealInMainEdition(item, types);
  return {
    id: url,
    url,
    title: titleWithWarning(item, types),
    ...(item.summary === "" ? {} : { summary: item.summary }),
    content_text: textOf(item),
    date_published: firstPublicationTimeOf(item, types.get(item.type), timeZone),
    date_modified: item.updatedAt,
    language: item.language,
    ...(seal === null ? {} : { tags: [seal.label] }),
  };
}

function textOf(item: ItemSummary): string {
  if (item.text === "") return item.title;
  return mayBeTruncated(item) ? cutAtWord(item.text, item.text.length - 1) : item.text;
}
