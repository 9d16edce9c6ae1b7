import { markdownPath, pageUrl } from "../content/addresses/addresses.ts";
import type { PageView } from "../content/pages/view.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import { html, type SafeHtml, trusted } from "./html.ts";
import { previewPicture } from "./preview-picture.ts";
import type { SiteFrame } from "./site-frame.ts";
import { structuredData } from "./structured-data.ts";

/** Root-relative URLs of one feed in both formats. */
export interface FeedLink {
  title: string;
  atom: string;
  json: string;
}

interface HeadContext {
  feeds: readonly FeedLink[];
  origin: string;
  types: ContentTypes;
  siteLanguage: string;
}

export function pageHead(view: PageView, site: SiteFrame, context: HeadContext): SafeHtml {
  const { origin, feeds } = context;
  const { path, query, subject, language } = view;
  const isHome = path === "/";
  const title = isHome ? site.name : `${view.title}${pageNumber(query)} – ${site.name}`;
  const description = view.description === "" ? title : view.description;
  const canonical = pageUrl(origin, path) + query;
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
${view.isIndexed ? html`<link rel="canonical" href="${canonical}">` : html`<meta name="robots" content="noindex">`}
<link rel="alternate" type="text/markdown" href="${encodeURI(markdownPath(path))}${query}" title="Markdown">
${isHome && html`<link rel="alternate" type="application/json" href="/?mode=agent" title="Agent view">\n`}${feeds.map(feedLinks)}${languageLinks(view, context)}${site.links}<meta property="og:title" content="${view.title}">
<meta property="og:description" content="${description}">
<meta property="og:type" content="${subject.kind === "item" ? "article" : "website"}">
<meta property="og:url" content="${canonical}">
<meta property="og:site_name" content="${site.name}">
${preview(view, origin) ?? site.logo}<meta property="og:locale" content="${language.replace("-", "_")}">
<script type="application/ld+json">${trusted(structuredData(view, site.entities, context))}</script>
</head>
`;
}

function pageNumber(query: string): string {
  const number = /^\?page=(\d+)$/.exec(query)?.[1];
  return number === undefined ? "" : ` (page ${number})`;
}

function feedLinks({ title, atom, json }: FeedLink): SafeHtml {
  return html`<link rel="alternate" type="application/atom+xml" href="${atom}" title="${title}">
<link rel="alternate" type="application/feed+json" href="${json}" title="${title}">
`;
}

/** `hreflang` links to the translations. */
function languageLinks(
  { language, path, translations }: PageView,
  { origin, siteLanguage }: HeadContext,
): SafeHtml[] {
  if (translations.length === 0) return [];
  const versions = [{ language, path }, ...translations];
  const main = versions.find((version) => version.language === siteLanguage);
  const marked = main === undefined ? versions : [...versions, { ...main, language: "x-default" }];
  return marked.map(
    (version) =>
      html`<link rel="alternate" hreflang="${version.language}" href="${pageUrl(origin, version.path)}">\n`,
  );
}

/** The page's first picture; null if it has none. */
function preview(view: PageView, origin: string): SafeHtml | null {
  const picture = previewPicture(view, origin);
  if (picture === null) return null;
  const { url, alt, width, height } = picture;
  return html`<meta property="og:image" content="${url}">
${width !== null && height !== null && html`<meta property="og:image:width" content="${width}">\n<meta property="og:image:height" content="${height}">\n`}${alt !== "" && html`<meta property="og:image:alt" content="${alt}">\n`}`;
}
