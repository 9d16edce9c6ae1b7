import type { Problem } from "../../errors.ts";
import type { ContentType, FieldValue } from "../types/content-type.ts";
import type { DateFields } from "../types/date-fields.ts";
import { periodFieldsOf } from "../types/period.ts";
import { endsBeforeItBegins } from "./partial-date.ts";

type Fields = Readonly<Record<string, FieldValue>>;

/**
 * Reports an item that ends before it begins. Returns null if there is no such problem. The fields
 * must be valid.
 */
export function findReversedTimesProblem(fields: Fields, type: ContentType): Problem | null {
  return reversedDaysProblem(fields, type) ?? reversedHoursProblem(fields, type.dated);
}

/** Reports a last day before the first day. */
function reversedDaysProblem(fields: Fields, type: ContentType): Problem | null {
  const period = periodFieldsOf(type);
  const first = textValue(fields, period?.from);
  const last = textValue(fields, period?.until);
  if (period === null || first === null || last === null) return null;
  if (!endsBeforeItBegins(first, last)) return null;
  return { where: `fields.${period.until}`, message: period.reversed(first) };
}

function reversedHoursProblem(fields: Fields, dated: DateFields | undefined): Problem | null {
  if (dated === undefined) return null;
  const { by, until, time, untilTime } = dated;
  const firstDay = textValue(fields, by);
  const lastDay = textValue(fields, until) ?? firstDay;
  const startTime = textValue(fields, time);
  const endTime = textValue(fields, untilTime);
  const isReversed =
    startTime !== null && endTime !== null && endTime.padStart(5, "0") < startTime.padStart(5, "0");
  if (firstDay === null || firstDay !== lastDay || !isReversed) return null;
  const pastMidnight =
    until === undefined
      ? { en: "", de: "" }
      : {
          en: "; past midnight, give the last day as well",
          de: "; geht es über Mitternacht, geben Sie auch den letzten Tag an",
        };
  return {
    where: `fields.${untilTime}`,
    message: {
      en: `is before it begins (${startTime})${pastMidnight.en}`,
      de: `liegt vor dem Beginn (${startTime})${pastMidnight.de}`,
    },
  };
}

function textValue(fields: Fields, name: string | undefined): string | null {
  const value = name === undefined ? undefined : fields[name];
  return typeof value === "string" ? value : null;
}
