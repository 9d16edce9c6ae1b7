import type { Wording } from "../../../errors.ts";
import { cutAtWord } from "../../../search/language/folding.ts";
import { itemInputSchema, SUMMARY_CHARACTERS_MAX } from "../../items/item.ts";
import { isAmbiguousDay, toIsoDateTime } from "../iso-date-time.ts";
import { isRecord } from "../item-parsing.ts";
import { PUBLICATION_DATE_KEYS } from "../not-public.ts";
import { LAST_CHANGE_KEY } from "../parsing/last-change.ts";
import type { ConversionNote } from "./conversion-note.ts";
import type { SiteGenerator } from "./site-generator.ts";

type Values = Record<string, unknown>;

/** Keys of this service that have another meaning in other site generators. */
const SHARED_KEYS = itemInputSchema.pick({
  status: true,
  fields: true,
  relations: true,
  translationOf: true,
  publishAt: true,
  expireAt: true,
  reviewAt: true,
  sourceKey: true,
}).shape;

/** Values of `status` that hide a page from visitors. */
const HIDING_STATUSES: ReadonlySet<string> = new Set([
  ..."archived confidential draft hidden intern internal members pending planned private".split(
    " ",
  ),
  ..."protected scheduled secret trash trashed unlisted unpublished".split(" "),
  ..."entwurf geplant privat verborgen versteckt vertraulich unveröffentlicht".split(" "),
]);

/**
 * Removes keys whose values are invalid in this service, such as the `status` of a project. Also removes
 * invalid language tags.
 *
 * @returns the names of the removed keys.
 */
export function removeInvalidKeys(values: Values): string[] {
  const status = String(values["status"] ?? "")
    .trim()
    .toLowerCase();
  if (HIDING_STATUSES.has(status)) {
    delete values["status"];
    values["draft"] = true;
  }
  const unfit = Object.entries(SHARED_KEYS)
    .filter(([key, schema]) => key in values && !schema.safeParse(values[key]).success)
    .map(([key]) => key);
  // In other site generators, `navigation` lists neighbouring pages; in this service, it is a position in
  // the site's navigation.
  if (typeof values["navigation"] === "object") unfit.push("navigation");
  for (const key of unfit) delete values[key];
  return [...unfit, ...["language", "lang"].filter((key) => dropInvalidLanguage(key, values))];
}

/**
 * Corrects a language tag such as `de_DE`, or removes an invalid tag. Returns true if the tag was removed.
 */
function dropInvalidLanguage(key: string, values: Values): boolean {
  const raw = values[key];
  if (typeof raw !== "string") return false;
  try {
    const [tag = ""] = Intl.getCanonicalLocales(raw.trim().replaceAll("_", "-"));
    values[key] = tag;
    return false;
  } catch {
    delete values[key];
    return true;
  }
}

/** Keys that other site generators use for the publication date, the most specific first. */
const DATE_KEYS: readonly string[] = [
  ..."publishedAt published_at publishDate publishdate publishedDate published_date".split(" "),
  ..."pubDate pubdate datePublished date_published published created createdAt".split(" "),
  ..."created_at".split(" "),
];
const HAS_YEAR = /\d{4}/;

const HIDING_UNTIL: ReadonlySet<string> = new Set([...PUBLICATION_DATE_KEYS, "published"]);

/** Moves the publication date to the key `date`, unless `date` already has a value. */
export function normalizeDateKey(values: Values): void {
  const { date } = values;
  if (isRecord(date) && !(date instanceof Date)) values["date"] = date["created"];
  const found = DATE_KEYS.filter((key) => isDate(values[key]));
  for (const key of found) {
    values["date"] ??= values[key];
    if (key === "publishedAt") values["publishDate"] ??= values[key];
    // Keeps a key that has a second meaning: it can hide the page until its date.
    if (!HIDING_UNTIL.has(key.toLowerCase())) delete values[key];
  }
}

function isDate(value: unknown): boolean {
  return value instanceof Date || (typeof value === "string" && HAS_YEAR.test(value));
}

/** Keys that other site generators use for the last change, the most specific first. */
const LAST_CHANGE_KEYS: readonly string[] = [
  ..."lastmod last_modified_at last_update updated lastUpdated updatedDate updatedAt".split(" "),
  ..."updated_at modified dateModified date_modified modifiedAt".split(" "),
];

/**
 * Moves the time of the last change, converted to ISO 8601, to this service's key. Keys whose values are not
 * a valid day or time are kept.
 */
export function normalizeLastChangeKey(values: Values): void {
  const found: string[] = [];
  for (const key of LAST_CHANGE_KEYS) {
    const raw = values[key];
    const changed = toIsoDateTime(isRecord(raw) && !(raw instanceof Date) ? raw["date"] : raw);
    if (changed === null) continue;
    delete values[key];
    found.push(changed);
  }
  if (found[0] !== undefined) values[LAST_CHANGE_KEY] = found[0];
}

/** Removes an invalid `date`, and converts a valid one to ISO 8601. */
export function normalizeDateValue(values: Values, notes: ConversionNote[]): void {
  const { date } = values;
  if (date === undefined || date === null || date instanceof Date) return;
  const text = toIsoDateTime(date);
  if (text === null) {
    delete values["date"];
    notes.push({ key: "date", message: NO_DATE });
    return;
  }
  values["date"] = text;
  if (isAmbiguousDay(date)) notes.push({ key: "date", message: readAs(text) });
}

const NO_DATE: Wording = {
  en: "is not a date and is left out",
  de: "ist kein Datum und wird weggelassen",
};

function readAs(day: string): Wording {
  return {
    en: `may be two different days and is read as ${day}; write it like ${day}`,
    de: `kann zwei verschiedene Tage bedeuten und wird als ${day} gelesen; schreiben Sie es wie ${day}`,
  };
}

const MENU_KEYS = ["menu", "menus", "eleventyNavigation"] as const;

/** Removes and returns the keys that place a page in menus. */
export function extractMenuKeys(values: Values): Values {
  const removed: Values = {};
  for (const key of MENU_KEYS) {
    if (!(key in values)) continue;
    removed[key] = values[key];
    delete values[key];
  }
  return removed;
}

/**
 * Makes a page a draft if it has a tag that hides pages, and removes such tags, because they are
 * not topics.
 */
export function applyHidingTags(values: Values, { hidingTags = [] }: SiteGenerator): void {
  const tags = [values["tags"] ?? []].flat();
  const others = tags.filter((tag) => !hidingTags.includes(String(tag).toLowerCase()));
  if (others.length === tags.length) return;
  values["draft"] = true;
  values["tags"] = others;
}

const SUMMARY_KEYS = ["summary", "description", "excerpt"] as const;

/**
 * Sets `summary` to the first text under {@link SUMMARY_KEYS}, shortened to fit. Removes the other
 * summary keys.
 */
export function normalizeSummaryKey(
  values: Record<string, unknown>,
  notes: ConversionNote[],
): void {
  const key = SUMMARY_KEYS.find((name) => typeof values[name] === "string");
  if (key === undefined) return;
  const text = String(values[key]).trim();
  for (const name of SUMMARY_KEYS) delete values[name];
  if (text.length > SUMMARY_CHARACTERS_MAX) {
    const message = {
      en: `is longer than ${SUMMARY_CHARACTERS_MAX} characters and was shortened`,
      de: `ist länger als ${SUMMARY_CHARACTERS_MAX} Zeichen und wurde gekürzt`,
    };
    notes.push({ key, message });
  }
  values["summary"] = cutAtWord(text, SUMMARY_CHARACTERS_MAX);
}
