import type { ReadingCopy } from "../library.ts";
import { type Edition, editionsOf } from "../site/editions.ts";
import type { ContentType, ContentTypes } from "../types/content-type.ts";

/** A type that has a listing page and published items, with the path of that page. */
export interface Section {
  type: ContentType;
  listPath: string;
  /** The number of published items. */
  count: number;
}

/**
 * The listing pages that have at least one item in any language, in the order of the content types.
 */
export function sectionsInAnyEdition(reading: ReadingCopy): Section[] {
  return sectionsWith(reading.counts(), reading.types());
}

/**
 * A cache that never becomes outdated, because each version of the content has its own `Edition`
 * objects.
 */
const countsByEdition = new WeakMap<Edition, Counts>();

type Counts = Readonly<Record<string, number>>;

/** The listing pages that have items in an edition, with names in its language. */
export function sectionsInEdition(reading: ReadingCopy, edition: Edition): readonly Section[] {
  return sectionsWith(countsIn(reading, edition), edition.types);
}

/**
 * The types with items in an edition, including types without a listing page. Names are in the
 * edition's language.
 */
export function typesWithItems(reading: ReadingCopy, edition: Edition): ContentType[] {
  const counts = countsIn(reading, edition);
  return [...edition.types.values()].filter(({ name }) => (counts[name] ?? 0) > 0);
}

function countsIn(reading: ReadingCopy, edition: Edition): Counts {
  const found = countsByEdition.get(edition) ?? countItems(reading, edition);
  countsByEdition.set(edition, found);
  return found;
}

function countItems(reading: ReadingCopy, { types, languageFilter }: Edition): Counts {
  if (Object.keys(languageFilter).length === 0) return reading.counts();
  const counts = [...types.keys()].map((name): [string, number] => {
    const all = { types: [name], filters: [], links: [], sort: "added", descending: false };
    return [name, reading.list({ ...all, ...languageFilter, limit: 1 }).total];
  });
  return Object.fromEntries(counts);
}

function sectionsWith(counts: Counts, types: ContentTypes): Section[] {
  return [...types.values()].flatMap((type) => {
    const count = counts[type.name] ?? 0;
    return type.listPath === null || count === 0 ? [] : [{ type, listPath: type.listPath, count }];
  });
}

/** The type and edition whose list page has this path; null if none has. */
export function findTypeAndEditionByListPath(
  reading: ReadingCopy,
  path: string,
): { type: ContentType; edition: Edition } | null {
  for (const edition of editionsOf(reading)) {
    const type = [...edition.types.values()].find(({ listPath }) => listPath === path);
    if (type !== undefined) return { type, edition };
  }
  return null;
}

/** The first of the paths that leads to a published item; the home page if none does. */
export function firstPublishedPath(reading: ReadingCopy, ...paths: string[]): string {
  return paths.find((path) => reading.resolve(path).kind === "item") ?? "/";
}
