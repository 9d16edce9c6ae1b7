import { ALL_LANGUAGES_VALUE, SEARCH_PATH } from "../../addresses/paths.ts";
import type { ReadingCopy } from "../../library.ts";
import { canInterleaveAuthors, creatorRelation, hasRankedLists } from "../../lists/best-first.ts";
import { type Edition, editionPath } from "../../site/editions.ts";
import type { RelationView } from "../../types/relation-views.ts";
import type { Block, InlineContent } from "../view.ts";

const CREATORS_MAX = 8;

/**
 * The relation view through which items link to an item, and which page of these items is shown.
 */
interface ShownGroup {
  view: RelationView;
  page: number;
  pages: number;
}

/**
 * Links to the search page, where visitors can filter the items that link to the item at `path`.
 */
export function buildFilterLinkBlocks(
  reading: ReadingCopy,
  path: string,
  { group, edition }: { group: ShownGroup; edition: Edition },
): Block[] {
  const { view, page, pages } = group;
  if (view.direction !== "in") return [];
  return [
    ...(pages === 1 ? [] : [filterLink(view, edition, path)]),
    ...(page === 1 ? creatorLinks(reading, path, { view, edition }) : []),
  ];
}

function filterLink(view: RelationView, edition: Edition, path: string): Block {
  const to = narrowedList(edition, { type: view.otherType, [view.relation]: path });
  return { kind: "controls", links: [{ text: edition.texts.filters.open, to }] };
}

/** Links that narrow the list to the items of one creator. */
function creatorLinks(
  reading: ReadingCopy,
  path: string,
  { view, edition }: { view: RelationView; edition: Edition },
): Block[] {
  const { types, texts } = edition;
  const { otherType, relation } = view;
  const type = types.get(otherType);
  if (type === undefined || !hasRankedLists(type) || !canInterleaveAuthors(type, relation, types))
    return [];
  const creators = creatorRelation(type, types);
  if (creators === null) return [];
  const limit = CREATORS_MAX + 1;
  const counts = reading.creators({ targetPath: path, relation, type: otherType, limit });
  if (counts.length < 2) return [];
  const list = narrowedList(edition, { type: otherType, [relation]: path });
  const links = counts.slice(0, CREATORS_MAX).flatMap((creator): InlineContent[] => [
    texts.comma,
    {
      text: texts.list.group(creator.title, creator.count),
      to: `${list}&${creators}=${inQuery(creator.path)}`,
    },
  ]);
  const label = texts.list.labelled(type.relations[creators]?.label ?? creators);
  const more = counts.length > CREATORS_MAX ? [texts.comma, "…"] : [];
  return [{ kind: "aside", line: [`${label} `, ...links.slice(1), ...more] }];
}

/**
 * The address of the search page with a filtered list. Like the lists on items' pages, the list
 * includes all languages.
 */
function narrowedList(edition: Edition, filters: Readonly<Record<string, string>>): string {
  const isPart = Object.keys(edition.languageFilter).length > 0;
  const query = Object.entries({
    ...filters,
    ...(isPart ? { language: ALL_LANGUAGES_VALUE } : {}),
  });
  const pairs = query.map(([name, value]) => `${name}=${inQuery(value)}`);
  return `${editionPath(edition, SEARCH_PATH)}?${pairs.join("&")}`;
}

/** Encodes a query value, but not its slashes, which are valid in a query. */
function inQuery(value: string): string {
  return encodeURIComponent(value).replaceAll("%2F", "/");
}
