import type { ReadingCopy } from "../library.ts";
import { buildListQuery, type ListRequest } from "../lists/listing.ts";
import { entryOf, listBlocks } from "./lines.ts";
import { pagingOf, rangeLine } from "./paging.ts";
import type { Block } from "./view.ts";

const ITEMS_PER_PAGE = 20;

/**
 * Everything that passes the filters, a page at a time: quotations with their text, others with their
 * summary.
 *
 * @throws {AppError} `invalid` or `not_found` for a wrong filter.
 */
export function filteredListBlocks(
  reading: ReadingCopy,
  request: ListRequest,
  { page, addressOf }: { page: number; addressOf: (page: number) => string },
): Block[] {
  const query = buildListQuery(reading, { ...request, limit: ITEMS_PER_PAGE }, "");
  const offset = (page - 1) * ITEMS_PER_PAGE;
  const { items, total } = reading.list({ ...query, offset });
  const pages = Math.ceil(total / ITEMS_PER_PAGE);
  const paging = page > pages ? null : pagingOf(page, pages, addressOf);
  const types = reading.types();
  const isOneType = query.types.length === 1;
  const count = `${total} ${total === 1 ? "item" : "items"}`;
  const range = { offset, shown: items.length, total };
  return [
    {
      kind: "paragraph",
      line: paging === null ? [`${count}.`] : [`${count}: `, ...rangeLine(paging, range)],
    },
    ...(isOneType
      ? listBlocks(items, reading)
      : [{ kind: "entries" as const, entries: items.map((item) => entryOf(item, types)) }]),
    ...(paging === null ? [] : [{ kind: "paging" as const, paging }]),
  ];
}
