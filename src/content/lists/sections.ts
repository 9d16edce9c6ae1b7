import type { ReadingCopy } from "../library.ts";
import type { ContentType } from "../types/content-type.ts";

/** A type with a listing page and published items. */
export interface Section {
  type: ContentType;
  listPath: string;
  /** Published items. */
  count: number;
}

/** The non-empty listing pages, in the order of the types. */
export function sectionsOf(reading: ReadingCopy): Section[] {
  const counts = reading.counts();
  return [...reading.types().values()].flatMap((type) => {
    const count = counts[type.name] ?? 0;
    return type.listPath === null || count === 0 ? [] : [{ type, listPath: type.listPath, count }];
  });
}

/** The first path with a published item; the home page if there is none. */
export function firstPublished(reading: ReadingCopy, ...paths: string[]): string {
  return paths.find((path) => reading.resolve(path).kind === "item") ?? "/";
}
