import type { ReadingCopy } from "../library.ts";
import type { SiteProfile } from "./site.ts";

/** The reading copy as it would be with another profile of the site. */
export function withProfile(reading: ReadingCopy, profile: SiteProfile): ReadingCopy {
  return {
    site: () => profile,
    types: () => reading.types(),
    resolve: (path) => reading.resolve(path),
    medium: (id) => reading.medium(id),
    list: (query) => reading.list(query),
    items: (query) => reading.items(query),
    adjacentItems: (path, query) => reading.adjacentItems(path, query),
    creators: (query) => reading.creators(query),
    index: (options) => reading.index(options),
    itemOf: (entry) => reading.itemOf(entry),
    counts: () => reading.counts(),
    ranges: (type) => reading.ranges(type),
    updatedAt: () => reading.updatedAt(),
    version: () => reading.version(),
    search: (query) => reading.search(query),
    similar: (text, options) => reading.similar(text, options),
    itemsByName: (text, options) => reading.itemsByName(text, options),
    hasUniqueName: (name) => reading.hasUniqueName(name),
  };
}
