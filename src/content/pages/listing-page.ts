import { foldText } from "../../search/language/folding.ts";
import { ALL_LANGUAGES_VALUE, SEARCH_PATH } from "../addresses/paths.ts";
import type { ItemSummary, ListQuery, ReadingCopy } from "../library.ts";
import {
  buildLatestFirstQuery,
  countItemsBeforeDay,
  isDated,
  listUpcomingItems,
} from "../lists/dated-lists.ts";
import { readTextField } from "../lists/event-times.ts";
import { sectionsInEdition } from "../lists/sections.ts";
import { type Edition, editionPath, editionsOf, typeTextLanguage } from "../site/editions.ts";
import type { ContentType } from "../types/content-type.ts";
import { isEventType } from "../types/date-fields.ts";
import { buildParentPathBreadcrumbs } from "./breadcrumbs.ts";
import { buildTimelineLinks } from "./built-in/timeline-page.ts";
import { buildSubscriptionBlocks, buildUpcomingEventBlocks } from "./dated-blocks.ts";
import { buildListBlocks, isQuotationType, listEntryOf } from "./lines.ts";
import {
  buildCountAndRangeLine,
  buildPaging,
  buildShownRangeLine,
  ITEMS_PER_PAGE,
  pageAddress,
  parsePageNumber,
  QUOTATIONS_PER_PAGE,
} from "./paging.ts";
import type { Anchor, Block, PageRequest, PageView, Paging } from "./view.ts";

/** A letter index requires a scan of the whole list, so long lists have none. */
const LETTERED_ITEMS_MAX = 2000;
const LIST_LIMIT = 100;
/**
 * Limit on the events that are listed separately because they are not over. Beyond this limit, all
 * events are in one list, latest first.
 */
const UPCOMING_ITEMS_MAX = 400;

/** A page of a type's list; null if the list or the requested page of it does not exist. */
export function buildListingPage(
  reading: ReadingCopy,
  { type, edition }: { type: ContentType; edition: Edition },
  request: PageRequest,
): PageView | null {
  const path = type.listPath;
  if (path === null) return null;
  const part = listingPart(reading, { type, edition, path }, request);
  if (part === null) return null;
  const { page, upcoming, items, offset, total } = part;
  return {
    path,
    query: page === 1 ? "" : `?page=${page}`,
    title: type.plural,
    description:
      type.description === "" ? `${type.plural} – ${edition.site.name}` : type.description,
    language: edition.language,
    textLanguage: edition.language,
    updatedAt: reading.updatedAt(),
    isIndexed: true,
    subject: {
      kind: "listing",
      type,
      items: page === 1 ? [...upcoming, ...items] : items,
      offset: page === 1 ? 0 : offset + upcoming.length,
      total: total + upcoming.length,
    },
    trail: buildParentPathBreadcrumbs(reading, path, edition),
    translations: otherLists(reading, type, edition),
    blocks: [
      ...leadBlocks(type, edition),
      ...(page === 1 ? buildUpcomingEventBlocks(upcoming, { type, edition }) : []),
      ...(upcoming.length > 0 ? otherBlocks(part, edition) : listedBlocks(reading, part, edition)),
      ...allLanguagesBlocks(reading, type, { edition, total: total + upcoming.length }),
      ...buildSubscriptionBlocks(type, edition),
    ],
  };
}

function leadBlocks(type: ContentType, edition: Edition): Block[] {
  const { description: text } = type;
  return text === "" ? [] : [{ kind: "lead", text, language: typeTextLanguage(edition, type) }];
}

/** One page of a type's list, with the numbers that the page states. */
interface Part {
  type: ContentType;
  path: string;
  query: Omit<ListQuery, "limit">;
  limit: number;
  page: number;
  offset: number;
  /** Current and upcoming items, which `items` and `total` leave out. */
  upcoming: ItemSummary[];
  items: ItemSummary[];
  total: number;
  /**
   * How many of the `total` items are past. The items without a date, which come last, are not
   * counted.
   */
  overCount: number;
  paging: Paging | null;
}

