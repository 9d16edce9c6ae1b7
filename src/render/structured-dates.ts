import type { PublishedItem } from "../content/library.ts";
import { isDated } from "../content/lists/dated-lists.ts";
import { formatIsoTime, readEventTimeSpan, readTextField } from "../content/lists/event-times.ts";
import type { ContentType } from "../content/types/content-type.ts";
import { isEventType } from "../content/types/date-fields.ts";
import { type JsonText, jsonMember, jsonValueOrList, toJson } from "./json-text.ts";

/**
 * The schema.org properties that depend on the date of an item. For an event: times and places. For any
 * other dated item: headline and publication date. Empty for types without a date.
 */
export function buildDateProperties(
  item: PublishedItem,
  type: ContentType,
  timeZone: string,
): JsonText {
  if (!isDated(type)) return "";
  const { dated } = type;
  const times = readEventTimeSpan(item.fields, dated, timeZone);
  if (!isEventType(type)) {
    const day = times === null ? undefined : formatIsoTime(times.start);
    return jsonMember("headline", item.title) + jsonMember("datePublished", day);
  }
  const place = readTextField(item.fields, dated.place);
  const address = readTextField(item.fields, dated.address);
  const locations = [
    ...(place === null
      ? []
      : [`{"@type":"Place","name":${toJson(place)},"address":${toJson(place)}}`]),
    ...(address === null ? [] : [`{"@type":"VirtualLocation","url":${toJson(address)}}`]),
  ];
  return (
    jsonMember("startDate", times === null ? undefined : formatIsoTime(times.start)) +
    jsonMember("endDate", times?.end == null ? undefined : formatIsoTime(times.end)) +
    (locations.length === 0
      ? ""
      : `,"location":${jsonValueOrList(locations)}${attendance(place, address)}`)
  );
}

function attendance(place: string | null, address: string | null): JsonText {
  const mode = place === null ? "Online" : address === null ? "Offline" : "Mixed";
  return `,"eventAttendanceMode":"https://schema.org/${mode}EventAttendanceMode"`;
}
