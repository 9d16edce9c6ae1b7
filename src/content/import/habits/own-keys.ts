import { itemInputSchema } from "../../items/item.ts";
import { isRecord } from "../item-parsing.ts";

type Values = Record<string, unknown>;

/** Keys of this service that other programs use for something else. */
const SHARED = itemInputSchema.pick({
  status: true,
  fields: true,
  relations: true,
  translationOf: true,
  publishAt: true,
  expireAt: true,
  reviewAt: true,
  sourceKey: true,
}).shape;

/** Values of `status` that keep a page from visitors. */
const HIDDEN: ReadonlySet<string> = new Set([
  ..."archived draft hidden pending private scheduled unpublished".split(" "),
]);

/**
 * Takes out keys whose values do not fit here, such as the `status` of a project, and a language
 * that is none. @returns their names
 */
export function takeForeignMeanings(values: Values): string[] {
  const state = String(values["status"] ?? "")
    .trim()
    .toLowerCase();
  if (HIDDEN.has(state)) {
    delete values["status"];
    values["draft"] = true;
  }
  const wrong = Object.entries(SHARED)
    .filter(([key, schema]) => key in values && !schema.safeParse(values[key]).success)
    .map(([key]) => key);
  for (const key of wrong) delete values[key];
  return [...wrong, ...["language", "lang"].filter((key) => isWrongLanguage(key, values))];
}

/** Mends `de_DE`, and takes out what is no language. */
function isWrongLanguage(key: string, values: Values): boolean {
  const stated = values[key];
  if (typeof stated !== "string") return false;
  try {
    const [tag = ""] = Intl.getCanonicalLocales(stated.trim().replaceAll("_", "-"));
    values[key] = tag;
    return false;
  } catch {
    delete values[key];
    return true;
  }
}

/** Keys of other programs for the day a page appeared, the most telling first. */
const DATE_KEYS: readonly string[] = [
  ..."publishedAt published_at publishDate publishdate publishedDate published_date".split(" "),
  ..."pubDate pubdate datePublished date_published published created createdAt".split(" "),
  ..."created_at".split(" "),
];
const DAY = /\d{4}/;

/** Under one key: the date, however the program calls it. */
export function takeDate(values: Values): void {
  const { date } = values;
  if (isRecord(date) && !(date instanceof Date)) values["date"] = date["created"];
  const found = DATE_KEYS.filter((key) => isDate(values[key]));
  for (const key of found) {
    values["date"] ??= values[key];
    // Those that may hide a page until then stay.
    if (!/^publish(?:date|ed)$/i.test(key)) delete values[key];
  }
}

function isDate(value: unknown): boolean {
  return value instanceof Date || (typeof value === "string" && DAY.test(value));
}

const MENU_KEYS = ["menu", "menus", "eleventyNavigation"] as const;

/** Takes out the keys by which a page states its places in menus. */
export function takeMenuKeys(values: Values): Values {
  const taken: Values = {};
  for (const key of MENU_KEYS) {
    if (!(key in values)) continue;
    taken[key] = values[key];
    delete values[key];
  }
  return taken;
}