function listingPart(
  reading: ReadingCopy,
  { type, edition, path }: { type: ContentType; edition: Edition; path: string },
  request: PageRequest,
): Part | null {
  const limit = isQuotationType(edition.types, type.name) ? QUOTATIONS_PER_PAGE : ITEMS_PER_PAGE;
  const page = parsePageNumber(request.parameter("page"));
  const offset = (page - 1) * limit;
  const { languageFilter } = edition;
  const today = isEventType(type) ? (request.today?.() ?? null) : null;
  const { upcoming, overCount } = currentEvents(reading, type, { languageFilter, today });
  const query = { ...listQuery(type, edition), exceptPaths: upcoming.map((item) => item.path) };
  const { items, total } = reading.list({ ...query, limit, offset });
  const pages = Math.max(1, Math.ceil(total / limit));
  if (page > pages) return null;
  const paging = buildPaging(page, pages, (n) => pageAddress(path, n));
  return { type, path, query, limit, page, offset, upcoming, items, total, overCount, paging };
}

/** Finds the events that are not over, and counts the past ones. */
function currentEvents(
  reading: ReadingCopy,
  type: ContentType,
  { languageFilter, today }: { languageFilter: Edition["languageFilter"]; today: string | null },
): { upcoming: ItemSummary[]; overCount: number } {
  const none = { upcoming: [], overCount: 0 };
  if (today === null || !isDated(type)) return none;
  const limit = UPCOMING_ITEMS_MAX + 1;
  const upcoming = listUpcomingItems(reading, type, { languageFilter, today, limit });
  if (upcoming.length > UPCOMING_ITEMS_MAX) return none;
  const running = upcoming.filter(({ fields }) => String(fields[type.dated.by]) < today);
  const startedCount = countItemsBeforeDay(reading, type, { languageFilter, today });
  return { upcoming, overCount: startedCount - running.length };
}

function listedBlocks(reading: ReadingCopy, part: Part, edition: Edition): Block[] {
  const { type, items, total, limit, paging } = part;
  const isLettered =
    isOrderedByName(type) &&
    !isQuotationType(edition.types, type.name) &&
    total > limit / 2 &&
    total <= LETTERED_ITEMS_MAX;
  return [
    countBlock(part, edition),
    ...linkBlocks(reading, part, edition),
    ...(isLettered ? [lettersBlock(reading, type, part)] : []),
    ...(isLettered ? [indexBlock(type, items, edition)] : buildListBlocks(items, edition)),
    ...pagingBlocks(paging),
  ];
}

/** Past items under one heading, and items without a date under another. */
function otherBlocks(part: Part, edition: Edition): Block[] {
  const { type, offset, items, total, overCount, paging } = part;
  const { list, calendar } = edition.texts;
  const line = buildShownRangeLine(paging, { offset, shown: items.length }, edition.texts);
  const range: Block[] = paging === null ? [] : [{ kind: "paragraph", line }];
  const isOver = ({ fields }: ItemSummary) => readTextField(fields, type.dated?.by) !== null;
  const over = items.filter(isOver);
  const undated = items.filter((item) => !isOver(item));
  const past = list.group(calendar.past(type.plural), overCount);
  const others = list.group(calendar.undated(type.plural), total - overCount);
  return [
    ...(over.length === 0 ? [] : [heading(past, "past"), ...range]),
    ...buildListBlocks(over, edition),
    ...(undated.length === 0 ? [] : [heading(others, "undated")]),
    ...(over.length === 0 ? range : []),
    ...buildListBlocks(undated, edition),
    ...pagingBlocks(paging),
  ];
}

function heading(text: string, id: string): Block {
  return { kind: "heading", text, id };
}

function pagingBlocks(paging: Paging | null): Block[] {
  return paging === null ? [] : [{ kind: "paging", paging }];
}

function countBlock({ type, offset, items, total, paging }: Part, { texts }: Edition): Block {
  const { label, plural } = type;
  if (total === 0) return { kind: "paragraph", line: [texts.list.empty(plural)] };
  const count = texts.countOf(total, { one: label, other: plural });
  const range = { offset, shown: items.length };
  return { kind: "paragraph", line: buildCountAndRangeLine(count, { paging, range, texts }) };
}

