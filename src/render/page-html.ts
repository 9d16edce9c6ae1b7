import { markdownPath, pageUrl } from "../content/addresses.ts";
import type { ReadingCopy } from "../content/library.ts";
import { navigationOf } from "../content/navigation.ts";
import type { PageView } from "../content/pages/view.ts";
import { blockHtml } from "./block-html.ts";
import { html, type SafeHtml, trusted } from "./html.ts";
import { directionOf } from "./languages.ts";
import { previewPicture } from "./preview-picture.ts";
import { searchForm } from "./search-form.ts";
import { structuredData } from "./structured-data.ts";
import { THEME_PATH } from "./theme.ts";

export interface RenderContext {
  reading: ReadingCopy;
  origin: string;
  /** Root-relative addresses of the feeds that follow this page, and those of the whole site. */
  feeds: readonly { title: string; atom: string; json: string }[];
}

/** A whole page as HTML. */
export function pageHtml(view: PageView, context: RenderContext): string {
  const language = view.language;
  const page = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
${head(view, context)}</head>
<body>
${header(view, context)}<main id="main-content">
<h1>${view.title}</h1>
${translationLine(view)}${view.blocks.map((block) => blockHtml(block, { origin: context.origin, language }))}</main>
${footer(view, context)}</body>
</html>
`;
  return page.text;
}

/** The Markdown form of this very page, its query included. */
export function markdownAddress(view: PageView): string {
  return encodeURI(markdownPath(view.path)) + view.query;
}

function head(view: PageView, context: RenderContext): SafeHtml {
  const { reading, origin, feeds } = context;
  const site = reading.site();
  const isHome = view.path === "/";
  const page = /^\?page=(\d+)$/.exec(view.query)?.[1];
  const number = page === undefined ? "" : ` (page ${page})`;
  const title = isHome ? site.name : `${view.title}${number} – ${site.name}`;
  const canonical = pageUrl(origin, view.path) + view.query;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${view.description === "" ? title : view.description}">
${view.isIndexed ? html`<link rel="canonical" href="${canonical}">\n` : html`<meta name="robots" content="noindex">\n`}<link rel="alternate" type="text/markdown" href="${markdownAddress(view)}" title="Markdown">
${isHome && html`<link rel="alternate" type="application/json" href="/?mode=agent" title="Agent view">\n`}${feeds.map(
  (
    feed,
  ) => html`<link rel="alternate" type="application/atom+xml" href="${feed.atom}" title="${feed.title}">
<link rel="alternate" type="application/feed+json" href="${feed.json}" title="${feed.title}">
`,
)}${languageLinks(view, context)}<link rel="ai-catalog" type="application/ai-catalog+json" href="/.well-known/ai-catalog.json">
<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="${site.name}">
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<link rel="stylesheet" href="${THEME_PATH}">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fdfcf9">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#17181b">
<meta property="og:title" content="${view.title}">
<meta property="og:description" content="${view.description === "" ? title : view.description}">
<meta property="og:type" content="${view.subject.kind === "item" ? "article" : "website"}">
<meta property="og:url" content="${canonical}">
<meta property="og:site_name" content="${site.name}">
${previewLines(view, context)}<meta property="og:locale" content="${view.language.replace("-", "_")}">
<script type="application/ld+json">${trusted(structuredData(view, context))}</script>
`;
}

/** The first picture of the page, or else the logo. */
function previewLines(view: PageView, { origin, reading }: RenderContext): SafeHtml | null {
  const picture = previewPicture(view, origin);
  const { logo } = reading.site().organization;
  if (picture === null) {
    return logo === undefined ? null : html`<meta property="og:image" content="${logo}">\n`;
  }
  const { url, alt, width, height } = picture;
  return html`<meta property="og:image" content="${url}">
${width !== null && height !== null && html`<meta property="og:image:width" content="${width}">\n<meta property="og:image:height" content="${height}">\n`}${alt !== "" && html`<meta property="og:image:alt" content="${alt}">\n`}`;
}

function languageLinks(view: PageView, { origin, reading }: RenderContext): SafeHtml[] {
  if (view.translations.length === 0) return [];
  const versions = [{ language: view.language, path: view.path }, ...view.translations];
  const main = versions.find(({ language }) => language === reading.site().language);
  const marked = main === undefined ? versions : [...versions, { ...main, language: "x-default" }];
  return marked.map(
    ({ language, path }) =>
      html`<link rel="alternate" hreflang="${language}" href="${pageUrl(origin, path)}">\n`,
  );
}

function header(view: PageView, { reading }: RenderContext): SafeHtml {
  const site = reading.site();
  const links = navigationOf(reading);
  return html`<a class="skip" href="#main-content">Skip to content</a>
<header>
<p class="visually-hidden">For AI agents: the index of this site is at <a href="/llms.txt">/llms.txt</a>; a Markdown version of this page is at <a href="${markdownAddress(view)}">${markdownPath(view.path)}</a>.</p>
<p class="site-name"><a href="/">${site.name}</a></p>
${view.path !== "/search" && searchForm({ text: "", types: [], chosen: null, place: "header" })}<nav class="main-links" aria-label="Main"><ul>${links.map(
    ({ text, to }) =>
      html`<li><a href="${to}"${isHere(to, view) && html` aria-current="page"`}>${text}</a></li>`,
  )}</ul></nav>
${view.trail.length > 0 && html`<nav class="trail" aria-label="Breadcrumb"><ol>${view.trail.map(({ text, to }) => html`<li><a href="${to}">${text}</a></li>`)}</ol></nav>\n`}</header>
`;
}

function isHere(to: string, view: PageView): boolean {
  return to === encodeURI(view.path);
}

function translationLine(view: PageView): SafeHtml | null {
  if (view.translations.length === 0) return null;
  return html`<p class="translations">Also in: ${view.translations.map(
    ({ language, path, title }, at) =>
      html`${at > 0 && ", "}<a href="${encodeURI(path)}" hreflang="${language}" lang="${language}">${title}</a>`,
  )}</p>\n`;
}

function footer(view: PageView, { reading }: RenderContext): SafeHtml {
  const { licence, contact } = reading.site();
  const day = view.updatedAt?.slice(0, 10);
  return html`<footer>
<p>${day !== undefined && html`Updated <time datetime="${day}">${day}</time>. `}${licence !== undefined && html`The association’s own texts: ${licence.url === undefined ? licence.name : html`<a rel="license" href="${licence.url}">${licence.name}</a>`}. `}</p>
<ul class="footer-links"><li><a href="${markdownAddress(view)}">This page in Markdown</a></li><li><a href="/llms.txt">For agents</a></li><li><a href="/feed.atom">Feed</a></li><li><a href="mailto:${contact.email}">${contact.email}</a></li></ul>
</footer>
`;
}
