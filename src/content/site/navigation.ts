import { SEARCH_PATH } from "../addresses/paths.ts";
import type { ReadingCopy } from "../library.ts";
import { sectionsInEdition } from "../lists/sections.ts";
import { isBuiltInPageShown } from "../pages/built-in/built-in-page.ts";
import { BUILT_IN_PAGES } from "../pages/built-in/built-in-pages.ts";
import type { Anchor } from "../pages/view.ts";
import { type Edition, editionForItemLanguage, editionPath } from "./editions.ts";
import type { Menu } from "./menu.ts";
import { NAVIGATION_FIELD, typesWithNavigationField } from "./navigation-order.ts";

const PAGES_MAX = 8;
/** Matches paths of files, such as feeds. */
const FILE_EXTENSION = /\.[a-z0-9]{1,7}$/i;

/** An entry of the main navigation. Without an address, it is a heading for its own entries. */
export interface NavigationEntry {
  text: string;
  /** Address as in {@link Anchor}; null for a heading. */
  to: string | null;
  entries: readonly Anchor[];
}

/**
 * The main navigation of an edition: the menu that editors made, or else
 * {@link buildAutomaticNavigation}.
 */
export function buildNavigation(reading: ReadingCopy, edition: Edition): NavigationEntry[] {
  const menu = reading.site().menus[edition.language];
  if (menu === undefined) return buildAutomaticNavigation(reading, edition);
  return menu.flatMap((entry): NavigationEntry[] => {
    const ownLink =
      entry.to === undefined ? null : linkOf(reading, edition, { ...entry, to: entry.to });
    const entries = entry.entries.flatMap((below) => linkOf(reading, edition, below) ?? []);
    const text = ownLink?.text ?? entry.label;
    if (text === undefined || (ownLink === null && entries.length === 0)) return [];
    return [{ text, to: ownLink?.to ?? null, entries }];
  });
}

/**
 * The main navigation of an edition without a menu: its sections, and the pages that have a
 * position in the navigation.
 */
export function buildAutomaticNavigation(
  reading: ReadingCopy,
  edition: Edition,
): NavigationEntry[] {
  const sections = sectionsInEdition(reading, edition).map(({ type, listPath }) => ({
    text: type.plural,
    to: listPath,
  }));
  const pages = typesWithNavigationField(reading.types())
    .flatMap((name) => {
      const query = { types: [name], filters: [], links: [], sort: NAVIGATION_FIELD };
      return reading.items({ ...query, descending: false, limit: 100 });
    })
    .filter((item) => item.fields[NAVIGATION_FIELD] !== undefined && item.path !== "/")
    .filter((item) => editionForItemLanguage(reading, item.language) === edition)
    .slice(0, PAGES_MAX)
    .map(({ title, path }) => ({ text: title, to: encodeURI(path) }));
  return [...sections, ...pages].map((anchor) => ({ ...anchor, entries: [] }));
}

/** The link of a menu entry; null if its page is not public. */
function linkOf(
  reading: ReadingCopy,
  edition: Edition,
  { label, to }: { label?: string; to: string },
): Anchor | null {
  if (!to.startsWith("/")) return { text: label ?? to, to };
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/.exec(to) ?? [];
  const isInEdition = path === edition.prefix || path.startsWith(`${edition.prefix}/`);
  const pathInEdition = isInEdition ? path : editionPath(edition, path);
  const anchorFor = (text: string, found: string) => ({
    text: label ?? text,
    to: encodeURI(found) + rest,
  });
  if (pathInEdition === editionPath(edition, "/"))
    return anchorFor(edition.texts.frame.home, pathInEdition);
  const answer = reading.resolve(path);
  const found = answer.kind === "moved" ? reading.resolve(answer.to) : answer;
  if (found.kind === "item") return anchorFor(found.item.title, found.item.path);
  const list = [...edition.types.values()].find(({ listPath }) => listPath === pathInEdition);
  if (list !== undefined) return anchorFor(list.plural, pathInEdition);
  if (pathInEdition === editionPath(edition, SEARCH_PATH))
    return anchorFor(edition.texts.search.title, pathInEdition);
  const builtIn = BUILT_IN_PAGES.find((page) => editionPath(edition, page.path) === pathInEdition);
  if (builtIn?.isLinkable === true && isBuiltInPageShown(builtIn, reading, edition))
    return anchorFor(builtIn.title(edition.texts), pathInEdition);
  return FILE_EXTENSION.test(path) && label !== undefined ? anchorFor(label, path) : null;
}

/** Converts the current navigation to a menu, which an editor can then change. */
export function menuFromNavigation(navigation: readonly NavigationEntry[]): Menu {
  return navigation.map(({ text, to, entries }) => ({
    label: text,
    ...(to === null ? {} : { to: decodeURI(to) }),
    entries: entries.map((below) => ({ label: below.text, to: decodeURI(below.to) })),
  }));
}
