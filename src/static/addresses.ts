import { markdownPath } from "../content/addresses/addresses.ts";
import { CALENDAR_FILE, EVENT_CALENDAR_FILE } from "../content/addresses/paths.ts";
import type { PublishedIndexEntry, ReadingCopy } from "../content/library.ts";
import { isDated } from "../content/lists/dated-lists.ts";
import { sectionsInEdition } from "../content/lists/sections.ts";
import type { MediaFile } from "../content/media/media.ts";
import { mediaFilePath } from "../content/media/media-kinds.ts";
import { pictureSizePath, RESIZED_FORMATS, resizedWidths } from "../content/media/picture-sizes.ts";
import { buildShareCard } from "../content/media/share-card.ts";
import { sharePicturePath } from "../content/media/share-pictures.ts";
import { BUILT_IN_PAGES } from "../content/pages/built-in/built-in-pages.ts";
import { findPage } from "../content/pages/find-page.ts";
import { NO_PARAMETERS } from "../content/pages/paging.ts";
import { editionForItemLanguage, editionPath, editionsOf } from "../content/site/editions.ts";
import type { ContentType } from "../content/types/content-type.ts";
import { isEventType } from "../content/types/date-fields.ts";
import { DISCOVERY_DOCUMENTS, findDocument } from "../discovery/documents.ts";
import { feedPaths, hasItemFeeds } from "../discovery/feeds.ts";
import { llmsSectionPath } from "../discovery/llms-section.ts";
import { styleSheet } from "../render/looks/style-sheet.ts";
import { SERVER_ONLY_DOCUMENTS } from "./removals.ts";

/**
 * Decoded paths of every page of a static site: first the fixed pages, then the items in the order of the
 * index.
 */
export function* pagePaths(reading: ReadingCopy): Generator<string> {
  const paths = new Set<string>();
  for (const edition of editionsOf(reading)) {
    paths.add(editionPath(edition, "/"));
    for (const { listPath } of sectionsInEdition(reading, edition)) paths.add(listPath);
    for (const { path, isLinkable } of BUILT_IN_PAGES) {
      if (isLinkable) paths.add(editionPath(edition, path));
    }
  }
  yield* paths;
  for (const { path } of reading.index()) if (!paths.has(path)) yield path;
}

/**
 * A numbered page of a list. `parameter` is the query parameter with the number: `page` in `?page=2`, or
 * `works` in `?works=2` for another list on the same page.
 */
export interface NumberedPage {
  parameter: string;
  page: number;
}

export const FIRST_PAGE: NumberedPage = { parameter: "page", page: 1 };

/**
 * The page at a path and the further pages of all its lists; empty if the path has no page.
 */
export async function listNumberedPages(
  reading: ReadingCopy,
  path: string,
): Promise<NumberedPage[]> {
  const found = await findPage(reading, path, NO_PARAMETERS);
  if (found.kind !== "page") return [];
  const further = found.view.blocks.flatMap((block) => {
    if (block.kind !== "paging") return [];
    const { next, pages } = block.paging;
    const [parameter = ""] = new URLSearchParams(next?.split("?")[1]).keys();
    return Array.from({ length: pages - 1 }, (_, at) => ({ parameter, page: at + 2 }));
  });
  return [FIRST_PAGE, ...further];
}

/** Paths of discovery documents and feeds. Some of them may not exist. */
export function* documentPaths(reading: ReadingCopy): Generator<string> {
  for (const { name, paths } of DISCOVERY_DOCUMENTS) {
    if (!SERVER_ONLY_DOCUMENTS.has(name)) yield* paths.filter((path) => !path.includes(":"));
  }
  const types = [...reading.types().values()].filter((type) => countOf(reading, type) > 0);
  yield* types.map(llmsSectionPath);
  for (const edition of editionsOf(reading)) {
    if (edition.prefix !== "") yield* Object.values(feedPaths(edition.prefix));
    for (const { type, listPath } of sectionsInEdition(reading, edition)) {
      if (isDated(type)) yield* Object.values(feedPaths(listPath));
      if (isEvent(type)) yield `${listPath}/${CALENDAR_FILE}`;
    }
  }
  for (const type of types) yield* itemDocumentPaths(reading, type);
}

function* itemDocumentPaths(reading: ReadingCopy, type: ContentType): Generator<string> {
  const isFollowed = hasItemFeeds(reading, type);
  if (!isFollowed && !isEvent(type)) return;
  for (const { path } of reading.index({ type: type.name })) {
    const feeds = isFollowed ? Object.values(feedPaths(path)) : [];
    const entry = isEvent(type) ? [`${path}/${EVENT_CALENDAR_FILE}`] : [];
    yield* [...feeds, ...entry].filter((each) => findDocument(each) !== null);
  }
}

/**
 * For each document that is split into numbered parts, a function that returns the path of a part. To list
 * the parts, count from 1 until no document has the path.
 */
export function documentPartPathBuilders(reading: ReadingCopy): ((part: number) => string)[] {
  const types = [...reading.types().values()].filter((type) => countOf(reading, type) > 0);
  return [
    (part) => `/sitemap-${part}.xml`,
    ...types.map(
      (type) => (part: number) => llmsSectionPath(type).replace(/\.txt$/, `-${part}.txt`),
    ),
  ];
}

/** The style sheet, its fonts and the icon. */
export function assetPaths(reading: ReadingCopy): string[] {
  const { css, path } = styleSheet(reading.site().look);
  const fonts = css.matchAll(/\/assets\/fonts\/[\w.-]+/g);
  return [path, "/favicon.svg", ...new Set(Array.from(fonts, ([font]) => font))];
}

/**
 * The address of an entry's picture for link previews; null if the entry has been withdrawn
 * meanwhile.
 */
export function sharePicturePathOfEntry(
  reading: ReadingCopy,
  entry: PublishedIndexEntry,
): string | null {
  const item = reading.itemOf(entry);
  if (item === null) return null;
  return sharePicturePath(
    buildShareCard(item, editionForItemLanguage(reading, item.language)),
    item.path,
  );
}

/** Paths of a file and its smaller versions; empty if no public page shows the file. */
export function mediaFilePaths(reading: ReadingCopy, medium: MediaFile): string[] {
  if (reading.medium(medium.id) === null) return [];
  const sizes = resizedWidths(medium).flatMap((width) =>
    RESIZED_FORMATS.map((format) => pictureSizePath(medium.id, { width, format })),
  );
  return [mediaFilePath(medium), ...sizes];
}

/** Path of a page's file in the web root: `topics/time.html`, `topics/time/page-2.md`. */
export function pageFilePath(
  path: string,
  { parameter, page }: NumberedPage,
  ending: "html" | "md",
): string {
  const markdown = page === 1 ? markdownPath(path) : `${path}/${parameter}-${page}.md`;
  return markdown.slice(1, -"md".length) + ending;
}

function isEvent(type: ContentType): boolean {
  return isDated(type) && isEventType(type);
}

function countOf(reading: ReadingCopy, { name }: ContentType): number {
  return reading.counts()[name] ?? 0;
}
