import { resolvePathByRedirectPattern } from "../addresses/covering-pattern.ts";
import { isServicePage, type ServicePage } from "../addresses/paths.ts";
import type { PathResolution, PublishedItem, ReadingCopy } from "../library.ts";
import { type Edition, pathInEditionLanguage, splitEditionPrefix } from "../site/editions.ts";
import { buildBuiltInPageAt } from "./built-in/built-in-pages.ts";
import { isContactPage, withContactForms } from "./built-in/contact-page.ts";
import { CONTACT_PATH } from "./contact-forms.ts";
import { buildHomePage } from "./home-page.ts";
import { buildItemPage } from "./item-page.ts";
import { buildListingPage } from "./listing-page.ts";
import { buildMissingPage, type MissingPath } from "./missing-page.ts";
import { NO_PARAMETERS, pageAddress, parsePageNumber } from "./paging.ts";
import { buildSearchPage } from "./search-page.ts";
import { suggestItemsForMissingPath } from "./suggestions.ts";
import type { PageRequest, PageView } from "./view.ts";

/** The answer for a canonical path. */
export type PageLookup =
  | { kind: "page"; view: PageView }
  | { kind: "moved"; to: string }
  /** The path redirects to another site. */
  | { kind: "elsewhere"; url: string }
  /** `view` builds the page of the response, which suggests similar pages. */
  | { kind: "missing"; status: 404 | 410; view: () => Promise<PageView> };

type ServicePageView = (
  reading: ReadingCopy,
  edition: Edition,
  request: PageRequest,
) => PageView | Promise<PageView>;

const SERVICE_PAGE_VIEWS: Readonly<Record<ServicePage, ServicePageView>> = {
  "/search": buildSearchPage,
};

/** Finds the page at a path: an item, a type's list, the home page, a page of the service, or none. */
export async function findPage(
  reading: ReadingCopy,
  path: string,
  request: PageRequest,
): Promise<PageLookup> {
  const { edition, path: localPath } = splitEditionPrefix(reading, path);
  if (isServicePage(localPath)) {
    const view = await SERVICE_PAGE_VIEWS[localPath](reading, edition, request);
    return { kind: "page", view };
  }
  const found = reading.resolve(path);
  if (found.kind === "moved" || found.kind === "elsewhere") return found;
  const translated =
    localPath === CONTACT_PATH && pathInEditionLanguage(reading, edition, CONTACT_PATH);
  if (found.kind === "absent" && typeof translated === "string") {
    return { kind: "moved", to: translated };
  }
  const builtIn =
    found.kind === "item" ? null : buildBuiltInPageAt(reading, { edition, localPath }, request);
  if (builtIn !== null) return { kind: "page", view: builtIn };
  if (found.kind === "gone") {
    return missingResponse(reading, { status: 410, path, goneTitle: found.title });
  }
  const item = found.kind === "item" ? found.item : null;
  const view = viewAt(reading, { path, localPath, edition, item }, request);
  if (view !== null) return { kind: "page", view };
  const hasPages =
    item !== null || buildBuiltInPageAt(reading, { edition, localPath }, NO_PARAMETERS) !== null;
  const covered: PathResolution = hasPages
    ? { kind: "absent" }
    : resolvePathByRedirectPattern(reading, path);
  switch (covered.kind) {
    case "moved":
    case "elsewhere":
      return covered;
    case "gone":
      return missingResponse(reading, { status: 410, path, goneTitle: covered.title });
    default: {
      const page = parsePageNumber(request.parameter("page"));
      return missingResponse(reading, { status: 404, path, query: pageAddress("", page) });
    }
  }
}

/** The page at a path that does not redirect: the item's, or without one the site's own; null if there is none. */
export function pageAt(
  reading: ReadingCopy,
  { path, item }: { path: string; item: PublishedItem | null },
  request: PageRequest,
): PageView | null {
  const { edition, path: localPath } = splitEditionPrefix(reading, path);
  const builtIn =
    item === null ? buildBuiltInPageAt(reading, { edition, localPath }, request) : null;
  return builtIn ?? viewAt(reading, { path, localPath, edition, item }, request);
}

function viewAt(
  reading: ReadingCopy,
  {
    path,
    localPath,
    edition,
    item,
  }: { path: string; localPath: string; edition: Edition; item: PublishedItem | null },
  request: PageRequest,
): PageView | null {
  if (localPath === "/") return buildHomePage(reading, { edition, item }, request);
  if (item !== null) {
    const view = buildItemPage(reading, item, request);
    return view !== null && isContactPage(view, reading) ? withContactForms(view, reading) : view;
  }
  const listedType = [...edition.types.values()].find(({ listPath }) => listPath === path);
  return listedType === undefined
    ? null
    : buildListingPage(reading, { type: listedType, edition }, request);
}

function missingResponse(reading: ReadingCopy, page: MissingPath): PageLookup {
  const { status, path } = page;
  const view = async () =>
    buildMissingPage(reading, page, await suggestItemsForMissingPath(reading, path));
  return { kind: "missing", status, view };
}
