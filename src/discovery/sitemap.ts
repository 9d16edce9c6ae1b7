import { pageUrl } from "../content/addresses/addresses.ts";
import type { ReadingCopy } from "../content/library.ts";
import { sectionsInEdition } from "../content/lists/sections.ts";
import { listBuiltInPageTranslations } from "../content/pages/built-in/built-in-page.ts";
import { BUILT_IN_PAGES } from "../content/pages/built-in/built-in-pages.ts";
import { type Edition, editionPath, editionsOf } from "../content/site/editions.ts";
import type { DiscoveryDocument, DocumentContext } from "./document.ts";
import { escapeXml } from "./xml.ts";

/**
 * The limit of sitemaps.org. If pages list translations, a file has fewer URLs, to stay below the limit of 50
 * MB.
 */
const URLS_PER_FILE = 50_000;

const XML_NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';

/** One language version of a page. */
interface Version {
  language: string;
  path: string;
}

interface Page {
  path: string;
  updatedAt: string;
  /** All language versions including this one; empty for a page in one language. */
  versions: readonly Version[];
}

/** All canonical URLs (sitemaps.org 0.9) or, if they need several files, an index of the files. */
export const sitemap: DiscoveryDocument = {
  name: "sitemap.xml",
  paths: ["/sitemap.xml"],
  contentType: "application/xml; charset=utf-8",
  render(context) {
    const parts = partCount(context.reading);
    return parts === 1 ? urlSet(context, 1) : sitemapIndex(context.origin, parts);
  },
};

/** One file of a sitemap that is split. */
export const sitemapPart: DiscoveryDocument = {
  name: "sitemap part",
  paths: ["/sitemap-:part.xml"],
  contentType: "application/xml; charset=utf-8",
  render(context, parameters) {
    const text = parameters["part"] ?? "";
    const parts = partCount(context.reading);
    const part = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 0;
    return parts === 1 || part < 1 || part > parts ? null : urlSet(context, part);
  },
};

function partCount(reading: ReadingCopy): number {
  const items = Object.values(reading.counts()).reduce((sum, count) => sum + count, 0);
  return Math.ceil((overviews(reading).length + items) / urlsPerFile(reading));
}

function urlsPerFile(reading: ReadingCopy): number {
  return Math.floor(URLS_PER_FILE / (1 + reading.site().languages.length));
}

function sitemapIndex(origin: string, parts: number): string {
  const files = Array.from(
    { length: parts },
    (_, index) => `<sitemap><loc>${origin}/sitemap-${index + 1}.xml</loc></sitemap>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${files.join("")}</sitemapindex>\n`;
}

function* urlSet(context: DocumentContext, part: number): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${XML_NAMESPACES}>\n`;
  for (const page of pagesOfPart(context.reading, part)) yield urlElement(page, context);
  yield "</urlset>\n";
}

/**
 * The pages of one sitemap file. The first file begins with the pages of {@link overviews}. An item
 * that is a home page is listed only there.
 */
function* pagesOfPart(reading: ReadingCopy, part: number): Generator<Page> {
  const first = overviews(reading);
  const size = urlsPerFile(reading);
  if (part === 1) yield* first;
  const offset = part === 1 ? 0 : (part - 1) * size - first.length;
  const limit = part === 1 ? size - first.length : size;
  const homes = new Set(editionsOf(reading).map((edition) => editionPath(edition, "/")));
  const isMultilingual = reading.site().languages.length > 0;
  for (const entry of reading.index({ offset, limit })) {
    if (homes.has(entry.path)) continue;
    yield { ...entry, versions: isMultilingual ? languageVersions(reading, entry.path) : [] };
  }
}

/**
 * Home pages, lists and built-in pages that list items, of every edition. The update time of a list is that
 * of its latest item, of the other pages that of the whole site.
 */
function overviews(reading: ReadingCopy): Page[] {
  const editions = editionsOf(reading);
  const homes = editions.map((edition) => ({
    language: edition.language,
    path: editionPath(edition, "/"),
  }));
  const lists = editions.flatMap((edition) =>
    sectionsInEdition(reading, edition).map(({ type, listPath }) => ({ edition, type, listPath })),
  );
  const listed = BUILT_IN_PAGES.filter((page) => page.listed !== null).map((page) =>
    listBuiltInPageTranslations(page, reading),
  );
  const updatedAt = reading.updatedAt();
  return [
    ...homes.map(({ path }) => ({ path, updatedAt, versions: homes.length > 1 ? homes : [] })),
    ...lists.map(({ edition, type, listPath }) => {
      const versions = lists
        .filter((other) => other.type.name === type.name)
        .map((other) => ({ language: other.edition.language, path: other.listPath }));
      return {
        path: listPath,
        updatedAt: latestUpdate(reading, edition, type.name) ?? updatedAt,
        versions: versions.length > 1 ? versions : [],
      };
    }),
    ...listed.flatMap((versions) =>
      versions.map(({ path }) => ({
        path,
        updatedAt,
        versions: versions.length > 1 ? versions : [],
      })),
    ),
  ];
}

function latestUpdate(
  reading: ReadingCopy,
  { languageFilter }: Edition,
  type: string,
): string | undefined {
  const query = { types: [type], filters: [], links: [], sort: "updated", descending: true };
  return reading.items({ ...query, ...languageFilter, limit: 1 })[0]?.updatedAt;
}

function languageVersions(reading: ReadingCopy, path: string): Version[] {
  const resolution = reading.resolve(path);
  if (resolution.kind !== "item" || resolution.item.translations.length === 0) return [];
  const { language, translations } = resolution.item;
  return [{ language, path }, ...translations].sort((a, b) => (a.language < b.language ? -1 : 1));
}

function urlElement({ path, updatedAt, versions }: Page, context: DocumentContext): string {
  const { origin, reading } = context;
  const main = versions.find(({ language }) => language === reading.site().language);
  const all = main === undefined ? versions : [...versions, { ...main, language: "x-default" }];
  const alternates = all.map(
    (version) =>
      `<xhtml:link rel="alternate" hreflang="${escapeXml(version.language)}" href="${address(origin, version.path)}"/>`,
  );
  return `<url><loc>${address(origin, path)}</loc><lastmod>${escapeXml(updatedAt)}</lastmod>${alternates.join("")}</url>\n`;
}

function address(origin: string, path: string): string {
  return escapeXml(pageUrl(origin, path));
}
