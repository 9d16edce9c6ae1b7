import { markdownPath, pageUrl } from "../content/addresses.ts";
import type { ReadingCopy } from "../content/library.ts";
import type { Anchor, PageView } from "../content/pages/view.ts";
import { blockHtml } from "./block-html.ts";
import { escapeHtml, html, type SafeHtml } from "./html.ts";
import { type PageParts, pageFrame } from "./page-frame.ts";
import { textOfPieces } from "./page-pieces.ts";
import { previewPicture } from "./preview-picture.ts";
import { siteFrame } from "./site-frame.ts";
import { pageEntities } from "./structured-data.ts";

export interface RenderContext {
  reading: ReadingCopy;
  origin: string;
  /** Root-relative addresses of the feeds that follow this page, and those of the whole site. */
  feeds: readonly { title: string; atom: string; json: string }[];
}

/** A whole page as HTML. */
export function pageHtml(view: PageView, context: RenderContext): string {
  const { reading, origin, feeds } = context;
  const { path, query, language, subject } = view;
  const parts: PageParts = {
    title: escapeHtml(view.title),
    description: escapeHtml(view.description),
    preview: previewLines(view, origin),
    entities: pageEntities(view, { types: reading.types(), origin }),
    path: encodeURI(path),
    query,
    markdownAddress: encodeURI(markdownPath(path)),
    markdownPath: escapeHtml(markdownPath(path)),
    language,
    isIndexed: view.isIndexed,
    isItem: subject.kind === "item",
    feeds: feedLinks(feeds),
    languageLinks: languageLinks(view, context),
    trail: trailHtml(view.trail),
    updatedAt: view.updatedAt,
  };
  const { start, end } = pageFrame(parts, siteFrame(reading, origin));
  return textOfPieces([...start, mainHtml(view, origin), end]);
}

/** What stands between the header and the footer of a page. */
export function mainHtml(
  view: Pick<PageView, "title" | "language" | "translations" | "blocks">,
  origin: string,
): string {
  const { title, language, blocks } = view;
  const context = { origin, language };
  return html`<h1>${title}</h1>
${translationLine(view)}${blocks.map((block) => blockHtml(block, context))}`.text;
}

/** The first picture of the page, or else nothing: the logo stands in for it. */
export function previewLines(view: Pick<PageView, "subject">, origin: string): string {
  const picture = previewPicture(view, origin);
  if (picture === null) return "";
  const { url, alt, width, height } = picture;
  return html`<meta property="og:image" content="${url}">
${width !== null && height !== null && html`<meta property="og:image:width" content="${width}">\n<meta property="og:image:height" content="${height}">\n`}${alt !== "" && html`<meta property="og:image:alt" content="${alt}">\n`}`
    .text;
}

/** The same page in other languages. */
export function languageLinks(
  view: Pick<PageView, "language" | "path" | "translations">,
  { origin, reading }: Omit<RenderContext, "feeds">,
): string {
  if (view.translations.length === 0) return "";
  const versions = [{ language: view.language, path: view.path }, ...view.translations];
  const main = versions.find(({ language }) => language === reading.site().language);
  const marked = main === undefined ? versions : [...versions, { ...main, language: "x-default" }];
  return html`${marked.map(
    ({ language, path }) =>
      html`<link rel="alternate" hreflang="${language}" href="${pageUrl(origin, path)}">\n`,
  )}`.text;
}

/** What leads from a page to feeds. */
export function feedLinks(feeds: RenderContext["feeds"]): string {
  return html`${feeds.map(
    (
      feed,
    ) => html`<link rel="alternate" type="application/atom+xml" href="${feed.atom}" title="${feed.title}">
<link rel="alternate" type="application/feed+json" href="${feed.json}" title="${feed.title}">
`,
  )}`.text;
}

/** The pages above a page. */
export function trailHtml(trail: readonly Anchor[]): string {
  if (trail.length === 0) return "";
  return html`<nav class="trail" aria-label="Breadcrumb"><ol>${trail.map(({ text, to }) => html`<li><a href="${to}">${text}</a></li>`)}</ol></nav>\n`
    .text;
}

function translationLine(view: Pick<PageView, "translations">): SafeHtml | null {
  if (view.translations.length === 0) return null;
  return html`<p class="translations">Also in: ${view.translations.map(
    ({ language, path, title }, at) =>
      html`${at > 0 && ", "}<a href="${encodeURI(path)}" hreflang="${language}" lang="${language}">${title}</a>`,
  )}</p>\n`;
}
