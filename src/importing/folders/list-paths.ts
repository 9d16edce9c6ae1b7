import { isReservedPath, removeLanguagePrefix } from "../../content/addresses/paths.ts";
import { toFormerSitePath } from "../../content/import/file-path.ts";
import type { FindPostList } from "../../content/import/posts/post-list.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import type { SurveyedSource } from "./survey-items.ts";

const LIST_PATHS: readonly string[] = ["/news", "/posts", "/blog", "/articles"];

/**
 * Returns a free path for the list of posts. No page and no other list has this path. No page is below this
 * path, because only posts may be there.
 */
export async function findFreeListPath(
  surveyed: readonly SurveyedSource[],
  pagesOfSite: AsyncIterable<{ path: string }>,
  types: ContentTypes,
): Promise<string> {
  const takenPaths = new Set([...types.values()].map(({ listPath }) => listPath));
  const add = (path: string) =>
    takenPaths.add(/^\/[^/]+/.exec(removeLanguagePrefix(path))?.[0] ?? path);
  for (const { survey } of surveyed) {
    for (const [file, path] of survey.paths) {
      takenPaths.add(path);
      if (!survey.posts.files.has(file)) add(path);
    }
  }
  for await (const { path } of pagesOfSite) add(path);
  for (let suffix = 2; ; suffix += 1) {
    const free = [...LIST_PATHS, `/posts-${suffix}`].find((path) => !takenPaths.has(path));
    if (free !== undefined) return free;
  }
}

/**
 * Maps the addresses of former lists and feeds to the addresses that replace them. Omits former
 * addresses that pages or the service use.
 */
export function mapFormerListAddresses(
  { survey: { posts, owners } }: Pick<SurveyedSource, "survey">,
  listIn: FindPostList,
  { types, isDocument }: { types: ContentTypes; isDocument: (path: string) => boolean },
): Map<string, string> {
  const lists = new Set([...types.values()].map(({ listPath }) => listPath));
  const isFree = (from: string) => {
    const path = toFormerSitePath(from.replace(/\/\*$/, ""));
    if (path === "/" || isReservedPath(path) || owners.has(path) || isDocument(from)) return false;
    return from.endsWith("/*") || !lists.has(removeLanguagePrefix(path));
  };
  const found = new Map<string, string>();
  for (const [from, language] of posts.lists) {
    const { path } = listIn(language);
    if (isFree(from) && from !== path)
      found.set(from, from.endsWith(".xml") ? `${path}/feed.atom` : path);
  }
  return found;
}
