import { directionOf } from "./languages.ts";
import type { PagePiece } from "./page-pieces.ts";
import type { SiteFrame } from "./site-frame.ts";
import { structuredDataEnd } from "./structured-data.ts";

/** What sets one page apart, ready to stand in HTML. */
export interface PageParts {
  title: string;
  /** Empty: the title stands for it. */
  description: string;
  /** The lines of the page's own picture; empty: it has none. */
  preview: string;
  /** Of the structured data. */
  entities: string;
  /** Root-relative and encoded, without the query. */
  path: string;
  query: string;
  markdownAddress: string;
  /** As people read it. */
  markdownPath: string;
  language: string;
  isIndexed: boolean;
  isItem: boolean;
  feeds: string;
  languageLinks: string;
  trail: string;
  updatedAt: string | null;
}

/** What stands before and after what a page says: its own within what all pages of the site share. */
export function pageFrame(
  page: PageParts,
  site: SiteFrame,
): { start: readonly PagePiece[]; end: string } {
  const { language, path, query, updatedAt } = page;
  const isHome = path === "/";
  const number = /^\?page=(\d+)$/.exec(query)?.[1];
  const numbered = number === undefined ? "" : ` (page ${number})`;
  const title = isHome ? site.name : page.title + numbered + site.titleEnd;
  const description = page.description === "" ? title : page.description;
  const canonical = site.origin + path + query;
  const markdown = page.markdownAddress + query;
  const day = updatedAt === null ? "" : updatedAt.slice(0, 10);
  const head = `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
${page.isIndexed ? `<link rel="canonical" href="${quoted(canonical)}">\n` : `<meta name="robots" content="noindex">\n`}<link rel="alternate" type="text/markdown" href="${quoted(markdown)}" title="Markdown">
${isHome ? `<link rel="alternate" type="application/json" href="/?mode=agent" title="Agent view">\n` : ""}${page.feeds}${page.languageLinks}`;
  const preview = `<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${description}">
<meta property="og:type" content="${page.isItem ? "article" : "website"}">
<meta property="og:url" content="${quoted(canonical)}">
<meta property="og:site_name" content="${site.name}">
${page.preview === "" ? site.logo : page.preview}<meta property="og:locale" content="${language.replace("-", "_")}">
<script type="application/ld+json">`;
  const body = `${structuredDataEnd(page.entities)}</script>
</head>
<body>
<a class="skip" href="#main-content">Skip to content</a>
<header>
<p class="visually-hidden">For AI agents: the index of this site is at <a href="/llms.txt">/llms.txt</a>; a Markdown version of this page is at <a href="${quoted(markdown)}">${page.markdownPath}</a>.</p>
`;
  const header = site.headers.get(path) ?? site.headerElsewhere;
  const main = `${page.trail}</header>
<main id="main-content">
`;
  const end = `</main>
<footer>
<p>${day === "" ? "" : `Updated <time datetime="${day}">${day}</time>. `}${site.licence}</p>
<ul class="footer-links"><li><a href="${quoted(markdown)}">This page in Markdown</a></li><li><a href="/llms.txt">For agents</a></li><li><a href="/feed.atom">Feed</a></li><li><a href="mailto:${site.email}">${site.email}</a></li></ul>
</footer>
</body>
</html>
`;
  return { start: [head, site.links, preview, site.data, body, header, main], end };
}

/** An encoded address as the value of an attribute. */
function quoted(address: string): string {
  return /[&']/.test(address) ? address.replaceAll("&", "&amp;").replaceAll("'", "&#39;") : address;
}
