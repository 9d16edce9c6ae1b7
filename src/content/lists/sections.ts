import type { ReadingCopy } from "../library.ts";
import type { ContentType } from "../types/content-type.ts";

/** A kind of content with a listing page and something to list. */
export interface Section {
  type: ContentType;
  listPath: string;
  /** Published items. */
  count: number;
}

/** The listing pages of the site that are not empty, in the order of the types. */
export function sectionsOf(reading: ReadingCopy): Section[] {
  const counts = reading.counts();
  return [...reading.types().values()].flatMap((type) => {
    const count = counts[type.name] ?? 0;
    return type.listPath === null || count === 0 ? [] : [{ type, listPath: type.listPath, count }];
  });
}

/** The page at the first path that is published; the home page if none is. */
export function firstPublished(reading: ReadingCopy, ...paths: string[]): string {
  return paths.find((path) => reading.resolve(path).kind === "item") ?? "/";
}
