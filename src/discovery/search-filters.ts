import type { ReadingCopy } from "../content/library.ts";
import { listFilterNames } from "../content/lists/filters.ts";
import { sectionsInAnyEdition } from "../content/lists/sections.ts";
import type { ContentType } from "../content/types/content-type.ts";
import type { DocumentContext } from "./document.ts";

/**
 * Explains search: the filters of `/search.md` for each type, and that filters also work without a
 * search text.
 */
export function renderSearchGuide({
  reading,
  origin,
}: Pick<DocumentContext, "reading" | "origin">): string {
  const sections = sectionsInAnyEdition(reading);
  const filters = sections
    .map(({ type }) => `\`type=${type.name}\` with ${filtersOf(type, reading)}`)
    .join("; ");
  const [first] = sections.toSorted((a, b) => b.count - a.count);
  if (first === undefined) return `Search: \`${origin}/search.md?q=WORDS\`.`;
  const [relation] = Object.keys(first.type.relations);
  const filter = relation ?? "language";
  return `Search: \`${origin}/search.md?q=WORDS\`, narrowed by ${filters}; by \`language\` always. Relations take a name or a path; numbers and dates also \`_from\` and \`_to\`; \`page=2\` goes on. \`count_by=authors\`, or any filter, counts instead. Without \`q\` it takes everything that passes, as \`${origin}/search.md?type=${first.type.name}&${filter}=NAME\`.`;
}

function filtersOf(type: ContentType, reading: ReadingCopy): string {
  return listFilterNames(reading.types(), [type]).join(", ");
}
