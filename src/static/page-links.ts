import type { ContentTypes } from "../content/types/content-type.ts";
import { relationViews } from "../content/types/relation-views.ts";

/**
 * An item's page can have several lists. Returns the query parameters for the page numbers of all lists but
 * the first.
 */
export function pageParametersOfSecondaryLists(types: ContentTypes): string[] {
  const names = [...types.keys()].flatMap((type) =>
    relationViews(types, type).map(({ name }) => name),
  );
  return [...new Set(names)];
}

/**
 * Moves page numbers from the query to the path in links to further pages of lists: `?works=2` becomes
 * `/works-2`. Web servers ignore most queries, and some hosts ignore all queries.
 *
 * @param origin of the site, escaped for use in a regular expression.
 * @param parameters the parameters to move.
 */
export function movePageNumbersIntoPaths(
  text: string,
  origin: string,
  parameters: readonly string[],
): string {
  if (parameters.length === 0) return text;
  const link = new RegExp(
    `(["(](?:${origin})?/[^\\s"()?#]*?)(\\.md)?\\?(${parameters.join("|")})=(\\d+)(?=["#)])`,
    "g",
  );
  return text.replaceAll(
    link,
    (_, path: string, markdownFile: string | undefined, parameter: string, page: string) =>
      path + (page === "1" ? "" : `/${parameter}-${page}`) + (markdownFile ?? ""),
  );
}
