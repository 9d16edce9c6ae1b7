import type { Wording } from "../../errors.ts";
import type { ContentType } from "./content-type.ts";

/** The fields with the first and the last day of what an item is about. */
export interface Period {
  from: string;
  until: string;
  /** What to say of a last day before this first one. */
  reversed: (first: string) => Wording;
}

/** The period that a type declares: the days of an event, or the life of a person; null: none. */
export function periodOf({ dated, schemaOrg, fields }: ContentType): Period | null {
  if (dated?.until !== undefined) {
    return { from: dated.by, until: dated.until, reversed: beforeFirstDay };
  }
  const isLife = schemaOrg === "Person" && LIFE.every((name) => isDate(fields[name]?.kind));
  return isLife ? { from: "born", until: "died", reversed: beforeBirth } : null;
}

/** The fields that structured data and lists take for the life of a person. */
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
