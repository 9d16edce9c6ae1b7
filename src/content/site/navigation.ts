import type { ReadingCopy } from "../library.ts";
import { sectionsOf } from "../lists/sections.ts";
import type { Anchor } from "../pages/view.ts";
import { NAVIGATION_FIELD, navigationTypes } from "./navigation-order.ts";

const PAGES_MAX = 8;

/** The main navigation: the non-empty sections, then pages with a navigation position. */
export function navigationOf(reading: ReadingCopy): Anchor[] {
  const { language } = reading.site();
  const sections = sectionsOf(reading).map(({ type, listPath }) => ({
    text: type.plural,
    to: listPath,
  }));
  const pages = navigationTypes(reading.types())
    .flatMap((name) => {
      const query = { types: [name], filters: [], links: [], sort: NAVIGATION_FIELD };
      return reading.list({ ...query, descending: false, limit: 100 }).items;
    })
    .filter((item) => item.fields[NAVIGATION_FIELD] !== undefined && item.path !== "/")
    .filter((item) => item.language === language)
    .slice(0, PAGES_MAX)
    .map(({ title, path }) => ({ text: title, to: encodeURI(path) }));
  return [...sections, ...pages];
}
