import { Temporal } from "temporal-polyfill";
import { pageUrl } from "../content/addresses/addresses.ts";
import { CALENDAR_FILE, EVENT_CALENDAR_FILE } from "../content/addresses/paths.ts";
import type { ItemSummary } from "../content/library.ts";
import { buildLatestFirstQuery, type DatedType, isDated } from "../content/lists/dated-lists.ts";
import {
  type EventTime,
  type EventTimeSpan,
  readEventTimeSpan,
  readTextField,
} from "../content/lists/event-times.ts";
import { findTypeAndEditionByListPath } from "../content/lists/sections.ts";
import { isEventType } from "../content/types/date-fields.ts";
import type { DiscoveryDocument, DocumentContext } from "./document.ts";
import { pagePathFromMatch } from "./feeds.ts";

const CONTENT_TYPE = "text/calendar; charset=utf-8";
const EVENTS_MAX = 200;
/** Lines longer than this are folded: the rest follows on the next line, after a space (RFC 5545, 3.1). */
const LINE_OCTETS_MAX = 75;

/** The latest events of a type as a calendar (RFC 5545). */
export const calendarOfList: DiscoveryDocument = {
  name: "Calendar",
  paths: [`/:path+/${CALENDAR_FILE}`],
  contentType: CONTENT_TYPE,
  render(context, parameters) {
    const { reading } = context;
    const list = findTypeAndEditionByListPath(reading, pagePathFromMatch(parameters));
    if (list === null || !isDated(list.type) || !isEventType(list.type)) return null;
    const { type, edition } = list;
    const items = reading.items({
      ...buildLatestFirstQuery(type, edition.languageFilter),
      limit: EVENTS_MAX,
    });
    return calendar(`${type.plural} – ${edition.site.name}`, items, { type, context });
  },
};

export const calendarOfItem: DiscoveryDocument = {
  name: "Calendar entry of an event",
  paths: [`/:path+/${EVENT_CALENDAR_FILE}`],
  contentType: CONTENT_TYPE,
  render(context, parameters) {
    const resolution = context.reading.resolve(pagePathFromMatch(parameters));
    if (resolution.kind !== "item") return null;
    const type = context.reading.types().get(resolution.item.type);
    if (type === undefined || !isDated(type) || !isEventType(type)) return null;
    const { item } = resolution;
    if (readTextField(item.fields, type.dated.by) === null) return null;
    return calendar(item.title, [item], { type, context });
  },
};

interface CalendarParts {
  type: DatedType;
  context: DocumentContext;
}

function calendar(name: string, items: readonly ItemSummary[], parts: CalendarParts): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//Commonplace//${parts.context.version}//EN`,
    `X-WR-CALNAME:${escaped(name)}`,
    ...items.flatMap((item) => eventLines(item, parts)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

/** The lines of an event; none if the item has no date. */
function eventLines(item: ItemSummary, { type: { dated }, context }: CalendarParts): string[] {
  const { fields } = item;
  const { timeZone } = context.reading.site();
  const times = readEventTimeSpan(fields, dated, timeZone);
  if (times === null) return [];
  const url = pageUrl(context.origin, item.path);
  const address = readTextField(fields, dated.address);
  return [
    "BEGIN:VEVENT",
    `UID:${url}`,
    `DTSTAMP:${utc(item.updatedAt)}`,
    timeLine("DTSTART", times.start),
    ...endLines(times, timeZone),
    `SUMMARY:${escaped(item.title)}`,
    ...property("DESCRIPTION", item.summary),
    ...property("LOCATION", readTextField(fields, dated.place) ?? address ?? ""),
    `URL:${url}`,
    "END:VEVENT",
  ];
}

/**
 * In RFC 5545 an event that ends on a day ends as the next day begins. This end is a moment if the
 * start is one, because both have to be of the same kind.
 */
function endLines({ start, end }: EventTimeSpan, timeZone: string): string[] {
  if (end === null || "moment" in end) return end === null ? [] : [timeLine("DTEND", end)];
  const nextDay = Temporal.PlainDate.from(end.day).add({ days: 1 });
  const time =
    "day" in start ? { day: nextDay.toString() } : { moment: nextDay.toZonedDateTime(timeZone) };
  return [timeLine("DTEND", time)];
}

/** An iCalendar property whose value is a day or a time. */
function timeLine(name: string, time: EventTime): string {
  if ("moment" in time) return `${name}:${utc(time.moment.toInstant().toString())}`;
  return `${name};VALUE=DATE:${time.day.replaceAll("-", "")}`;
}

function utc(moment: string): string {
  const text = Temporal.Instant.from(moment).toString({ smallestUnit: "second" });
  return text.replaceAll(/[-:]/g, "");
}

function property(name: string, text: string): string[] {
  return text === "" ? [] : [`${name}:${escaped(text)}`];
}

function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, "\\$&")
    .replaceAll(/\r?\n/g, "\\n")
    .replaceAll(/\p{Cc}/gu, "");
}

function folded(line: string): string {
  const parts = [""];
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_OCTETS_MAX) {
      parts.push("");
      octets = 1;
    }
    parts[parts.length - 1] += character;
    octets += size;
  }
  return parts.join("\r\n ");
}
