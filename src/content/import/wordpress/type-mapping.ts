import type { ContentTypes } from "../../types/content-type.ts";
import { NEWS_TYPE, postTypeChoices, postTypeIn } from "../posts/post-type.ts";
import type { TypeMapping } from "./post-outcomes.ts";
import type { WordPressSite } from "./wordpress-site.ts";

/**
 * Maps types of posts to types here: as given (`post=news`), otherwise pages to pages, posts to the
 * type for posts, and others to the type of the same name.
 *
 * @param pairs pairs of a type of posts and a type here.
 * @throws {AppError} `invalid` for a pair that names no type.
 */
export function mappingOf(
  site: WordPressSite,
  types: ContentTypes,
  pairs: readonly string[],
): { mapping: TypeMapping; needsNews: boolean } {
  const found = new Set([...site.posts.values()].map(({ type }) => type));
  const mapping = new Map<string, string>();
  for (const name of found) if (types.has(name) && name !== "post") mapping.set(name, name);
  mapping.set("page", "page");
  mapping.set("post", postTypeIn(types)?.name ?? NEWS_TYPE.name);
  for (const [from, to] of postTypeChoices(pairs, types)) mapping.set(from, to);
  return { mapping, needsNews: found.has("post") && !types.has(mapping.get("post") ?? "") };
}
