/** Address of the Markdown form of a page: `/topics/time.md`, and `/index.md` for the home page. */
export function markdownPath(path: string): string {
  return path === "/" ? "/index.md" : `${path}.md`;
}

/** The page a Markdown address belongs to: `/` for `/index.md`; null when it is not one. */
export function pageOfMarkdownPath(path: string): string | null {
  if (path === "/index.md") return "/";
  return path.endsWith(".md") && path.length > 4 ? path.slice(0, -3) : null;
}

/** The absolute, percent-encoded address of a page; `origin` has no trailing slash. */
export function pageUrl(origin: string, path: string): string {
  return origin + encodeURI(path);
}

/** The absolute address of a page's Markdown form. */
export function markdownUrl(origin: string, path: string): string {
  return pageUrl(origin, markdownPath(path));
}
