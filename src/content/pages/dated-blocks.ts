import { CALENDAR_FILE, EVENT_CALENDAR_FILE } from "../addresses/paths.ts";
import type { ItemSummary } from "../library.ts";
import { readTextField } from "../lists/event-times.ts";
import type { Edition } from "../site/editions.ts";
import type { ContentType } from "../types/content-type.ts";
import { isEventType } from "../types/date-fields.ts";
import { buildListBlocks } from "./lines.ts";
import type { Block } from "./view.ts";

/** Current and upcoming events, under a heading; nothing if there are none. */
export function buildUpcomingEventBlocks(
  items: readonly ItemSummary[],
  { type, edition }: { type: ContentType; edition: Edition },
): Block[] {
  if (items.length === 0) return [];
  const text = edition.texts.calendar.upcoming(type.plural);
  return [
    { kind: "heading", text, id: `upcoming-${type.name}` },
    ...buildListBlocks(items, edition),
  ];
}

/** Links with which calendar and feed programs subscribe to the list of a dated type. */
export function buildSubscriptionBlocks(
  { listPath, ...type }: ContentType,
  { texts }: Edition,
): Block[] {
  if (listPath === null || type.dated === undefined) return [];
  const feed = { text: texts.frame.feed, to: `${listPath}/feed.atom` };
  const calendar = { text: texts.calendar.subscribe, to: `${listPath}/${CALENDAR_FILE}` };
  return [{ kind: "aside", line: isEventType(type) ? [calendar, " · ", feed] : [feed] }];
}

/** A link to the event as a calendar file; none for an event without a date. */
export function buildCalendarBlocks(
  { path, fields }: Pick<ItemSummary, "path" | "fields">,
  { type, edition }: { type: ContentType; edition: Edition },
): Block[] {
  if (!isEventType(type) || readTextField(fields, type.dated.by) === null) return [];
  const to = `${encodeURI(path)}/${EVENT_CALENDAR_FILE}`;
  return [{ kind: "aside", line: [{ text: edition.texts.calendar.add, to }] }];
}
