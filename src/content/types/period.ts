import type { Wording } from "../../errors.ts";
import type { ContentType } from "./content-type.ts";

/**
 * The names of the fields with the first and last day of a period, such as an event or a person's
 * life.
 */
export interface PeriodFields {
  from: string;
  until: string;
  /** Builds the message for a last day that is before the first day. `first` is that first day. */
  reversed: (first: string) => Wording;
}

/**
 * The fields with the period of a type's items: the days of an event, or a person's life. Null if
 * there are none.
 */
export function periodFieldsOf({ dated, schemaOrg, fields }: ContentType): PeriodFields | null {
  if (dated?.until !== undefined) {
    return { from: dated.by, until: dated.until, reversed: beforeFirstDay };
  }
  const isLife = schemaOrg === "Person" && LIFE.every((name) => isDate(fields[name]?.kind));
  return isLife ? { from: "born", until: "died", reversed: beforeBirth } : null;
}

/** The fields that structured data and lists use as a person's dates of birth and death. */
const LIFE = ["born", "died"] as const;

function isDate(kind: string | undefined): boolean {
  return kind === "date" || kind === "partial_date";
}

function beforeFirstDay(first: string): Wording {
  return { en: `is before the first day (${first})`, de: `liegt vor dem ersten Tag (${first})` };
}

function beforeBirth(first: string): Wording {
  return { en: `is before the birth (born: ${first})`, de: `liegt vor der Geburt (${first})` };
}
