import type { Wording } from "../../../errors.ts";
import { parseTimeInZone } from "../../site/time-zone.ts";
import { toIsoDateTime } from "../iso-date-time.ts";

export const LAST_CHANGE_KEY = "updatedAt";

const UNREADABLE: Wording = {
  en: "is not a day or time; the item gets the time of the import",
  de: "ist kein Tag und keine Uhrzeit; es gilt die Zeit des Imports",
};

interface LastChange {
  /** The time in ISO 8601, UTC; absent if the input has no readable time. */
  change: { updatedAt?: string };
  /** Warnings only: a time that cannot be read does not reject the item. */
  problems: { where: string; message: Wording; severity: "warning" }[];
}

/** Parses the value of `updatedAt`, the time of an item's last change. */
export function parseLastChange(value: unknown, timeZone: string): LastChange {
  if (value === undefined || value === null) return { change: {}, problems: [] };
  const updatedAt = timeOf(toIsoDateTime(value), timeZone);
  if (updatedAt !== null) return { change: { updatedAt }, problems: [] };
  const problem = { where: LAST_CHANGE_KEY, message: UNREADABLE, severity: "warning" as const };
  return { change: {}, problems: [problem] };
}

function timeOf(text: string | null, timeZone: string): string | null {
  if (text === null) return null;
  try {
    return parseTimeInZone(timeZone, text).toISOString();
  } catch {
    return null;
  }
}
