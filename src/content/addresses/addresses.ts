/** Path of the Markdown version of a page: `/topics/time.md`, and `/index.md` for the home page. */
export function markdownPath(path: string): string {
  return path === "/" ? "/index.md" : `${path}.md`;
}

/**
 * The page path of a Markdown path, such as `/` for `/index.md`; null if the path is not a Markdown path. The
 * inverse of {@link markdownPath}.
 */
export function pagePathOfMarkdownPath(path: string): string | null {
  if (path === "/index.md") return "/";
  return path.endsWith(".md") && path.length > 4 ? path.slice(0, -3) : null;
}

/** The absolute, percent-encoded URL of a page; `origin` has no trailing slash. */
export function pageUrl(origin: string, path: string): string {
  return origin + encodeURI(path);
}

/** The absolute URL of the Markdown version of a page. */
export function markdownUrl(origin: string, path: string): string {
  return pageUrl(origin, markdownPath(path));
}

/**
 * The canonical form of a decoded path: NFC, single slashes, no trailing slash. All other forms are
 * redirected.
 */
export function canonicalPath(decoded: string): string {
  return decoded
    .normalize("NFC")
    .replaceAll(/\/{2,}/g, "/")
    .replace(/(?<=.)\/$/, "");
}
