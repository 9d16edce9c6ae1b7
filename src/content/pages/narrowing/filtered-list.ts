import type { SiteTexts } from "../../../texts/site/english.ts";
import type { ReadingCopy, SearchQuery } from "../../library.ts";
import type { GroupCount, GroupingProperty } from "../../lists/group-counts.ts";
import { requireGrouping } from "../../lists/grouping.ts";
import { buildListQuery, type ListRequest } from "../../lists/listing.ts";
import type { Edition } from "../../site/editions.ts";
import { relationViews } from "../../types/relation-views.ts";
import { buildListBlocks, itemAnchor, listEntryOf } from "../lines.ts";
import { buildCountAndRangeLine, buildPaging } from "../paging.ts";
import type { Block, InlineContent } from "../view.ts";

/** Small, because quotations are shown in full. */
const ITEMS_PER_PAGE = 12;
/** Number of the last page of a list. Requests for later pages get this page. */
export const LAST_LIST_PAGE = 5000;
const GROUPS_MAX = 50;

/**
 * One page of the items that pass the filters: quotations with their text, others with their
 * summary.
 *
 * @throws {AppError} `invalid` or `not_found` for an invalid filter.
 */
export function buildFilteredListBlocks(
  reading: ReadingCopy,
  request: ListRequest,
  {
    edition,
    page,
    addressOf,
  }: { edition: Edition; page: number; addressOf: (page: number) => string },
): Block[] {
  const query = buildListQuery(reading, { ...request, limit: ITEMS_PER_PAGE }, "");
  const offset = (page - 1) * ITEMS_PER_PAGE;
  const { items, total } = reading.list({ ...query, offset });
  const pages = Math.min(Math.ceil(total / ITEMS_PER_PAGE), LAST_LIST_PAGE);
  const paging = page > pages ? null : buildPaging(page, pages, addressOf);
  const { texts } = edition;
  const [type, ...otherTypes] = query.types.map((name) => edition.types.get(name));
  const isOneType = type !== undefined && otherTypes.length === 0;
  const count = isOneType
    ? texts.countOf(total, { one: type.label, other: type.plural })
    : texts.search.items(total);
  const range = { offset, shown: items.length };
  return [
    {
      kind: "paragraph",
      line: buildCountAndRangeLine(count, { paging, range, texts }),
    },
    ...(isOneType
      ? buildListBlocks(items, edition)
      : [{ kind: "entries" as const, entries: items.map((item) => listEntryOf(item, edition)) }]),
    ...(paging === null ? [] : [{ kind: "paging" as const, paging }]),
  ];
}

/**
 * Counts the matches of a search, grouped by the value of `countBy`. Without a search text, counts
 * all items that pass the filters.
 *
 * @throws {AppError} `invalid` if items cannot be grouped by `countBy`.
 */
export async function buildMatchCountBlocks(
  reading: ReadingCopy,
  query: Omit<SearchQuery, "limit" | "offset">,
  { edition, countBy }: { edition: Edition; countBy: string },
): Promise<Block[]> {
  const { name, by } = requireGrouping(reading, query.types, countBy);
  const grouping = { countBy: by, limit: GROUPS_MAX, offset: 0 };
  const { groups: found } = await reading.search({ ...query, ...grouping });
  const { items, groups, without, counts } = found ?? NO_GROUPS;
  const { texts } = edition;
  const shown = counts.length < groups ? counts.length : null;
  const named = groupingName(name, by, edition);
  const line = [texts.search.groups({ items, name: named, groups, shown, without })];
  const entries = counts.map((group) => ({ line: groupLine(group, texts), note: [] }));
  return [
    { kind: "paragraph", line },
    { kind: "entries", entries },
  ];
}

const NO_GROUPS = { items: 0, groups: 0, without: 0, counts: [] };

/**
 * The display name of the property by which matches are grouped. In English, this is the name that
 * the query parameter `count_by` takes.
 */
function groupingName(name: string, by: GroupingProperty, { types, texts }: Edition): string {
  if (texts.language === "en") return name;
  if (by.kind === "own") {
    return by.column === "type" ? texts.search.typeColumn : texts.search.languageColumn;
  }
  for (const type of types.values()) {
    const view = relationViews(types, type.name).find((each) => each.name === name);
    const label = type.fields[name]?.label ?? view?.label;
    if (label !== undefined) return label;
  }
  return name;
}

function groupLine({ name, path, count }: GroupCount, texts: SiteTexts): InlineContent[] {
  return [path === null ? name : itemAnchor({ path, title: name }), ` – ${texts.number(count)}`];
}
