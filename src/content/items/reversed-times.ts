import type { Problem } from "../../errors.ts";
import type { FieldValue } from "../types/content-type.ts";
import type { Dated } from "../types/dated.ts";

type Fields = Readonly<Record<string, FieldValue>>;

/** Reports an item that ends before it begins; null if it does not. The fields must be valid. */
export function reversedTimes(fields: Fields, dated: Dated | undefined): Problem | null {
  if (dated === undefined) return null;
  const { by, until, time, untilTime } = dated;
  const first = textValue(fields, by);
  const last = textValue(fields, until) ?? first;
  if (until !== undefined && first !== null && last !== null && last < first) {
    return {
      where: `fields.${until}`,
      message: {
        en: `is before the first day (${first})`,
        de: `liegt vor dem ersten Tag (${first})`,
      },
    };
  }
  const begins = textValue(fields, time);
  const ends = textValue(fields, untilTime);
  const isReversed =
    begins !== null && ends !== null && ends.padStart(5, "0") < begins.padStart(5, "0");
  if (first === null || first !== last || !isReversed) return null;
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
      en: `is before it begins (${begins})${pastMidnight.en}`,
      de: `liegt vor dem Beginn (${begins})${pastMidnight.de}`,
    },
  };
}

function textValue(fields: Fields, name: string | undefined): string | null {
  const value = name === undefined ? undefined : fields[name];
  return typeof value === "string" ? value : null;
}
