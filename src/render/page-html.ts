import { markdownPath } from "../content/addresses/addresses.ts";
import type { ReadingCopy } from "../content/library.ts";
import type { Anchor, PageView } from "../content/pages/view.ts";
import { blockHtml } from "./block-html.ts";
import { html, type SafeHtml } from "./html.ts";
import { directionOf } from "./languages.ts";
import { type FeedLink, pageHead } from "./page-head.ts";
import { type SiteFrame, siteFrame } from "./site-frame.ts";

export interface RenderContext {
  reading: ReadingCopy;
  origin: string;
  /** The page's own feeds, and those of the whole site. */
  feeds: readonly FeedLink[];
}

export function pageHtml(view: PageView, { reading, origin, feeds }: RenderContext): string {
  const { language } = view;
  const site = siteFrame(reading, origin);
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
${pageHead(view, site, { feeds, origin, types: reading.types(), siteLanguage: reading.site().language })}<body>
<a class="skip" href="#main-content">Skip to content</a>
${header(view, site)}${main(view, origin)}${footer(view, site)}</body>
</html>
`.text;
}

function header({ path, query, trail }: PageView, site: SiteFrame): SafeHtml {
  const markdown = markdownPath(path);
  return html`<header>
<p class="visually-hidden">For AI agents: the index of this site is at <a href="/llms.txt">/llms.txt</a>; a Markdown version of this page is at <a href="${encodeURI(markdown)}${query}">${markdown}</a>.</p>
${site.headers.get(encodeURI(path)) ?? site.headerElsewhere}${trail.length > 0 && trailHtml(trail)}</header>
`;
}

function trailHtml(trail: readonly Anchor[]): SafeHtml {
  return html`<nav class="trail" aria-label="Breadcrumb"><ol>${trail.map(({ text, to }) => html`<li><a href="${to}">${text}</a></li>`)}</ol></nav>\n`;
}

function main({ title, language, translations, blocks }: PageView, origin: string): SafeHtml {
  const context = { origin, language };
  return html`<main id="main-content">
<h1>${title}</h1>
${translations.length > 0 && translationLine(translations)}${blocks.map((block) => blockHtml(block, context))}</main>
`;
}

function translationLine(translations: PageView["translations"]): SafeHtml {
  return html`<p class="translations">Also in: ${translations.map(
    ({ language, path, title }, at) =>
      html`${at > 0 && ", "}<a href="${encodeURI(path)}" hreflang="${language}" lang="${language}">${title}</a>`,
  )}</p>\n`;
}

function footer({ path, query, updatedAt }: PageView, site: SiteFrame): SafeHtml {
  const day = updatedAt?.slice(0, 10);
  return html`<footer>
<p>${day !== undefined && html`Updated <time datetime="${day}">${day}</time>. `}${site.licence}</p>
<ul class="footer-links"><li><a href="${encodeURI(markdownPath(path))}${query}">This page in Markdown</a></li><li><a href="/llms.txt">For agents</a></li><li><a href="/feed.atom">Feed</a></li><li><a href="mailto:${site.email}">${site.email}</a></li></ul>
</footer>
`;
}
