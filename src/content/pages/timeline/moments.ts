import { partialDateNumber } from "../../items/partial-date.ts";
import type { ItemSummary, ReadingCopy } from "../../library.ts";
import type { Edition } from "../../site/editions.ts";
import type { ContentType } from "../../types/content-type.ts";
import { takesPlace } from "../../types/dated.ts";
import { isQuotation, timelineEntry } from "../lines.ts";
import type { Entry } from "../view.ts";

/**
 * Limit of all types together, as items are read and sorted in memory; a type that would exceed it
 * is left out.
 */
const ITEMS_MAX = 2000;
const LIST_LIMIT = 100;

/** An item on the timeline. */
export interface Moment {
  type: string;
  /** Negative for years BCE. */
  century: number;
  entry: Entry;
}

/** The items of an edition that have a year, earliest first. */
export interface Timeline {
  types: readonly ContentType[];
  moments: readonly Moment[];
}

/** Never stale: each version of the content has its own `Edition` objects. */
const known = new WeakMap<Edition, Timeline>();

export function timelineOf(reading: ReadingCopy, edition: Edition): Timeline {
  const found = known.get(edition) ?? createTimeline(reading, edition);
  known.set(edition, found);
  return found;
}

/**
 * Whether the timeline has items of the type. Reads one item per field, since list pages call it
 * too.
 */
export function isOnTimeline(
  reading: ReadingCopy,
  { name }: ContentType,
  edition: Edition,
): boolean {
  const { fields = [] } = datedTypes(reading, edition).find(({ type }) => type.name === name) ?? {};
  return fields.some((field) => {
    const query = { types: [name], filters: [], links: [], sort: field, descending: false };
    const [first] = reading.items({ ...query, ...edition.only, limit: 1 });
    return first !== undefined && firstNumber(first, [field]) !== null;
  });
}

function createTimeline(reading: ReadingCopy, edition: Edition): Timeline {
  const types: ContentType[] = [];
  const dated: { number: number; moment: Moment }[] = [];
  for (const { type, fields } of datedTypes(reading, edition)) {
    const found = allItems(reading, type, edition).flatMap((item) => {
      const number = firstNumber(item, fields);
      return number === null ? [] : [{ number, moment: momentOf(item, number, edition) }];
    });
    if (found.length > 0) types.push(type);
    dated.push(...found);
  }
  dated.sort((a, b) => a.number - b.number);
  return { types, moments: dated.map(({ moment }) => moment) };
}

/** The types that the timeline reads, each with the fields that date its items. */
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

/** Fields with the date of an item, preferred ones first; none for quotations and news. */
function yearFields(type: ContentType, { types }: Edition): string[] {
  if (isQuotation(types, type.name)) return [];
  if (type.dated !== undefined) return takesPlace(type) ? [type.dated.by] : [];
  return Object.entries(type.fields).flatMap(([name, { kind, sort }]) => {
    const isYear = kind === "partial_date" || kind === "date" || name === "year";
    return isYear && sort === true ? [name] : [];
  });
}

function allItems(reading: ReadingCopy, { name }: ContentType, { only }: Edition): ItemSummary[] {
  const query = { types: [name], filters: [], links: [], ...only };
  const all: ItemSummary[] = [];
  let found: ItemSummary[];
  do {
    const page = { sort: "title", descending: false, limit: LIST_LIMIT, offset: all.length };
    found = reading.items({ ...query, ...page });
    all.push(...found);
  } while (found.length === LIST_LIMIT);
  return all;
}

function firstNumber({ fields }: ItemSummary, names: readonly string[]): number | null {
  for (const name of names) {
    const value = fields[name];
    const number = value === undefined ? null : partialDateNumber(String(value));
    if (number !== null) return number;
  }
  return null;
}

/** `number` has the format of `partialDateNumber`. */
function momentOf(item: ItemSummary, number: number, edition: Edition): Moment {
  const year = Math.floor(number / 10_000);
  const century = year > 0 ? Math.ceil(year / 100) : Math.min(-1, Math.floor(year / 100));
  return { type: item.type, century, entry: timelineEntry(item, edition) };
}
