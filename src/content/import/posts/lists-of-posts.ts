import type { Wording } from "../../../errors.ts";
import type { FileWithLanguage } from "../conventions/file-languages.ts";
import type { FolderConventions } from "../conventions/folder-conventions.ts";
import { isHtmlFile } from "../file-path.ts";
import { hasLoopOverPosts, isIndexOfPosts } from "./post-files.ts";

/**
 * Returns the file's path in the site generator's folder (`localFile`), and its path on the site without the
 * language (`sitePath`).
 */
export function resolveLocalAndSitePaths(
  file: string,
  { sitePath, prefix }: FileWithLanguage,
  { fileIn }: FolderConventions,
) {
  return { localFile: fileIn(file), sitePath: sitePath.slice(prefix.length) };
}

/**
 * Whether the site generator showed a list of posts below a text: the text is the index of a folder
 * of posts, or contains a loop over posts.
 */
export function hasListOfPosts(
  body: string,
  { sitePath }: { sitePath: string },
  { generator, posts }: FolderConventions,
): boolean {
  if (generator.posts === undefined || posts === null) return false;
  return isIndexOfPosts(sitePath, generator.posts) || hasLoopOverPosts(body);
}

/**
 * Adds a link to the list of posts, in place of the list that the site generator showed below the
 * text.
 */
export function addLinkToPostList(
  { file, body }: { file: string; body: string },
  { language }: FileWithLanguage,
  { posts }: FolderConventions,
): string {
  const list = posts?.listIn?.(language);
  if (list === undefined) return body;
  const { path, title } = list;
  const link = isHtmlFile(file) ? `<p><a href="${path}">${title}</a></p>` : `[${title}](${path})`;
  return `${body.trimEnd()}\n\n${link}\n`;
}

export const LIST_OF_POSTS_REASON: Wording = {
  en: "is the list of posts, which the site makes here",
  de: "ist die Liste der Beiträge, die hier die Website macht",
};
