import { deriveSitePath, toFormerSitePath } from "../../content/import/file-path.ts";
import { withoutWww } from "../../content/import/wordpress/wordpress-site.ts";

/**
 * Limit on the segments of an address. Addresses of real sites have fewer. It ends the crawl of a site
 * whose relative links nest without end.
 */
const SEGMENTS_MAX = 20;
const PAGE_ENDING = /\.html?$/i;
/**
 * Matches the names of files that an import reads as settings, redirects or items. Also matches hidden
 * names, such as that of the copy's journal.
 */
const RESERVED_NAME =
  /\.(?:ya?ml|toml|json|jsonl|ndjson)(?:\.gz)?$|(?:^|\/)(?:\.(?!\.?\/)|_redirects$|redirects\.csv(?:$|\/))/i;

/** The part of a site to copy: pages below a folder, and files anywhere on the origin. */
export interface CopyScope {
  origin: string;
  /** Ends with `/`. */
  folder: string;
}

/** The scope of a copy that starts at this address: the address's origin and folder. */
export function createCopyScope(start: string): CopyScope {
  const { origin, pathname } = new URL(start);
  return { origin, folder: pathname.slice(0, pathname.lastIndexOf("/") + 1) };
}

/** Whether an address is on the host of the scope, with or without `www.`, by HTTP or HTTPS. */
export function isSameSite(url: string, { origin }: CopyScope): boolean {
  return withoutWww(new URL(url).host) === withoutWww(new URL(origin).host);
}

/**
 * Replaces the origin of an address with the origin of the scope. For example, `http://www.example.org/a`
 * becomes `https://example.org/a`. Requests are sent to no other origin.
 */
export function replaceUrlOrigin(url: string, { origin }: CopyScope): string {
  const { pathname, search } = new URL(url);
  return origin + pathname + search;
}

export function hasTooManySegments(url: string): boolean {
  return new URL(url).pathname.split("/").length > SEGMENTS_MAX + 1;
}

export function isPageInScope(url: string, { folder }: CopyScope): boolean {
  return new URL(url).pathname.startsWith(folder);
}

/** Returns the same key for all addresses of a page: `/a`, `/a/`, `/a.html` and `/a/index.html`. */
export function pageKey(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + toFormerSitePath(pathname);
}

/** The file of a page, relative to the folder of the copy: `a/index.html` for `/a/`, `a.html` for `/a`. */
export function fileNameOfPage(url: string): string {
  const path = decodedPath(url);
  if (path === "" || path.endsWith("/")) return `${path}index.html`;
  return PAGE_ENDING.test(path) ? path : `${path}.html`;
}

/** The file of an address that is not a page, relative to the folder of the copy. */
export function fileNameOfUrl(url: string): string {
  return decodedPath(url);
}

/** Whether a file of this name has a special meaning for an import, such as `site.yaml`. */
export function isNameReservedByImport(file: string): boolean {
  return RESERVED_NAME.test(file);
}

/** Whether importing the file gives the page its old address, apart from a trailing slash. */
export function isUrlPathPreserved(url: string, file: string): boolean {
  return new URL(url).pathname.replace(/(?<=.)\/$/, "") === deriveSitePath(file);
}

function decodedPath(url: string): string {
  const path = new URL(url).pathname.slice(1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
