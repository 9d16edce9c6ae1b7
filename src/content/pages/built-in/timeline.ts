import { partialDateToNumber } from "../../items/partial-date.ts";
import type { ItemSummary, ReadingCopy } from "../../library.ts";
import type { Edition } from "../../site/editions.ts";
import type { ContentType } from "../../types/content-type.ts";
import { isEventType } from "../../types/date-fields.ts";
import { isQuotationType, timelineEntryOf } from "../lines.ts";
import type { ListEntry } from "../view.ts";

/**
 * Maximum number of items of all types together, since they are sorted in memory. A type that would exceed
 * the limit is left out.
 */
const ITEMS_MAX = 2000;
const LIST_LIMIT = 100;

export interface TimelineItem {
  type: string;
  /** Negative for years BCE. */
  century: number;
  entry: ListEntry;
}

/** The items of an edition that have a year, earliest first. */
export interface Timeline {
  types: readonly ContentType[];
  items: readonly TimelineItem[];
}

/**
 * Entries never become outdated, because each version of the content has its own `Edition` objects.
 */
const timelines = new WeakMap<Edition, Timeline>();

export function buildTimeline(reading: ReadingCopy, edition: Edition): Timeline {
  const timeline = timelines.get(edition) ?? createTimeline(reading, edition);
  timelines.set(edition, timeline);
  return timeline;
}

/**
 * Whether the timeline has items. Usually reads only one item, because the navigation calls this
 * after every change of the content.
 */
export function hasTimelineItems(reading: ReadingCopy, edition: Edition): boolean {
  return (
    datedTypes(reading, edition).some(({ type }) => isTypeOnTimeline(reading, type, edition)) ||
    buildTimeline(reading, edition).items.length > 0
  );
}

/**
 * Whether the timeline has items of the type. Reads only one item per field, because every list
 * page calls this function.
 */
export function isTypeOnTimeline(
  reading: ReadingCopy,
  { name }: ContentType,
  edition: Edition,
): boolean {
  const { fields = [] } = datedTypes(reading, edition).find(({ type }) => type.name === name) ?? {};
  return fields.some((field) => {
    const query = { types: [name], filters: [], links: [], sort: field, descending: false };
    const [first] = reading.items({ ...query, ...edition.languageFilter, limit: 1 });
    return first !== undefined && dateNumberOf(first, [field]) !== null;
  });
}

function createTimeline(reading: ReadingCopy, edition: Edition): Timeline {
  const types: ContentType[] = [];
  const datedItems: { dateNumber: number; timelineItem: TimelineItem }[] = [];
  for (const { type, fields } of datedTypes(reading, edition)) {
    const found = allItems(reading, type, edition).flatMap((item) => {
      const dateNumber = dateNumberOf(item, fields);
      if (dateNumber === null) return [];
      return [{ dateNumber, timelineItem: timelineItemOf(item, dateNumber, edition) }];
    });
    if (found.length > 0) types.push(type);
    datedItems.push(...found);
  }
  datedItems.sort((a, b) => a.dateNumber - b.dateNumber);
  return { types, items: datedItems.map(({ timelineItem }) => timelineItem) };
}

/** The types on the timeline, each with the fields that contain the dates of its items. */
function datedTypes(
  reading: ReadingCopy,
  edition: Edition,
): { type: ContentType; fields: readonly string[] }[] {
  const counts = reading.counts();
  let read = 0;
  return [...edition.types.values()].flatMap((type) => {
    const fields = yearFields(type, edition);
    const count = counts[type.name] ?? 0;
    if (fields.length === 0 || read + count > ITEMS_MAX) return [];
    read += count;
    return [{ type, fields }];
  });
}

/** The fields that date an item, in order of preference; none for quotations and news. */
function yearFields(type: ContentType, { types }: Edition): string[] {
  if (isQuotationType(types, type.name)) return [];
  if (type.dated !== undefined) return isEventType(type) ? [type.dated.by] : [];
  return Object.entries(type.fields).flatMap(([name, { kind, sort }]) => {
    const isYear = kind === "partial_date" || kind === "date" || name === "year";
    return isYear && sort === true ? [name] : [];
  });
}

function allItems(
  reading: ReadingCopy,
  { name }: ContentType,
  { languageFilter }: Edition,
): ItemSummary[] {
  const query = { types: [name], filters: [], links: [], ...languageFilter };
  const items: ItemSummary[] = [];
  let found: ItemSummary[];
  do {
    const page = { sort: "title", descending: false, limit: LIST_LIMIT, offset: items.length };
    found = reading.items({ ...query, ...page });
    items.push(...found);
  } while (found.length === LIST_LIMIT);
  return items;
}

/** The {@link partialDateToNumber} of the first field that has a date. */
function dateNumberOf({ fields }: ItemSummary, names: readonly string[]): number | null {
  for (const name of names) {
    const value = fields[name];
    const dateNumber = value === undefined ? null : partialDateToNumber(String(value));
    if (dateNumber !== null) return dateNumber;
  }
  return null;
}

function timelineItemOf(item: ItemSummary, dateNumber: number, edition: Edition): TimelineItem {
  const year = Math.floor(dateNumber / 10_000);
  const century = year > 0 ? Math.ceil(year / 100) : Math.min(-1, Math.floor(year / 100));
  return { type: item.type, century, entry: timelineEntryOf(item, edition) };
}
