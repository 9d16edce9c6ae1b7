import { Parser } from "htmlparser2";
import { readStartTags } from "../../content/import/streams/open-tags.ts";

/** The addresses in a page: absolute and without fragments. */
export interface FoundUrls {
  links: ReadonlySet<string>;
  /** Pictures, audio and video. */
  files: ReadonlySet<string>;
  feeds: ReadonlySet<string>;
}

const FEED_TYPE = /^application\/(?:rss|atom)\+xml/i;
const FILE_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  img: ["src"],
  source: ["src"],
  audio: ["src"],
  video: ["src", "poster"],
};

/** Finds the pages, files and feeds that an HTML page names. `url` is the address of the page. */
export function extractUrlsFromPage(html: string, url: string): FoundUrls {
  const links = new Set<string>();
  const files = new Set<string>();
  const feeds = new Set<string>();
  let base = url;
  const add = (found: Set<string>, reference: string | undefined) => {
    const address = reference === undefined ? null : URL.parse(reference.trim(), base);
    if (address === null || !/^https?:$/.test(address.protocol)) return;
    address.hash = "";
    found.add(address.href);
  };
  readStartTags(html, (name, attributes) => {
    if (name === "base") base = URL.parse(attributes["href"] ?? "", url)?.href ?? base;
    if (name === "a" || name === "area") add(links, attributes["href"]);
    if (name === "link" && FEED_TYPE.test(attributes["type"] ?? "")) {
      add(feeds, attributes["href"]);
    }
    for (const attribute of FILE_ATTRIBUTES[name] ?? []) add(files, attributes[attribute]);
  });
  return { links, files, feeds };
}

/**
 * Limit on the nesting of elements. Sitemaps and feeds nest less deeply than this. Deeper elements would
 * cost the parser quadratic time.
 */
const DEPTH_MAX = 100;

/**
 * Finds the pages and sitemaps that a sitemap (sitemaps.org) or feed (RSS, Atom) names. Stops at an element
 * that nests too deep.
 */
export function extractUrlsFromXml(xml: string): { pages: string[]; sitemaps: string[] } {
  const pages: string[] = [];
  const sitemaps: string[] = [];
  const openTags: string[] = [];
  let text = "";
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        openTags.push(name);
        if (openTags.length > DEPTH_MAX) parser.pause();
        text = "";
        const isAlternate = (attributes["rel"] ?? "alternate") === "alternate";
        if (name === "link" && isAlternate && attributes["href"]) pages.push(attributes["href"]);
      },
      ontext(chunk) {
        text += chunk;
      },
      onclosetag(name) {
        openTags.pop();
        if (text.trim() === "") return;
        if (name === "loc") (openTags.at(-1) === "sitemap" ? sitemaps : pages).push(text.trim());
        if (name === "link") pages.push(text.trim());
        text = "";
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return { pages, sitemaps };
}
