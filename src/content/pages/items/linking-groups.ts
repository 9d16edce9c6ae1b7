import { baseLanguage } from "../../../texts/choose.ts";
import type { ItemSummary, ListQuery, PublishedItem, ReadingCopy } from "../../library.ts";
import { findPlaceFieldName, isSingleTargetRelation } from "../../lists/places.ts";
import type { Edition } from "../../site/editions.ts";
import type { ContentType } from "../../types/content-type.ts";
import type { RelationView } from "../../types/relation-views.ts";
import { buildListBlocks, isQuotationType } from "../lines.ts";
import { buildFilterLinkBlocks } from "../narrowing/filter-links.ts";
import {
  buildPaging,
  buildShownRangeLine,
  ITEMS_PER_PAGE,
  pageAddress,
  parsePageNumber,
  QUOTATIONS_PER_PAGE,
} from "../paging.ts";
import type { Block, PageRequest } from "../view.ts";
import { listedRelationViews } from "./linking-views.ts";

/** One page of the items that link to an item through a relation. */
export interface LinkingGroup {
  view: RelationView;
  /** The query parameter for the group's page number. */
  name: string;
  page: number;
  offset: number;
  /** Items in the language of the edition, shown before `inOtherLanguages`. */
  inEditionLanguage: ItemSummary[];
  inOtherLanguages: ItemSummary[];
  total: number;
  pages: number;
}

/**
 * The items that link to this item, in groups, largest group first. `?page=` is the page number of
 * the first group only.
 */
export function listLinkingGroups(
  reading: ReadingCopy,
  item: PublishedItem,
  { request, edition }: { request: PageRequest; edition: Edition },
): LinkingGroup[] {
  const { types } = edition;
  return listedRelationViews(item, types).map((view, at) => {
    const limit = isQuotationType(types, view.otherType) ? QUOTATIONS_PER_PAGE : ITEMS_PER_PAGE;
    const name = at === 0 ? "page" : view.name;
    const page = parsePageNumber(request.parameter(name));
    const offset = (page - 1) * limit;
    const items = groupItems(reading, item, { view, edition, limit, offset });
    return { view, name, page, offset, ...items, pages: pageCount(items.total, limit) };
  });
}

function pageCount(total: number, limit: number): number {
  return Math.max(1, Math.ceil(total / limit));
}

/**
 * A page of a group. Items in the edition's language come first, then items in other languages. On
 * a site with one edition, all items are in `inEditionLanguage`, because filtering by language is
 * slower.
 */
function groupItems(
  reading: ReadingCopy,
  item: PublishedItem,
  {
    view: { name, direction, relation, otherType },
    edition,
    limit,
    offset,
  }: { view: RelationView; edition: Edition; limit: number; offset: number },
): Pick<LinkingGroup, "inEditionLanguage" | "inOtherLanguages" | "total"> {
  const query: Omit<ListQuery, "limit"> = {
    types: [otherType],
    filters: [],
    links: [{ direction, relation, anchors: [item.path] }],
    sort: groupOrder(reading.types().get(otherType), relation),
    descending: false,
  };
  if (Object.keys(edition.languageFilter).length === 0) {
    const { items, total } = reading.list({ ...query, limit, offset });
    return { inEditionLanguage: items, inOtherLanguages: [], total };
  }
  const language = baseLanguage(edition.language);
  const own = reading.list({ ...query, language, limit, offset });
  if (own.total === item.counts[name])
    return { inEditionLanguage: own.items, inOtherLanguages: [], total: own.total };
  const others = reading.list({
    ...query,
    notLanguages: [language],
    limit: limit - own.items.length,
    offset: Math.max(0, offset - own.total),
  });
  return {
    inEditionLanguage: own.items,
    inOtherLanguages: others.items,
    total: own.total + others.total,
  };
}

/**
 * The sort order of the items in a group: by place for parts of a work, otherwise the default order
 * of their type. If that default is `title` and the type has a year, the order is by year.
 */
function groupOrder(type: ContentType | undefined, relation: string): string {
  if (type === undefined) return "title";
  const locationField = isSingleTargetRelation(type, relation) ? findPlaceFieldName(type) : null;
  if (locationField !== null) return locationField;
  const isUnordered = type.defaultSort === "title" && type.fields["year"]?.sort === true;
  return isUnordered ? "year" : type.defaultSort;
}

/**
 * Renders one page of a `LinkingGroup`. `above` is the number of the group's items that the item's
 * page already shows above this list.
 */
export function buildLinkingGroupBlocks(
  reading: ReadingCopy,
  item: PublishedItem,
  { group, above, edition }: { group: LinkingGroup; above: number; edition: Edition },
): Block[] {
  const { inEditionLanguage, inOtherLanguages, view, name, total, offset, page, pages } = group;
  const path = encodeURI(item.path);
  const paging = buildPaging(page, pages, (n) => pageAddress(path, n, name));
  const anchor = { path: item.path, relation: view.relation };
  const { texts } = edition;
  const heading =
    above === 0
      ? texts.list.group(view.label, total)
      : texts.list.rest(view.label, total - above, total);
  const range = {
    offset: offset + above,
    shown: inEditionLanguage.length + inOtherLanguages.length,
  };
  return [
    { kind: "heading", text: heading, id: `group-${view.name}` },
    ...(paging === null
      ? []
      : [{ kind: "paragraph" as const, line: buildShownRangeLine(paging, range, texts) }]),
    ...buildFilterLinkBlocks(reading, item.path, { group, edition }),
    ...buildListBlocks(inEditionLanguage, edition, anchor),
    ...languagesHeading(inOtherLanguages, view, edition),
    ...buildListBlocks(inOtherLanguages, edition, anchor),
    ...(paging === null ? [] : [{ kind: "paging" as const, paging }]),
  ];
}

/** A heading that names the languages of the items below it. */
function languagesHeading(
  items: readonly ItemSummary[],
  { name }: RelationView,
  { texts }: Edition,
): Block[] {
  if (items.length === 0) return [];
  const tags = new Set(items.map(({ language }) => baseLanguage(language)));
  const text = texts.list.inOtherLanguages([...tags]);
  return [{ kind: "subheading", text, id: `languages-${name}` }];
}
