import type { PublishedItem } from "../content/library.ts";
import { isDated } from "../content/lists/dated-lists.ts";
import { eventTimes, isoTime, textFieldValue } from "../content/lists/event-times.ts";
import type { ContentType } from "../content/types/content-type.ts";
import { isEventType } from "../content/types/date-fields.ts";
import { type JsonText, jsonMember, jsonValueOrList, toJson } from "./json-text.ts";

/**
 * The schema.org properties that depend on the date of an item. For an event: times and places. For any
 * other dated item: headline and publication date. Empty for types without a date.
 */
export function dateProperties(item: PublishedItem, type: ContentType, timeZone: string): JsonText {
  if (!isDated(type)) return "";
  const { dated } = type;
  const times = eventTimes(item.fields, dated, timeZone);
  if (!isEventType(type)) {
    const day = times === null ? undefined : isoTime(times.start);
    return jsonMember("headline", item.title) + jsonMember("datePublished", day);
  }
  const place = textFieldValue(item.fields, dated.place);
  const address = textFieldValue(item.fields, dated.address);
  const locations = [
    ...(place === null
      ? []
      : [`{"@type":"Place","name":${toJson(place)},"address":${toJson(place)}}`]),
    ...(address === null ? [] : [`{"@type":"VirtualLocation","url":${toJson(address)}}`]),
  ];
  return (
    jsonMember("startDate", times === null ? undefined : isoTime(times.start)) +
    jsonMember("endDate", times?.end == null ? undefined : isoTime(times.end)) +
    (locations.length === 0
      ? ""
      : `,"location":${jsonValueOrList(locations)}${attendance(place, address)}`)
  );
}

function attendance(place: string | null, address: string | null): JsonText {
  const mode = place === null ? "Online" : address === null ? "Offline" : "Mixed";
  return `,"eventAttendanceMode":"https://schema.org/${mode}EventAttendanceMode"`;
}
