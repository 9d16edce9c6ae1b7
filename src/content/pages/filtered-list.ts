import type { GroupCount, ReadingCopy, SearchQuery } from "../library.ts";
import { groupingNamed } from "../lists/grouping.ts";
import { buildListQuery, type ListRequest } from "../lists/listing.ts";
import { entryOf, itemAnchor, listBlocks } from "./lines.ts";
import { pagingOf, rangeLine } from "./paging.ts";
import type { Block, Inline } from "./view.ts";

/** So that a page of quotations in full stays short. */
const ITEMS_PER_PAGE = 12;
const GROUPS_MAX = 50;

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

/**
 * The matches of a search, or all that pass its filters, counted by what `countBy` names.
 *
 * @throws {AppError} `invalid` for a name that items cannot be counted by.
 */
export async function countBlocks(
  reading: ReadingCopy,
  query: Omit<SearchQuery, "limit" | "offset">,
  countBy: string,
): Promise<Block[]> {
  const { name, by } = groupingNamed(reading, query.types, countBy);
  const part = { countBy: by, limit: GROUPS_MAX, offset: 0 };
  const { groups: found } = await reading.search({ ...query, ...part });
  const { items, groups, without, counts } = found ?? NO_GROUPS;
  const shown = counts.length < groups ? `, the ${counts.length} largest of which follow` : "";
  const rest = without === 0 ? "" : `; ${without} in none`;
  return [
    { kind: "paragraph", line: [`${items} items by ${name}: ${groups} groups${shown}${rest}.`] },
    { kind: "entries", entries: counts.map((group) => ({ line: groupLine(group), note: [] })) },
  ];
}

const NO_GROUPS = { items: 0, groups: 0, without: 0, counts: [] };

function groupLine({ name, path, count }: GroupCount): Inline[] {
  return [path === null ? name : itemAnchor({ path, title: name }), ` – ${count}`];
}
