import { isReservedPath, slugOf } from "../addresses/paths.ts";

const INDEX_NAMES: ReadonlySet<string> = new Set(["index", "_index"]);
const MARKDOWN_ENDING = /\.(?:mdx?|markdown)$/i;
/** Matches the extensions of HTML pages, including Nunjucks templates (`.njk`). */
const HTML_ENDING = /\.(?:x?html|htm|njk)$/i;
const TEXT_ENDING = /\.(?:mdx?|markdown|x?html|htm|njk)$/i;
const INDEX_FILES: readonly string[] = [
  ..."index.md _index.md README.md readme.md index.mdx".split(" "),
];
const SAFE_SEGMENT = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._~-]*$/u;
const FILE_NAME = /\.\p{L}[\p{L}\p{N}]{0,4}$/u;
const PATH_SEGMENT = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_~-]*$/u;

export function isMarkdownFile(file: string): boolean {
  return MARKDOWN_ENDING.test(file);
}

export function isHtmlFile(file: string): boolean {
  return HTML_ENDING.test(file);
}

/**
 * Derives the site path of a file from its path in the folder: `help/index.md` → `/help`, `a/b.md` →
 * `/a/b`.
 */
export function deriveSitePath(file: string): string {
  return deriveSitePathInFileSpelling(file).split("/").map(segmentOf).join("/");
}

/**
 * Like {@link deriveSitePath}, but keeps the spelling of names in the file's path: `Our Rules/index.html` → `/Our
 * Rules`.
 */
export function deriveSitePathInFileSpelling(file: string): string {
  const segments = file.replace(TEXT_ENDING, "").split("/");
  if (INDEX_NAMES.has(segments.at(-1)?.toLowerCase() ?? "")) segments.pop();
  return `/${segments.join("/")}`;
}

/** Converts an address from another site generator to a page's path: `/a b/C++.html` → `/a-b/c`. */
export function pagePathFromForeignAddress(address: string): string {
  const segments = decoded(address)
    .split("/")
    .filter((segment) => segment !== "");
  const isUsable = (segment: string) => SAFE_SEGMENT.test(segment) && !FILE_NAME.test(segment);
  return `/${segments.map((part) => (isUsable(part) ? part : slugOf(part))).join("/")}`;
}

/** Adds the prefix `/pages` to a reserved path. Used for pages from other site generators. */
export function avoidReservedPath(path: string): string {
  return isReservedPath(path) ? `/pages${path}` : path;
}

/** A slug from a file's name: `works/Walden.md` → `walden`. */
function slugOfFile(file: string): string {
  const name = file.split("/").at(-1) ?? "";
  return slugOf(name.replace(TEXT_ENDING, ""));
}

/**
 * The site path of an item whose file specifies no path. If the item's type has a list page, the path is
 * below the path of that page (`listPath`).
 */
export function deriveDefaultSitePath(file: string, listPath: string | null): string {
  return listPath === null ? deriveSitePath(file) : `${listPath}/${slugOfFile(file)}`;
}

/**
 * A title made from the name of the file: `code-of-conduct.md` → `Code of conduct`. The title of an index
 * file is made from the name of the folder.
 */
export function titleOfFile(file: string): string {
  const segments = file.replace(TEXT_ENDING, "").split("/");
  const last = segments.pop() ?? "";
  const name = INDEX_NAMES.has(last.toLowerCase()) ? (segments.at(-1) ?? "Home") : last;
  const words = name.replace(/[-_\s]+/g, " ").trim();
  return words === words.toUpperCase() && words.length > 4
    ? words.charAt(0) + words.slice(1).toLowerCase()
    : words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The files that a relative link in `file` may refer to, most likely first; null for other links. A
 * link may name the file, omit its extension, or name the folder of an index file.
 */
export function candidateFilesOfRelativeLink(link: string, file: string): string[] | null {
  if (link === "" || /^(?:[a-z][a-z0-9+.-]*:|\/|#|\?)/i.test(link)) return null;
  const url = URL.parse(link, `file:///${file.split("/").map(encodeURIComponent).join("/")}`);
  if (url === null) return null;
  const target = decoded(url.pathname)
    .replaceAll(/\/{2,}/g, "/")
    .slice(1)
    .replace(/\/$/, "");
  const folder = target === "" ? "" : `${target}/`;
  const name = target.replace(/\.(?:x?html|htm)$/i, "");
  return [target, ...[`${name}.md`, `${name}.mdx`], ...INDEX_FILES.map((index) => folder + index)];
}

/**
 * Renames a file to the index of a folder with the file's name: `a/b.md` → `a/b/index.md`. Other site
 * generators resolve the file's relative links from that folder.
 */
export function toIndexOfNamesakeFolder(file: string): string {
  return /(?:^|\/)_?index\.[a-z]+$/i.test(file)
    ? file
    : `${file.replace(TEXT_ENDING, "")}/index.md`;
}

/** Reduces an address on a former site to its path: `/docs/faq/index.html#top` → `/docs/faq`. */
export function toFormerSitePath(address: string): string {
  const path = decoded(address.replace(/[?#].*$/s, ""));
  return removeTrailingSlash(path.replace(/(?:\/index)?\.(?:x?html|htm)$/i, ""));
}

/** Removes trailing slashes: `/about/` → `/about`. The home page stays `/`. */
export function removeTrailingSlash(path: string): string {
  // The lookbehind keeps the time linear even with thousands of slashes.
  return path.replace(/(?<!\/)\/+$/, "") || "/";
}

/** Folders whose files site generators serve from the root of the site. */
const SERVED_FOLDERS: readonly string[] = ["", "static/", "public/", "assets/", "src/"];

/**
 * The files that a link in `file` may refer to, most likely first. The link must include the file extension.
 * A relative link is resolved from `file` and, in folders of other site generators, also from the root of the
 * site. Empty for external links.
 */
export function candidateFilesOfLink(
  link: string,
  file: string,
  filesAt?: (path: string) => readonly string[],
): string[] {
  const [target] = candidateFilesOfRelativeLink(link, file) ?? [];
  const isFromRoot = link.startsWith("/") && !link.startsWith("//");
  const path = URL.parse(link, "file:///")?.pathname.slice(1) ?? "";
  const served = SERVED_FOLDERS.map((folder) => folder + decoded(path)).flatMap(
    (place) => filesAt?.(place) ?? [place],
  );
  const fallback = filesAt === undefined || target === undefined ? [] : served;
  const named = isFromRoot ? served : [target ?? "", ...fallback];
  return named.filter((name) => name !== "" && name.split("/").every((part) => !isHidden(part)));
}

function isHidden(part: string): boolean {
  return part.startsWith(".");
}

function segmentOf(segment: string): string {
  return PATH_SEGMENT.test(segment) ? segment : slugOf(segment);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether a file is a table, judged by its extension. Excel saves tab-separated tables as `.txt`. */
export function isTableFile(path: string): boolean {
  return /\.(?:csv|tsv|tab|txt|xlsx|xlsm)$/i.test(path);
}
