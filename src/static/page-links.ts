/**
 * Moves the page number from the query to the path in links to further pages of a list. Some hosts
 * ignore queries.
 *
 * @param origin of the site, escaped for use in a regular expression.
 */
export function withPageNumbersInPaths(text: string, origin: string): string {
  const link = new RegExp(`(["(](?:${origin})?/[^\\s"()?#]*?)(\\.md)?\\?page=(\\d+)(?=["#)])`, "g");
  return text.replaceAll(link, (_, path: string, markdownFile: string | undefined, page: string) =>
    page === "1" ? path + (markdownFile ?? "") : `${path}/page-${page}${markdownFile ?? ""}`,
  );
}
