import { Temporal } from "temporal-polyfill";
import type { FieldFilter, ItemSummary, ListQuery, ReadingCopy } from "../library.ts";
import type { Edition } from "../site/editions.ts";
import type { ContentType } from "../types/content-type.ts";
import { type DateFields, isEventType } from "../types/date-fields.ts";

export type DatedType = ContentType & { dated: DateFields };

/** Whether lists of the type are ordered by date. */
export function isDated(type: ContentType): type is DatedType {
  return type.dated !== undefined;
}

/** The query for the items of a dated type, latest first. */
export function buildLatestFirstQuery(
  { name, dated }: DatedType,
  languageFilter: Edition["languageFilter"],
): Omit<ListQuery, "limit"> {
  return {
    types: [name],
    filters: [],
    links: [],
    ...languageFilter,
    sort: dated.by,
    descending: true,
  };
}

/**
 * Number of items of a dated type that begin before this day. Items without a date are not counted.
 */
export function countItemsBeforeDay(
  reading: Pick<ReadingCopy, "list">,
  type: DatedType,
  { languageFilter, today }: { languageFilter: Edition["languageFilter"]; today: string },
): number {
  const filters = [dayFilter(type.dated.by, "to", dayBefore(today))];
  return reading.list({ ...buildLatestFirstQuery(type, languageFilter), filters, limit: 1 }).total;
}

/**
 * Current and upcoming items, soonest first; none for types that are not events. An item that lasts
 * several days is current through its last day.
 */
export function listUpcomingItems(
  reading: Pick<ReadingCopy, "items">,
  type: ContentType,
  {
    languageFilter,
    today,
    limit,
  }: { languageFilter: Edition["languageFilter"]; today: string; limit: number },
): ItemSummary[] {
  if (!isDated(type) || !isEventType(type)) return [];
  const { by, until } = type.dated;
  const soonestFirst = { ...buildLatestFirstQuery(type, languageFilter), descending: false, limit };
  const coming = reading.items({ ...soonestFirst, filters: [dayFilter(by, "from", today)] });
  if (until === undefined) return coming;
  const runningFilters = [dayFilter(by, "to", dayBefore(today)), dayFilter(until, "from", today)];
  const running = reading.items({ ...soonestFirst, filters: runningFilters });
  return [...running, ...coming].slice(0, limit);
}

function dayFilter(field: string, operator: "from" | "to", value: string): FieldFilter {
  return { field, operator, value };
}

function dayBefore(day: string): string {
  return Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();
}
