import type { SiteTexts } from "../../texts/site/english.ts";
import { isApproximate, partialDateToNumber } from "../items/partial-date.ts";
import { FEATURED_FIELD } from "../lists/best-first.ts";
import { NAVIGATION_FIELD } from "../site/navigation-order.ts";
import type { ContentType, Field, FieldValue } from "../types/content-type.ts";
import { knownSiteName } from "./items/known-sites.ts";
import type { InlineContent } from "./view.ts";

/** The field with the URLs of pages about the item's subject on other sites; `sameAs` in schema.org. */
const SAME_AS_FIELD = "same_as";

/**
 * True if visitors see a field. False for fields that only control the navigation or the order of
 * lists, and for the portrait's fields, which the page shows as a picture.
 */
export function isFieldShownToVisitors(name: string, type: ContentType): boolean {
  const isSortName = name === type.defaultSort && type.fields[name]?.kind === "text";
  const { picture, credit } = type.portrait ?? {};
  const isOfPortrait = name === picture || name === credit;
  return name !== NAVIGATION_FIELD && name !== FEATURED_FIELD && !isSortName && !isOfPortrait;
}

/** A field's value for readers; one line per list entry. */
export function formatFieldValues(
  name: string,
  value: FieldValue,
  { field, texts }: { field: Field; texts: SiteTexts },
): InlineContent[][] {
  if (typeof value === "object") {
    return value.map((each) => [name === SAME_AS_FIELD ? recordOrText(each) : addressOrText(each)]);
  }
  switch (field.kind) {
    case "boolean":
      return [[value === true ? texts.item.yes : texts.item.no]];
    case "date":
    case "partial_date":
      return [[localizePartialDate(String(value), texts)]];
    case "url":
      return [[addressOrText(String(value))]];
    case "integer":
      return [[name === "year" ? localizePartialDate(String(value), texts) : String(value)]];
    default:
      return [[field.kind === "enum" ? enumValueLabel(field, String(value)) : String(value)]];
  }
}

/** The display name of an `enum` value. */
export function enumValueName(
  { valueNames = {} }: Pick<Field, "valueNames">,
  value: string,
): string {
  // Checks for an own property, because visitors can send any text as a value, such as
  // `constructor`.
  return Object.hasOwn(valueNames, value) ? (valueNames[value] ?? value) : value;
}

/** The display name of an `enum` value outside a sentence: capitalised, like a title. */
export function enumValueLabel(field: Pick<Field, "valueNames">, value: string): string {
  const name = enumValueName(field, value);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A partial date for readers, such as `3 March 1850`, `44 BCE` or `c. 428 BCE`; other text is unchanged. */
export function localizePartialDate(text: string, texts: SiteTexts): string {
  const dateNumber = partialDateToNumber(text);
  if (dateNumber === null) return text;
  const year = Math.floor(dateNumber / 10_000);
  const rest = dateNumber - year * 10_000;
  const month = Math.floor(rest / 100);
  const day = rest % 100;
  const date = texts.date({
    year,
    ...(month === 0 ? {} : { month }),
    ...(day === 0 ? {} : { day }),
  });
  return isApproximate(text) ? texts.approximate(date) : date;
}

function addressOrText(text: string): InlineContent {
  return /^https?:\/\//.test(text) && URL.canParse(text)
    ? { text: shortAddress(text), to: text }
    : text;
}

/**
 * Turns a URL into a link. If its site is well known, the link is labelled with the site's name.
 * Other text is unchanged.
 */
function recordOrText(text: string): InlineContent {
  const link = addressOrText(text);
  if (typeof link === "string" || !("to" in link)) return link;
  return { ...link, text: knownSiteName(link.to) ?? link.text };
}

function shortAddress(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
}
