import { markdownPath, pageOfMarkdownPath } from "../content/addresses/addresses.ts";

const LINK_SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"]);
const IMAGE_SCHEMES: ReadonlySet<string> = new Set(["http:", "https:"]);
/** First path segments that serve something other than pages. */
const NO_PAGES: ReadonlySet<string> = new Set([".well-known", "mcp", "media", "healthz", "readyz"]);

/** Target of a link or image, for each form of the page. */
export interface Destination {
  /** Root-relative within the site, absolute elsewhere, or a fragment. */
  html: string;
  /** Absolute; for a page of the site, its Markdown URL. */
  markdown: string;
}

/** An internal path that needs no encoding. */
const PLAIN_PATH = /^(?:\/[\w-]+)+$/;

/** Null for URLs that are not allowed on a public page (`javascript:`, `data:`, malformed). */
export function linkDestination(href: string, origin: string): Destination | null {
  if (href.startsWith("#")) return { html: href, markdown: href };
  if (PLAIN_PATH.test(href)) {
    return { html: href, markdown: origin + markdownAddress(href, "") };
  }
  const url = URL.parse(href, `${origin}/`);
  if (url === null || !LINK_SCHEMES.has(url.protocol)) return null;
  if (url.origin !== origin) return { html: url.href, markdown: url.href };
  const page = pageOfMarkdownPath(url.pathname) ?? url.pathname;
  const rest = url.search + url.hash;
  return { html: page + rest, markdown: origin + markdownAddress(page, url.search) + rest };
}

/** Images may come from the web or this site, never from `data:` URLs. */
export function imageDestination(source: string, origin: string): Destination | null {
  const url = URL.parse(source, `${origin}/`);
  if (url === null || !IMAGE_SCHEMES.has(url.protocol)) return null;
  const inner = url.origin === origin;
  return { html: inner ? url.pathname + url.search : url.href, markdown: url.href };
}

function markdownAddress(path: string, search: string): string {
  const isAgentView = path === "/" && search !== "";
  return isAgentView || !isPagePath(path) ? path : markdownPath(path.replace(/(?<=.)\/$/, ""));
}

/** Whether a path leads to a page. A last segment with an extension is a file, such as `/feed.atom`. */
function isPagePath(path: string): boolean {
  const [, first = ""] = path.split("/");
  return !NO_PAGES.has(first) && !/\.[a-z0-9]{1,7}$/i.test(path);
}