/** Links to the page with filters and sort orders, and to the timeline. */
function linkBlocks(
  reading: ReadingCopy,
  { type, paging }: Pick<Part, "type" | "paging">,
  edition: Edition,
): Block[] {
  const to = `${editionPath(edition, SEARCH_PATH)}?type=${type.name}`;
  const filters = paging === null ? [] : [{ text: edition.texts.filters.open, to }];
  const links = [...filters, ...buildTimelineLinks(reading, type, edition)];
  return links.length === 0 ? [] : [{ kind: "controls", links }];
}

/** The lists of the same type in other editions, except empty ones. */
function otherLists(
  reading: ReadingCopy,
  { name }: ContentType,
  { language }: Edition,
): PageView["translations"] {
  return editionsOf(reading).flatMap((other) => {
    if (other.language === language) return [];
    const section = sectionsInEdition(reading, other).find(({ type }) => type.name === name);
    if (section === undefined) return [];
    return [{ language: other.language, path: section.listPath, title: section.type.plural }];
  });
}

/** A link from this edition's list to the search page, which lists the items in every language. */
function allLanguagesBlocks(
  reading: ReadingCopy,
  { name }: ContentType,
  { edition, total }: { edition: Edition; total: number },
): Block[] {
  const all = reading.counts()[name] ?? 0;
  if (all === total) return [];
  const to = `${editionPath(edition, SEARCH_PATH)}?type=${name}&language=${ALL_LANGUAGES_VALUE}`;
  return [{ kind: "paragraph", line: [{ text: edition.texts.list.inAllLanguages(all), to }] }];
}

function listQuery(type: ContentType, { languageFilter }: Edition): Omit<ListQuery, "limit"> {
  if (isDated(type)) return buildLatestFirstQuery(type, languageFilter);
  const query = { types: [type.name], filters: [], links: [], ...languageFilter };
  return { ...query, sort: type.defaultSort, descending: false };
}

function isOrderedByName(type: ContentType): boolean {
  return type.defaultSort === "title" || type.fields[type.defaultSort]?.kind === "text";
}

/** The index letter of a name: its first letter without accents, or `#`. */
function letterOf(type: ContentType, item: ItemSummary): string {
  const sortName = item.fields[type.defaultSort];
  const name = typeof sortName === "string" && sortName !== "" ? sortName : item.title;
  const letter = /\p{L}|\p{N}/u.exec(foldText(name))?.[0] ?? "#";
  return /\p{L}/u.test(letter) ? letter.toUpperCase() : "#";
}

function letterId(letter: string): string {
  return letter === "#" ? "letter-other" : `letter-${letter}`;
}

function indexBlock(type: ContentType, items: readonly ItemSummary[], edition: Edition): Block {
  const byLetter = Map.groupBy(items, (item) => letterOf(type, item));
  const groups = [...byLetter].map(([letter, letterItems]) => ({
    letter,
    id: letterId(letter),
    entries: letterItems.map((item) => listEntryOf(item, edition)),
  }));
  return { kind: "index", groups };
}

/** Links each letter to the page with the first item under that letter. */
function lettersBlock(
  reading: ReadingCopy,
  type: ContentType,
  { query, limit, path }: { query: Omit<ListQuery, "limit">; limit: number; path: string },
): Block {
  const letters = new Map<string, Anchor>();
  let offset = 0;
  let items: ItemSummary[];
  do {
    ({ items } = reading.list({ ...query, limit: LIST_LIMIT, offset }));
    for (const [at, item] of items.entries()) {
      const letter = letterOf(type, item);
      if (letters.has(letter)) continue;
      const page = Math.floor((offset + at) / limit) + 1;
      letters.set(letter, { text: letter, to: `${pageAddress(path, page)}#${letterId(letter)}` });
    }
    offset += items.length;
  } while (items.length === LIST_LIMIT);
  return { kind: "letters", letters: [...letters.values()] };
}
