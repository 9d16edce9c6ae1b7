import type { ListQuery, ReadingCopy } from "../library.ts";
import type { Edition } from "../site/editions.ts";

/**
 * The path of a random published quotation of an edition; null if there is none. `chance`, at least 0 and
 * below 1, selects a row number, so that the cost does not grow with the number of quotations.
 */
export function pickRandomQuotationPath(
  reading: ReadingCopy,
  { types, languageFilter }: Pick<Edition, "types" | "languageFilter">,
  chance: number,
): string | null {
  const type = [...types.values()].find(({ schemaOrg }) => schemaOrg === "Quotation");
  if (type === undefined) return null;
  const query = {
    types: [type.name],
    filters: [],
    links: [],
    ...languageFilter,
    sort: "added",
    limit: 1,
  };
  const first = reading.list({ ...query, descending: false });
  const last = reading.list({ ...query, descending: true });
  if (first.next === null || last.next === null) return first.items[0]?.path ?? null;
  const row = first.next.row + Math.floor(chance * (last.next.row - first.next.row + 1));
  const after: ListQuery["after"] = { value: null, row: row - 1 };
  return reading.items({ ...query, descending: false, after })[0]?.path ?? null;
}
