import type { ContentTypes } from "../../types/content-type.ts";
import { contentTypeForPosts, NEWS_TYPE, parsePostTypeChoices } from "../posts/post-type.ts";
import type { PostTypeMapping } from "./post-outcomes.ts";
import type { WordPressSite } from "./wordpress-site.ts";

/**
 * Maps WordPress post types to content types. By default, pages become pages, posts become items of
 * the type for posts, and posts of another type become items of the content type with the same
 * name.
 *
 * @param pairs the user's choices, such as `post=news`.
 * @throws {AppError} `invalid` for a pair that names no content type.
 */
export function mapPostTypes(
  site: WordPressSite,
  types: ContentTypes,
  pairs: readonly string[],
): { mapping: PostTypeMapping; needsNews: boolean } {
  const found = new Set([...site.posts.values()].map(({ type }) => type));
  const mapping = new Map<string, string>();
  for (const name of found) if (types.has(name) && name !== "post") mapping.set(name, name);
  mapping.set("page", "page");
  mapping.set("post", contentTypeForPosts(types)?.name ?? NEWS_TYPE.name);
  for (const [from, to] of parsePostTypeChoices(pairs, types)) mapping.set(from, to);
  return { mapping, needsNews: found.has("post") && !types.has(mapping.get("post") ?? "") };
}
