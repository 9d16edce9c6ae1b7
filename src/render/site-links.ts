import { markdownPath, pagePathOfMarkdownPath } from "../content/addresses/addresses.ts";

const LINK_SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"]);
const IMAGE_SCHEMES: ReadonlySet<string> = new Set(["http:", "https:"]);
/** First path segments of addresses that are not pages. */
const NON_PAGE_SEGMENTS: ReadonlySet<string> = new Set([
  ".well-known",
  "mcp",
  "media",
  "healthz",
  "readyz",
]);

/** Target of a link or image, in the HTML and in the Markdown of a page. */
export interface LinkDestination {
  /** Root-relative within the site, absolute elsewhere, or a fragment. */
  html: string;
  /** Absolute. For a page of the site, the URL of its Markdown. */
  markdown: string;
}

/** Matches an internal path that needs no encoding. */
const PLAIN_PATH = /^(?:\/[\w-]+)+$/;

/**
 * The target of a link; null for URLs that are not allowed on a public page (`javascript:`, `data:`,
 * malformed).
 */
export function resolveLinkDestination(href: string, origin: string): LinkDestination | null {
  if (href.startsWith("#")) return { html: href, markdown: href };
  if (PLAIN_PATH.test(href)) {
    return { html: href, markdown: origin + markdownAddress(href, "") };
  }
  const url = URL.parse(href, `${origin}/`);
  if (url === null || !LINK_SCHEMES.has(url.protocol)) return null;
  if (url.origin !== origin) return { html: url.href, markdown: url.href };
  const markdownOf = isBelowNonPage(url.pathname) ? null : pagePathOfMarkdownPath(url.pathname);
  const page = markdownOf ?? url.pathname;
  const rest = url.search + url.hash;
  return { html: page + rest, markdown: origin + markdownAddress(page, url.search) + rest };
}

/**
 * The target of an image; null if the image is neither from the web nor from this site, such as a
 * `data:` URL.
 */
export function resolveImageDestination(source: string, origin: string): LinkDestination | null {
  const url = URL.parse(source, `${origin}/`);
  if (url === null || !IMAGE_SCHEMES.has(url.protocol)) return null;
  const isOwn = url.origin === origin;
  return { html: isOwn ? url.pathname + url.search : url.href, markdown: url.href };
}

function markdownAddress(path: string, search: string): string {
  const isAgentView = path === "/" && search !== "";
  return isAgentView || !isPagePath(path) ? path : markdownPath(path.replace(/(?<=.)\/$/, ""));
}

/** Whether a path leads to a page. A last segment with an extension is a file, such as `/feed.atom`. */
function isPagePath(path: string): boolean {
  return !isBelowNonPage(path) && !/\.[a-z0-9]{1,7}$/i.test(path);
}

function isBelowNonPage(path: string): boolean {
  const [, first = ""] = path.split("/");
  return NON_PAGE_SEGMENTS.has(first);
}
