import { canonicalPath, pagePathOfMarkdownPath } from "../content/addresses/addresses.ts";
import { isReservedPath, isServicePage } from "../content/addresses/paths.ts";
import type { ReadingCopy } from "../content/library.ts";
import { mediaKindOf, parseMediaFileName } from "../content/media/media-kinds.ts";
import { parseSizeFileName } from "../content/media/picture-sizes.ts";
import { findPage } from "../content/pages/find-page.ts";
import { NO_SUCH_FILE, NO_SUCH_PAGE } from "./link-errors.ts";

const MEDIA_FOLDER = "/media/";
const PATH_CHARACTERS_MAX = 300;

/**
 * The possible targets of links to this site: the pages of the reading copy, and documents such as
 * `/sitemap.xml`.
 */
export interface InternalLinkTargets {
  reading: ReadingCopy;
  /** Whether the site answers a path with something other than a page, such as `/sitemap.xml`. */
  hasDocument(path: string): boolean;
}

/** The path that a link to this site leads to; null if it cannot be looked up. */
export function parseInternalPath(target: string): string | null {
  const path = decoded(target.replace(/[?#].*$/u, ""));
  if (path === null || path.length > PATH_CHARACTERS_MAX || /\p{Cc}/u.test(path)) return null;
  if (path.startsWith(MEDIA_FOLDER) || isServicePage(path)) return path;
  return isReservedPath(pageOf(path)) ? null : path;
}

/** Looks up a path of this site. @returns the fault; null: the site answers the path. */
export async function findInternalPathError(
  path: string,
  { reading, hasDocument }: InternalLinkTargets,
  today: string,
): Promise<string | null> {
  if (path.startsWith(MEDIA_FOLDER)) {
    return isPublicFile(path.slice(MEDIA_FOLDER.length), reading) ? null : NO_SUCH_FILE.en;
  }
  if (hasDocument(path)) return null;
  const answer = await findPage(reading, pageOf(path), {
    parameter: () => undefined,
    today: () => today,
  });
  return answer.kind === "missing" ? NO_SUCH_PAGE.en : null;
}

function pageOf(path: string): string {
  return pagePathOfMarkdownPath(path) ?? path;
}

export function isPublicFile(name: string, reading: ReadingCopy): boolean {
  const size = parseSizeFileName(name);
  if (size !== null) return reading.medium(size.id) !== null;
  const file = parseMediaFileName(name);
  const medium = file === null ? null : reading.medium(file.id);
  return medium !== null && file?.kind === mediaKindOf(medium.type);
}

function decoded(path: string): string | null {
  try {
    return canonicalPath(decodeURIComponent(path));
  } catch {
    return null;
  }
}
