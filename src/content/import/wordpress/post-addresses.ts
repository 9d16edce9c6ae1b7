import { AppError } from "../../../errors.ts";
import { requireValidItemPath, slugOf } from "../../addresses/paths.ts";
import type { ContentType, ContentTypes } from "../../types/content-type.ts";
import { removeTrailingSlash } from "../file-path.ts";
import { type WordPressPost, type WordPressSite, withoutWww } from "./wordpress-site.ts";

/**
 * The address of a link relative to the former site's base path; null: the link leads elsewhere.
 */
export function parseFormerSiteAddress(
  link: string,
  { hosts, base, host }: WordPressSite,
): { path: string; query: URLSearchParams; fragment: string } | null {
  if (link === "" || link.startsWith("#")) return null;
  const url = URL.parse(link, `https://${host}${base}/`);
  if (url === null || !/^https?:$/.test(url.protocol) || !hosts.has(withoutWww(url.host))) {
    return null;
  }
  const decoded = decodedPath(url.pathname);
  const path =
    decoded === base || decoded.startsWith(`${base}/`) ? decoded.slice(base.length) : decoded;
  return { path: removeTrailingSlash(path), query: url.searchParams, fragment: url.hash };
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path).normalize("NFC");
  } catch {
    return path;
  }
}

/** The path of a post on the former site; null if its address was a query, as in `/?p=5`. */
export function formerPath({ link }: WordPressPost, site: WordPressSite): string | null {
  const address = parseFormerSiteAddress(link, site);
  return address === null || address.query.size > 0 ? null : address.path;
}

/** Assigns a unique path to each item of an import. */
export class UniquePathAssigner {
  readonly #types: ContentTypes;
  readonly #owners = new Map<string, string>();
  /** The last number that was appended to each path to make it unique. */
  readonly #numbers = new Map<string, number>();

  constructor(types: ContentTypes) {
    this.#types = types;
  }

  /**
   * Returns the first candidate that is valid and free. If none is free, appends a number to the last valid
   * candidate.
   */
  assign(owner: string, type: ContentType, candidates: readonly string[]): string {
    const possible = candidates.filter((path) => isPossible(path, type, this.#types));
    const free = possible.find((path) => !this.#owners.has(path));
    const path = free ?? this.#numbered(possible.at(-1) ?? fallbackPath(owner, type));
    this.#owners.set(path, owner);
    return path;
  }

  #numbered(path: string): string {
    if (!this.#owners.has(path)) return path;
    for (let suffix = (this.#numbers.get(path) ?? 1) + 1; ; suffix += 1) {
      const next = `${path}-${suffix}`;
      this.#numbers.set(path, suffix);
      if (!this.#owners.has(next)) return next;
    }
  }
}

function isPossible(path: string, type: ContentType, types: ContentTypes): boolean {
  try {
    return requireValidItemPath(path, type, types) === path && path.length <= 290;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function fallbackPath(owner: string, { listPath, name }: ContentType): string {
  return `${listPath ?? ""}/${name}-${slugOf(owner)}`;
}

/**
 * Candidate paths for a post, best first: the post's former path if the type allows it, then a path from the
 * slug.
 */
export function listCandidatePaths(
  post: WordPressPost,
  type: ContentType,
  site: WordPressSite,
): string[] {
  const slug = slugOf(post.slug) || slugOf(post.title);
  if (type.listPath !== null) return [`${type.listPath}/${slug}`];
  const former = formerPath(post, site);
  const bare = former?.replace(/(?:\/index)?\.\w{3,5}$/, "") || null;
  // Wiki addresses are used only in cleaned form, because they have characters that slugs lack. A
  // dot in them does not begin a file extension: `/Web_2.0`.
  const isWiki = site.system === "mediawiki";
  const kept = isWiki ? former : bare;
  const cleaned =
    kept === null
      ? null
      : kept
          .split("/")
          .map((segment) => slugOf(segment))
          .join("/");
  const parents = parentsOf(post, site).map(({ slug: each, title }) => slugOf(each || title));
  const fromSlugs = `/${[...parents, slug].filter((each) => each !== "").join("/")}`;
  const asTheyWere = isWiki ? [] : [former, bare];
  return [...asTheyWere, cleaned, fromSlugs, `/${slug}`, `/${slug}-page`].flatMap(
    (path) => path ?? [],
  );
}

const PARENTS_MAX = 10;

function parentsOf(post: WordPressPost, { posts }: WordPressSite): WordPressPost[] {
  const found: WordPressPost[] = [];
  for (let at = posts.get(post.parent); at !== undefined; at = posts.get(at.parent)) {
    if (found.length === PARENTS_MAX || at.type !== post.type) break;
    found.unshift(at);
  }
  return found;
}
