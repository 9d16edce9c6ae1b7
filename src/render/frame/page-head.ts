import { markdownPath, pageUrl } from "../../content/addresses/addresses.ts";
import { buildShareCard } from "../../content/media/share-card.ts";
import {
  SHARE_PICTURE_HEIGHT,
  SHARE_PICTURE_WIDTH,
  sharePicturePath,
} from "../../content/media/share-pictures.ts";
import { titleWithWarning } from "../../content/pages/quotations/seals.ts";
import type { PageView } from "../../content/pages/view.ts";
import type { Edition } from "../../content/site/editions.ts";
import { siteTexts } from "../../texts/site/site-texts.ts";
import { html, type SafeHtml, trustedHtml } from "../html.ts";
import { findLinkPreviewPicture } from "../preview-picture.ts";
import { buildStructuredData } from "../structured-data.ts";
import type { SiteFrame } from "./site-frame.ts";

/** The root-relative URLs of a feed in two formats, Atom and JSON Feed. */
export interface FeedLink {
  title: string;
  atom: string;
  json: string;
}

interface HeadContext {
  feeds: readonly FeedLink[];
  origin: string;
  edition: Edition;
  siteLanguage: string;
}

export function pageHeadHtml(view: PageView, site: SiteFrame, context: HeadContext): SafeHtml {
  const { origin, feeds } = context;
  const { path, query, subject, textLanguage } = view;
  const name = nameOf(view, context.edition);
  const isHome = subject.kind === "home";
  const title = isHome ? site.name : `${name}${pageNumber(view)} – ${site.name}`;
  const description = view.description === "" ? title : view.description;
  const canonical = pageUrl(origin, path) + query;
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
${view.isIndexed ? html`<link rel="canonical" href="${canonical}">` : html`<meta name="robots" content="noindex">`}
<link rel="alternate" type="text/markdown" href="${encodeURI(markdownPath(path))}${query}" title="Markdown">
${path === "/" && html`<link rel="alternate" type="application/json" href="/?mode=agent" title="Agent view">\n`}${feeds.map(feedLinks)}${languageLinks(view, context)}${site.links}<meta property="og:title" content="${name}">
<meta property="og:description" content="${description}">
<meta property="og:type" content="${subject.kind === "item" ? "article" : "website"}">
<meta property="og:url" content="${canonical}">
<meta property="og:site_name" content="${site.name}">
${preview(view, origin) ?? drawnPreview(view, context) ?? site.logo}<meta property="og:locale" content="${textLanguage.replace("-", "_")}">
<script type="application/ld+json">${trustedHtml(buildStructuredData(view, site.entities, context))}</script>
</head>
`;
}

/** The title, preceded by a warning for a doubtful quotation, since link previews show only the title. */
function nameOf({ subject, title }: PageView, { types }: Edition): string {
  return subject.kind === "item" ? titleWithWarning({ ...subject.item, title }, types) : title;
}

function pageNumber({ query, language }: PageView): string {
  const number = /^\?page=(\d+)$/.exec(query)?.[1];
  return number === undefined ? "" : ` ${siteTexts(language).frame.pageOfTitle(Number(number))}`;
}

function feedLinks({ title, atom, json }: FeedLink): SafeHtml {
  return html`<link rel="alternate" type="application/atom+xml" href="${atom}" title="${title}">
<link rel="alternate" type="application/feed+json" href="${json}" title="${title}">
`;
}

/** `hreflang` links to all language versions of the page; none if it has no translations. */
function languageLinks(
  { textLanguage: language, path, translations }: PageView,
  { origin, siteLanguage }: HeadContext,
): SafeHtml[] {
  if (translations.length === 0) return [];
  const versions = [{ language, path }, ...translations];
  const main = versions.find((version) => version.language === siteLanguage);
  const all = main === undefined ? versions : [...versions, { ...main, language: "x-default" }];
  return all.map(
    (version) =>
      html`<link rel="alternate" hreflang="${version.language}" href="${pageUrl(origin, version.path)}">\n`,
  );
}

/** Tags for the page's first picture; null if it has none. */
function preview(view: PageView, origin: string): SafeHtml | null {
  const picture = findLinkPreviewPicture(view, origin);
  if (picture === null) return null;
  const { url, alt, width, height } = picture;
  return html`<meta property="og:image" content="${url}">
${width !== null && height !== null && html`<meta property="og:image:width" content="${width}">\n<meta property="og:image:height" content="${height}">\n`}${alt !== "" && html`<meta property="og:image:alt" content="${alt}">\n`}`;
}

/**
 * Tags for the generated preview picture of an item, which is drawn when it is first requested; null for
 * other pages.
 */
function drawnPreview({ subject }: PageView, { origin, edition }: HeadContext): SafeHtml | null {
  const item = subject.kind === "item" || subject.kind === "home" ? subject.item : null;
  if (item === null) return null;
  const card = buildShareCard(item, edition);
  return html`<meta property="og:image" content="${origin}${sharePicturePath(card, item.path)}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${SHARE_PICTURE_WIDTH}">
<meta property="og:image:height" content="${SHARE_PICTURE_HEIGHT}">
<meta property="og:image:alt" content="${titleWithWarning({ ...item, title: card.text }, edition.types)}">
<meta name="twitter:card" content="summary_large_image">
`;
}
