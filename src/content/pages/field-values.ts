import { partialDateNumber } from "../items/partial-date.ts";
import { NAVIGATION_FIELD } from "../site/navigation-order.ts";
import type { ContentType, Field, FieldValue } from "../types/content-type.ts";
import type { Inline } from "./view.ts";

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** Whether to show a field: not the navigation position, nor a sort name equal to the title. */
export function isShownField(
  name: string,
  value: FieldValue,
  { title, type }: { title: string; type: ContentType },
): boolean {
  return name !== NAVIGATION_FIELD && !(name === type.defaultSort && value === title);
}

/** A field's value for readers; one line per list entry. */
export function formatValues(name: string, field: Field, value: FieldValue): Inline[][] {
  if (typeof value === "object") return value.map((each) => [addressOrText(each)]);
  switch (field.kind) {
    case "boolean":
      return [[value === true ? "yes" : "no"]];
    case "date":
    case "partial_date":
      return [[formatDate(String(value))]];
    case "url":
      return [[addressOrText(String(value))]];
    case "integer":
      return [[name === "year" ? formatDate(String(value)) : String(value)]];
    default:
      return [[String(value)]];
  }
}

/** `1850`, `March 1850`, `3 March 1850`; years before the common era as `44 BCE`. */
export function formatDate(text: string): string {
  const number = partialDateNumber(text);
  if (number === null) return text;
  const year = Math.floor(number / 10_000);
  const rest = number - year * 10_000;
  const day = rest % 100;
  const parts = [
    day === 0 ? "" : String(day),
    MONTHS[Math.floor(rest / 100) - 1] ?? "",
    year < 0 ? `${-year} BCE` : String(year),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

function addressOrText(text: string): Inline {
  return /^https?:\/\//.test(text) && URL.canParse(text)
    ? { text: shortAddress(text), to: text }
    : text;
}

function shortAddress(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
}
