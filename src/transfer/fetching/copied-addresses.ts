import { pathOfFile, sitePathOf } from "../../content/import/file-path.ts";

/**
 * Real sites have no addresses with more segments. The limit ends the crawl of a site whose
 * relative links nest without end.
 */
const SEGMENTS_MAX = 20;
const PAGE_ENDING = /\.html?$/i;

/** The part of a site to copy: pages below a folder, and files anywhere on the origin. */
export interface CopyScope {
  origin: string;
  /** Ends with `/`. */
  folder: string;
}

/** The scope for a copy that starts at an address: its folder. */
export function scopeOf(start: string): CopyScope {
  const { origin, pathname } = new URL(start);
  return { origin, folder: pathname.slice(0, pathname.lastIndexOf("/") + 1) };
}

export function isPageInScope(url: string, { origin, folder }: CopyScope): boolean {
  const { pathname, search } = new URL(url);
  return isFileInScope(url, { origin, folder }) && search === "" && pathname.startsWith(folder);
}

export function isFileInScope(url: string, { origin }: CopyScope): boolean {
  const address = new URL(url);
  return address.origin === origin && address.pathname.split("/").length <= SEGMENTS_MAX + 1;
}

/** A key that is equal for addresses of the same page: `/a`, `/a/`, `/a.html` and `/a/index.html`. */
export function pageKey(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + sitePathOf(pathname);
}

/** The file of a page, relative to the folder of the copy: `a/index.html` for `/a/`, `a.html` for `/a`. */
export function fileOfPage(url: string): string {
  const path = decodedPath(url);
  if (path === "" || path.endsWith("/")) return `${path}index.html`;
  return PAGE_ENDING.test(path) ? path : `${path}.html`;
}

/** The file of an address that is not a page, relative to the folder of the copy. */
export function fileOfAddress(url: string): string {
  return decodedPath(url);
}

/** Whether importing the file gives the page its old address, apart from a trailing slash. */
export function keepsAddress(url: string, file: string): boolean {
  return new URL(url).pathname.replace(/(?<=.)\/$/, "") === pathOfFile(file);
}

function decodedPath(url: string): string {
  const path = new URL(url).pathname.slice(1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
