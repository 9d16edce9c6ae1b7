import type { ReadingCopy } from "./library.ts";

/** A reading copy that delegates to another one, except for the methods in `answers`. */
export function withOverriddenMethods(
  reading: ReadingCopy,
  answers: Partial<ReadingCopy>,
): ReadingCopy {
  return {
    site: () => reading.site(),
    types: () => reading.types(),
    hasUniqueName: (name) => reading.hasUniqueName(name),
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
    ...answers,
  };
}
