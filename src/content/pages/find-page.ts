import { isServicePage, type ServicePage } from "../addresses/paths.ts";
import type { PublishedItem, ReadingCopy } from "../library.ts";
import { contactPage, isContactPage, withContactForms } from "./contact-page.ts";
import { homePage } from "./home-page.ts";
import { itemPage } from "./item-page.ts";
import { listingPage } from "./listing-page.ts";
import { type Missing, missingPage } from "./missing-page.ts";
import { searchPage } from "./search-page.ts";
import { suggestionsFor } from "./suggestions.ts";
import type { PageRequest, PageView } from "./view.ts";

/** The answer for a canonical path. */
export type PageAnswer =
  | { kind: "page"; view: PageView }
  | { kind: "moved"; to: string }
  | { kind: "missing"; status: 404 | 410; view: PageView };

const SERVICE_PAGE_VIEWS: Readonly<
  Record<ServicePage, (reading: ReadingCopy, request: PageRequest) => PageView | Promise<PageView>>
> = { "/search": searchPage };

/** Finds the page at a path: an item, a type's list, the home page, a page of the service, or none. */
export async function findPage(
  reading: ReadingCopy,
  path: string,
  request: PageRequest,
): Promise<PageAnswer> {
  if (isServicePage(path)) {
    return { kind: "page", view: await SERVICE_PAGE_VIEWS[path](reading, request) };
  }
  const found = reading.resolve(path);
  if (found.kind === "moved") return found;
  const service = found.kind === "item" ? null : contactPage(reading, path);
  if (service !== null) return { kind: "page", view: service };
  if (found.kind === "gone") {
    return await missing(reading, { status: 410, path, goneTitle: found.title });
  }
  const item = found.kind === "item" ? found.item : null;
  const view = viewAt(reading, { path, item }, request);
  return view === null ? await missing(reading, { status: 404, path }) : { kind: "page", view };
}

function viewAt(
  reading: ReadingCopy,
  { path, item }: { path: string; item: PublishedItem | null },
  request: PageRequest,
): PageView | null {
  if (path === "/") return homePage(reading, item);
  if (item !== null) {
    const view = itemPage(reading, item, request);
    return view !== null && isContactPage(view, reading) ? withContactForms(view, reading) : view;
  }
  const listed = [...reading.types().values()].find(({ listPath }) => listPath === path);
  return listed === undefined ? null : listingPage(reading, listed, request);
}

async function missing(reading: ReadingCopy, what: Missing): Promise<PageAnswer> {
  const suggestions = await suggestionsFor(reading, what.path);
  return { kind: "missing", status: what.status, view: missingPage(reading, what, suggestions) };
}
