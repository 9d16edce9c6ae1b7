import { markdownPath } from "../../content/addresses.ts";
import type { ReadingCopy } from "../../content/library.ts";
import { CLAIM_PATH, CONTACT_PATH } from "../../content/pages/contact-forms.ts";
import { type PreparedParts, preparedParts } from "../../content/pages/prepared-item.ts";
import type { PageRequest } from "../../content/pages/view.ts";
import { feedPaths, hasFeed } from "../../discovery/feeds.ts";
import { feedLinks } from "../../render/page-html.ts";
import { joinedPieces, type PagePiece } from "../../render/page-pieces.ts";
import { preparedHtml, preparedMarkdown } from "../../render/prepared-page.ts";
import { type Form, type PageReply, replyIn } from "./page-reply.ts";

interface SiteParts {
  reading: ReadingCopy;
  origin: string;
}

interface ItemRequest {
  form: Form;
  request: PageRequest;
  join?: (pieces: readonly PagePiece[]) => Buffer;
}

/**
 * The page of an item, joined from what was put together when it was published; null where there is
 * no such page, or where it is more than its pieces: the home page and that with the forms. Its body
 * is what `join` makes of its pieces.
 */
export function itemReply(
  parts: SiteParts,
  path: string,
  { form, request, join = joinedPieces }: ItemRequest,
): PageReply | null {
  if (path === "/search" || path === CLAIM_PATH) return null;
  const { reading, origin } = parts;
  const kind = form === "html" ? "html" : "markdown";
  const page = preparedParts(reading, path, { form: kind, request });
  if (page === null || hasForms(page, reading)) return null;
  const pieces =
    kind === "html"
      ? preparedHtml(page, parts, feedsHtml(page, parts))
      : preparedMarkdown(page, parts);
  const { query, updatedAt } = page;
  const encoded = encodeURI(path);
  const twin = encodeURI(markdownPath(path)) + query;
  const shown = { canonical: origin + encoded + query, twin, updatedAt, isIndexed: true };
  return replyIn(form, shown, { body: join(pieces), site: reading.site(), origin });
}

/** The forms stand on the page at `/contact`, wherever that has moved, and on its translations. */
function hasForms({ item }: PreparedParts, reading: ReadingCopy): boolean {
  const path = contactPath(reading);
  return item.path === path || item.translations.some((translation) => translation.path === path);
}

const contactPaths = new WeakMap<ReadingCopy, { version: number; path: string }>();

function contactPath(reading: ReadingCopy): string {
  const version = reading.version();
  const known = contactPaths.get(reading);
  if (known?.version === version) return known.path;
  const found = reading.resolve(CONTACT_PATH);
  const path = found.kind === "moved" ? found.to : CONTACT_PATH;
  contactPaths.set(reading, { version, path });
  return path;
}

function feedsHtml({ item, type }: PreparedParts, { reading }: SiteParts): string {
  const ofSite = siteFeedHtml(reading.site().name);
  if (!hasFeed(reading, type)) return ofSite;
  return feedLinks([{ title: item.title, ...feedPaths(encodeURI(item.path)) }]) + ofSite;
}

let lastSiteFeed = { name: "", html: "" };

function siteFeedHtml(name: string): string {
  if (lastSiteFeed.name !== name) {
    lastSiteFeed = { name, html: feedLinks([{ title: name, ...feedPaths("/") }]) };
  }
  return lastSiteFeed.html;
}
