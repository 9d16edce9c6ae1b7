import type { LinkedItem, PublishedItem } from "../../content/library.ts";

/**
 * The data on related items that an item shows both in lists and on its own page: linked items and
 * counts, by the name of the relation view.
 */
export interface LinksAndCounts {
  links: Record<string, LinkedItem[]>;
  counts: Record<string, number>;
}

/** The related items that are shown only on an item's own page. */
export type PageRelations = Pick<PublishedItem, "translations" | "neighbours">;

type StoredLink = [path: string, type: string, title: string, note?: string];

interface StoredRelated {
  links: Record<string, StoredLink[]>;
  /** Only counts that differ from the length of `links`. */
  counts: Record<string, number>;
}

/** Serializes in a compact form, because every item has this data. */
export function serializeLinksAndCounts({
  links,
  counts,
}: Pick<PublishedItem, "links" | "counts">): string {
  const stored: StoredRelated = { links: {}, counts: {} };
  for (const [name, linked] of Object.entries(links)) {
    stored.links[name] = linked.map(({ path, type, title, note }) =>
      note === null ? [path, type, title] : [path, type, title, note],
    );
  }
  for (const [name, count] of Object.entries(counts)) {
    if (links[name]?.length !== count) stored.counts[name] = count;
  }
  return JSON.stringify(stored);
}

export function parseLinksAndCounts(text: string): LinksAndCounts {
  const stored: StoredRelated = JSON.parse(text);
  const links: LinksAndCounts["links"] = {};
  const counts: LinksAndCounts["counts"] = {};
  for (const [name, linked] of Object.entries(stored.links)) {
    links[name] = linked.map(([path, type, title, note = null]) => ({ path, type, title, note }));
    counts[name] = linked.length;
  }
  return { links, counts: Object.assign(counts, stored.counts) };
}

/** Returns null if the item has neither translations nor neighbours. */
export function serializePageRelations({ translations, neighbours }: PageRelations): string | null {
  const isAlone = translations.length === 0 && Object.keys(neighbours).length === 0;
  return isAlone ? null : JSON.stringify({ translations, neighbours });
}

export function parsePageRelations(text: string | null): PageRelations {
  return text === null ? { translations: [], neighbours: {} } : JSON.parse(text);
}
