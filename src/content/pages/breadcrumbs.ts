import type { ReadingCopy } from "../library.ts";
import { type Edition, editionPath } from "../site/editions.ts";
import type { ContentType } from "../types/content-type.ts";
import { itemAnchor } from "./lines.ts";
import type { Anchor } from "./view.ts";

/** Limit on the pages in the breadcrumbs, besides the home page. */
const TRAIL_MAX = 5;

/**
 * Breadcrumbs of an item: the pages above its type's list, then that list. If the type has no list,
 * only the pages above the item.
 */
export function buildItemBreadcrumbs(
  reading: ReadingCopy,
  { path }: { path: string },
  { type, edition }: { type: ContentType; edition: Edition },
): Anchor[] {
  if (path === "/") return [];
  const { listPath } = type;
  if (listPath === null) return buildParentPathBreadcrumbs(reading, path, edition);
  return [
    ...buildParentPathBreadcrumbs(reading, listPath, edition),
    { text: type.plural, to: listPath },
  ];
}

/**
 * Breadcrumbs for any path: the home page, then the pages and lists whose paths are parents of the
 * path.
 */
export function buildParentPathBreadcrumbs(
  reading: ReadingCopy,
  path: string,
  edition: Edition,
): Anchor[] {
  const home = { text: edition.texts.frame.home, to: editionPath(edition, "/") };
  return [home, ...pagesAbove(reading, path, edition)];
}

/**
 * The pages and lists at the parent paths. Excludes the home page of an edition, such as `/de`,
 * even if it is an item, because `buildParentPathBreadcrumbs` adds the home page.
 */
function pagesAbove(reading: ReadingCopy, path: string, { prefix, types }: Edition): Anchor[] {
  const inEdition = path.startsWith(`${prefix}/`);
  const first = inEdition ? prefix : "";
  const segments = path.slice(first.length).split("/").slice(1, -1).slice(0, TRAIL_MAX);
  return segments.flatMap((_, at) => {
    const parent = `${first}/${segments.slice(0, at + 1).join("/")}`;
    const answer = reading.resolve(parent);
    if (answer.kind === "item") return [itemAnchor(answer.item)];
    const list = [...types.values()].find(({ listPath }) => listPath === parent);
    return list === undefined ? [] : [{ text: list.plural, to: parent }];
  });
}
