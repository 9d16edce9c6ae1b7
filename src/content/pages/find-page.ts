import { resolvePathByRedirectPattern } from "../addresses/covering-pattern.ts";
import { isServicePage, type ServicePage } from "../addresses/paths.ts";
import type { PathResolution, PublishedItem, ReadingCopy } from "../library.ts";
import { type Edition, editionAndUnprefixedPath, pathInEditionLanguage } from "../site/editions.ts";
import { CONTACT_PATH } from "./contact-forms.ts";
import { contactPage, isContactPage, withContactForms } from "./contact-page.ts";
import { homePage } from "./home-page.ts";
import { itemPage } from "./item-page.ts";
import { listingPage } from "./listing-page.ts";
import { type MissingPath, missingPage } from "./missing-page.ts";
import { pageAddress, readPageNumber } from "./paging.ts";
import { PREVIEW_PATH, previewPage } from "./preview-page.ts";
import { VERIFICATION_PATH } from "./quotations/seals.ts";
import { verificationPage } from "./quotations/verification-page.ts";
import { searchPage } from "./search-page.ts";
import { suggestionsForMissingPath } from "./suggestions.ts";
import { TIMELINE_PATH, timelinePage } from "./timeline/timeline-page.ts";
import type { PageRequest, PageView } from "./view.ts";

/** The answer for a canonical path. */
export type PageAnswer =
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
  "/search": searchPage,
};

/** Finds the page at a path: an item, a type's list, the home page, a page of the service, or none. */
export async function findPage(
  reading: ReadingCopy,
  path: string,
  request: PageRequest,
): Promise<PageAnswer> {
  const { edition, path: localPath } = editionAndUnprefixedPath(reading, path);
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
    found.kind === "item" ? null : replaceablePage(reading, { edition, localPath }, request);
  if (builtIn !== null) return { kind: "page", view: builtIn };
  if (found.kind === "gone") {
    return missingAnswer(reading, { status: 410, path, goneTitle: found.title });
  }
  const item = found.kind === "item" ? found.item : null;
  const view = viewAt(reading, { path, localPath, edition, item }, request);
  if (view !== null) return { kind: "page", view };
  const hasPages =
    item !== null || replaceablePage(reading, { edition, localPath }, FIRST_PAGE) !== null;
  const covered: PathResolution = hasPages
    ? { kind: "absent" }
    : resolvePathByRedirectPattern(reading, path);
  switch (covered.kind) {
    case "moved":
    case "elsewhere":
      return covered;
    case "gone":
      return missingAnswer(reading, { status: 410, path, goneTitle: covered.title });
    default: {
      const page = readPageNumber(request.parameter("page"));
      return missingAnswer(reading, { status: 404, path, query: pageAddress("", page) });
    }
  }
}

const FIRST_PAGE: PageRequest = { parameter: () => undefined };

/** A built-in page, shown only if no published item has its path. */
function replaceablePage(
  reading: ReadingCopy,
  { edition, localPath }: { edition: Edition; localPath: string },
  request: PageRequest,
): PageView | null {
  if (localPath === TIMELINE_PATH) return timelinePage(reading, edition, request);
  if (localPath === VERIFICATION_PATH) return verificationPage(reading, edition);
  if (localPath === PREVIEW_PATH) return previewPage(edition);
  return contactPage(reading, edition, localPath);
}

/** The page at a path that does not redirect: the item's, or without one the site's own; null if there is none. */
export function pageAt(
  reading: ReadingCopy,
  { path, item }: { path: string; item: PublishedItem | null },
  request: PageRequest,
): PageView | null {
  const { edition, path: localPath } = editionAndUnprefixedPath(reading, path);
  const builtIn = item === null ? replaceablePage(reading, { edition, localPath }, request) : null;
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
  if (localPath === "/") return homePage(reading, { edition, item }, request);
  if (item !== null) {
    const view = itemPage(reading, item, request);
    return view !== null && isContactPage(view, reading) ? withContactForms(view, reading) : view;
  }
  const listedType = [...edition.types.values()].find(({ listPath }) => listPath === path);
  return listedType === undefined
    ? null
    : listingPage(reading, { type: listedType, edition }, request);
}

function missingAnswer(reading: ReadingCopy, page: MissingPath): PageAnswer {
  const { status, path } = page;
  const view = async () =>
    missingPage(reading, page, await suggestionsForMissingPath(reading, path));
  return { kind: "missing", status, view };
}
