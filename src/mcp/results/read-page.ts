import { pageUrl } from "../../content/addresses/addresses.ts";
import {
  findItemByAddressOrName,
  isAddress,
  resolveAddress,
} from "../../content/addresses/find-item.ts";
import { isServicePage } from "../../content/addresses/paths.ts";
import type { PublishedItem, ReadingCopy } from "../../content/library.ts";
import { pageAt } from "../../content/pages/find-page.ts";
import { NO_PARAMETERS } from "../../content/pages/paging.ts";
import type { PageRequest, PageView } from "../../content/pages/view.ts";
import { splitEditionPrefix } from "../../content/site/editions.ts";
import { dayInZone } from "../../content/site/time-zone.ts";
import { AppError, englishOnlyWording } from "../../errors.ts";
import type { CallContext } from "../mcp-features.ts";

/** A public page as visitors see it. */
export interface FoundPage {
  view: PageView;
  /** Null for pages that are not items, such as lists. */
  item: PublishedItem | null;
  /** The requested URL, if the page has moved. */
  movedFrom: string | null;
}

/**
 * Reads the page at an address, which may include `?page=`. Follows redirects.
 *
 * @throws {AppError} `not_found`, `gone` or `invalid`, with suggestions of similar addresses.
 */
export function readPageAtAddress(
  address: string,
  { reading, origin, now }: CallContext,
): FoundPage {
  const { path, query, url, found } = resolveAddress(reading, address, origin);
  const request: PageRequest = {
    parameter: (name) => query.get(name) ?? undefined,
    today: () => dayInZone(reading.site().timeZone, now.toISOString()),
  };
  const movedTo = found.kind === "moved" && isAddress(address) ? found.to : null;
  if (found.kind !== "item") {
    const view = pageWithoutItem(movedTo ?? path, request, { reading, origin });
    if (view !== null) return { view, item: null, movedFrom: movedTo === null ? null : url };
  }
  const { item, movedFrom } = findItemByAddressOrName(reading, address, origin);
  const view = pageAt(reading, { path: item.path, item }, request) ?? noSuchPage(origin, item.path);
  return { view, item, movedFrom: movedFrom === null ? null : url };
}

/**
 * The page at a path if it is not an item's, such as a list; null if there is none.
 *
 * @throws {AppError} `not_found` if the page has fewer pages than requested; `invalid` for the
 * search page.
 */
function pageWithoutItem(
  path: string,
  request: PageRequest,
  { reading, origin }: { reading: ReadingCopy; origin: string },
): PageView | null {
  if (reading.resolve(path).kind === "item") return null;
  if (isServicePage(splitEditionPrefix(reading, path).path)) {
    const message = `${pageUrl(origin, path)} is the search page: call search_content, or list_content with filters`;
    throw new AppError("invalid", englishOnlyWording(message));
  }
  const view = pageAt(reading, { path, item: null }, request);
  if (view !== null) return view;
  return pageAt(reading, { path, item: null }, NO_PARAMETERS) === null
    ? null
    : noSuchPage(origin, path);
}

function noSuchPage(origin: string, path: string): never {
  const url = pageUrl(origin, path);
  throw new AppError(
    "not_found",
    englishOnlyWording(`${url} has fewer pages: give its address without ?page=`),
  );
}
