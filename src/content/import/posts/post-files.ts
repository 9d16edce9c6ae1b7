import { dayInZone } from "../../site/time-zone.ts";
import type { ContentType } from "../../types/content-type.ts";
import { isHtmlFile } from "../file-path.ts";
import { LAST_CHANGE_KEY } from "../parsing/last-change.ts";
import type { PostFolders } from "./post-folders.ts";
import type { FindPostList } from "./post-list.ts";
import { UPDATED_FIELD_NAME } from "./post-type.ts";

/** The options for importing the posts of a folder. */
export interface PostImportOptions {
  /** The name of the content type that posts get. */
  type: string;
  /**
   * Maps the file of a post to the type to use instead of `type`. Needed if an item of that type is already
   * at the post's path.
   */
  otherTypes: Map<string, string>;
  /** Finds the page that lists the posts in a language; null until the post type is declared. */
  listIn: FindPostList | null;
}

/** Facts about a post from another site generator. */
export interface ForeignPost {
  type: string;
  /** The folder whose page lists the post on the former site; null: there is none. */
  folder: string | null;
  /** The day of publication, such as `2024-02-01`. */
  day: string;
  /** The date of the post's last change; null: not specified. */
  updated: string | null;
}

/** The dates of a post, as values for the fields of its type. */
export function buildPostDateFields(
  { day, updated }: ForeignPost,
  { dated, fields }: Pick<ContentType, "dated" | "fields">,
  raw: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const dateField = dated?.by ?? "date";
  const isFree = dateField === "date" || !Object.hasOwn(raw, dateField);
  const takesDay = isFree && fields[dateField]?.kind === "date";
  const takesUpdated = updated !== null && fields[UPDATED_FIELD_NAME]?.kind === "date";
  return {
    ...(takesDay ? { [dateField]: day } : {}),
    ...(takesUpdated ? { [UPDATED_FIELD_NAME]: updated } : {}),
  };
}

interface PostFile {
  /** The file's path in the import folder. */
  file: string;
  /** The file's path in the site generator's folder. */
  localFile: string;
  /** The file's path on the site, without its language. */
  sitePath: string;
  timeZone: string;
}

/** The post in a file; null: the file is a page, because it has no date or is not in a folder of posts. */
export function extractPost(
  { file, localFile, sitePath, timeZone }: PostFile,
  values: Readonly<Record<string, unknown>>,
  { folders, choice }: { folders: PostFolders | undefined; choice: PostImportOptions | null },
): ForeignPost | null {
  if (folders === undefined || choice === null || !isPostFile({ localFile, sitePath }, folders))
    return null;
  const day = dayOf(values["date"], timeZone);
  if (day === null || isIndexOfPosts(sitePath, folders)) return null;
  const type = choice.otherTypes.get(file) ?? choice.type;
  const changed = type === choice.type ? values[LAST_CHANGE_KEY] : undefined;
  const updated = typeof changed === "string" ? dayOfChange(changed, timeZone) : null;
  return { type, folder: folders.sitePaths?.exec(sitePath)?.[1] ?? null, day, updated };
}

/** Whether a file is a post, judged by its path in the folder or on the site. */
export function isPostFile(
  { localFile, sitePath }: Pick<PostFile, "localFile" | "sitePath">,
  { files, sitePaths }: PostFolders,
): boolean {
  return files?.test(localFile) === true || sitePaths?.test(sitePath) === true;
}

const INDEX_FILE = /^(?:(.*)\/)?(?:_?index|readme)\.\w+$/i;

/**
 * Whether a file is the index page of a folder of posts. False for the index file of a single post's own
 * folder.
 */
export function isIndexOfPosts(sitePath: string, { sitePaths }: PostFolders): boolean {
  if (/(?:^|\/)_index\.\w+$/i.test(sitePath)) return sitePaths?.test(sitePath) === true;
  const folder = INDEX_FILE.exec(sitePath)?.[1];
  return folder !== undefined && sitePaths?.exec(sitePath)?.[1] === folder;
}

/** The date at the start of a file name, as in `posts/2024-02-01-spring.md`. */
export function parseDayInFileName(file: string): string | null {
  return /(?:^|\/)(\d{4}-\d{2}-\d{2})[-_][^/]+(?:\/index\.\w+)?$/.exec(file)?.[1] ?? null;
}

function dayOf(date: unknown, timeZone: string): string | null {
  const text = date instanceof Date ? dayInZone(timeZone, date.toISOString()) : String(date ?? "");
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text.trim())?.[0];
  return day === undefined || Number.isNaN(Date.parse(day)) ? null : day;
}

/**
 * The day of a change in the site's time zone.
 * @param changed a day or a time in ISO 8601. A time without an offset is already in the site's time zone.
 */
function dayOfChange(changed: string, timeZone: string): string {
  const hasOffset = /(?:Z|[+-]\d{2}:\d{2})$/.test(changed);
  return hasOffset ? dayInZone(timeZone, new Date(changed).toISOString()) : changed.slice(0, 10);
}

/** A loop over posts in templates of Jekyll and Eleventy. */
const LOOP_OVER_POSTS =
  /\{%-?\s{0,20}for\s+\w+\s+in\s+(?:site\.posts|paginator\.posts|site\.categories|pagination\.items|collections\.(?:posts?|blog|news|articles?|all))\b/i;

/** Whether a text lists posts with a loop. */
export function hasLoopOverPosts(body: string): boolean {
  return LOOP_OVER_POSTS.test(body);
}

/** Whether a text has neither words nor pictures. */
export function isBlankBody(body: string, file: string): boolean {
  const bare = isHtmlFile(file) ? body.replaceAll(/<(?!img\b)[^<>]*>/g, "") : body;
  return !/[\p{L}\p{N}]/u.test(bare);
}
