import { pageUrl } from "../../content/addresses/addresses.ts";
import { findByAddressOrName } from "../../content/addresses/find-item.ts";
import { pathOfAddress } from "../../content/addresses/site-path.ts";
import type { PublishedItem, ReadingCopy } from "../../content/library.ts";
import { homePage } from "../../content/pages/home-page.ts";
import { itemPage } from "../../content/pages/item-page.ts";
import { listingPage } from "../../content/pages/listing-page.ts";
import type { PageRequest, PageView } from "../../content/pages/view.ts";
import { editionAndUnprefixedPath } from "../../content/site/editions.ts";
import { AppError, englishOnly } from "../../errors.ts";
import type { CallContext } from "../mcp-features.ts";

/** A public page as visitors see it. */
export interface FoundPage {
  view: PageView;
  /** Null for list pages. */
  item: PublishedItem | null;
  /** The requested path, if the page has moved. */
  movedFrom: string | null;
}

/**
 * Reads the page at an address, which may include `?page=`. Follows redirects.
 *
 * @throws {AppError} `not_found`, `gone` or `invalid`, with suggestions of similar addresses.
 */
export function readPageAtAddress(address: string, { reading, origin }: CallContext): FoundPage {
  const request = pageRequest(address);
  const path = pathOfAddress(address, origin);
  const { edition } = editionAndUnprefixedPath(reading, path);
  const type = [...edition.types.values()].find(({ listPath }) => listPath === path);
  if (type !== undefined) {
    const view = listingPage(reading, { type, edition }, request) ?? noSuchPage(origin, path);
    return { view, item: null, movedFrom: null };
  }
  const { item, movedFrom } = findByAddressOrName(reading, address, origin);
  const view = viewOf(reading, item, request) ?? noSuchPage(origin, item.path);
  return { view, item, movedFrom };
}

function viewOf(reading: ReadingCopy, item: PublishedItem, request: PageRequest): PageView | null {
  const { edition, path } = editionAndUnprefixedPath(reading, item.path);
  return path === "/"
    ? homePage(reading, { edition, item }, request)
    : itemPage(reading, item, request);
}

function pageRequest(address: string): PageRequest {
  const query = new URLSearchParams(/\?([^#]*)/.exec(address)?.[1]);
  return { parameter: (name) => query.get(name) ?? undefined };
}

function noSuchPage(origin: string, path: string): never {
  const url = pageUrl(origin, path);
  throw new AppError(
    "not_found",
    englishOnly(`${url} has fewer pages: give its address without ?page=`),
  );
}
