import { isRecord } from "../../item-parsing.ts";
import type { SiteGenerator } from "../site-generator.ts";
import type { PageAddressInput } from "./page-address-input.ts";
import { rawSitePathOfFile } from "./site-paths.ts";

/** Matches the start of a Liquid or Nunjucks tag. */
export const TEMPLATE_TAG_START = /\{[{%]/;
const OUTPUT = /\{\{-?([^{}]{1,300}?)-?\}\}/g;
const PARTS_BETWEEN_BARS = /(?:[^|"']|"[^"]*"|'[^']*')+/g;

type Page = Pick<PageAddressInput, "file" | "values" | "day">;

/** A text, or a date as `2024-02-01`. */
type Value = { text: string } | { day: string };

/**
 * Fills the template of an address, such as `/journal/{{ title | slugify }}/`, as Eleventy does. Null: the
 * template uses something that only Eleventy can compute.
 */
export function fillAddressTemplate(
  template: string,
  page: Page,
  generator: SiteGenerator,
): string | null {
  let isComplete = true;
  const filled = template.replaceAll(OUTPUT, (_whole, expression: string) => {
    const value = resultOf(expression, page, generator);
    if (value === null || "day" in value) isComplete = false;
    return value !== null && "text" in value ? value.text : "";
  });
  if (!isComplete || TEMPLATE_TAG_START.test(filled)) return null;
  return `/${filled}`.replaceAll(/\/{2,}/g, "/");
}

function resultOf(expression: string, page: Page, generator: SiteGenerator): Value | null {
  const [name = "", ...filters] = (expression.match(PARTS_BETWEEN_BARS) ?? []).map((part) =>
    part.trim(),
  );
  if (filters.length !== expression.replaceAll(/"[^"]*"|'[^']*'/g, "").split("|").length - 1)
    return null;
  let value = namedValue(name, page, generator);
  for (const filter of filters) value = value === null ? null : filtered(value, filter);
  return value;
}

function namedValue(name: string, page: Page, generator: SiteGenerator): Value | null {
  const quoted = quotedText(name);
  if (quoted !== null) return { text: quoted };
  const { file, values, day } = page;
  switch (name) {
    case "page.date":
    case "date":
      return day === null ? null : { day };
    case "page.date.getFullYear()":
    case "page.date.getUTCFullYear()":
      return day === null ? null : { text: day.slice(0, 4) };
    case "page.inputPath":
      return { text: `./${file}` };
    case "page.outputFileExtension":
      return { text: "html" };
    case "page.filePathStem":
      return { text: `/${stemOf(file, generator)}` };
    case "page.fileSlug":
      return { text: fileSlugOf(stemOf(file, generator)) };
    default:
      return statedValue(name, values);
  }
}

const DAY_IN_NAME = /^\d{4}-\d{2}-\d{2}-/;

/** The file's path below the content folder, without its extension and without the date in its name. */
function stemOf(file: string, generator: SiteGenerator): string {
  const parts = (rawSitePathOfFile(file, generator) ?? file).replace(/\.\w+$/, "").split("/");
  return [...parts.slice(0, -1), (parts.at(-1) ?? "").replace(DAY_IN_NAME, "")].join("/");
}

/** The file's name or, for an index file, the name of its folder; empty for the home page. */
function fileSlugOf(stem: string): string {
  const parts = stem.split("/");
  const name = parts.pop() ?? "";
  return name === "index" ? (parts.pop() ?? "").replace(DAY_IN_NAME, "") : name;
}

/** The value of a key such as `title` or `event.day` in the front matter. */
function statedValue(name: string, values: Page["values"]): Value | null {
  if (!/^\w+(?:\.\w+)*$/.test(name)) return null;
  let value: unknown = values;
  for (const key of name.split(".")) {
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  if (value instanceof Date) return { day: value.toISOString().slice(0, 10) };
  return typeof value === "string" || typeof value === "number" ? { text: String(value) } : null;
}

const FILTERS: Readonly<Record<string, (text: string) => string | null>> = {
  slugify,
  slug,
  lower: (text) => text.toLowerCase(),
  downcase: (text) => text.toLowerCase(),
};

/** Applies a filter such as `slugify` or `date: "%Y"`. */
function filtered(value: Value, filter: string): Value | null {
  const [, name = "", colon, call] = /^(\w+)\s*(?::(.+)|\((.*)\))?$/.exec(filter) ?? [];
  const argument = colon ?? call;
  const format = name === "date" ? quotedText((argument ?? "").trim()) : null;
  const written = "day" in value ? value.day : /^\d{4}-\d{2}-\d{2}/.exec(value.text)?.[0];
  const isPlain = argument === undefined && "text" in value && Object.hasOwn(FILTERS, name);
  const text =
    format !== null && written !== undefined
      ? formattedDay(written, format)
      : isPlain
        ? (FILTERS[name]?.(value.text) ?? null)
        : null;
  return text === null ? null : { text };
}

/** Formats a date by a pattern of `strftime`; null if the pattern has an unknown part. */
function formattedDay(day: string, format: string): string | null {
  const [year = "", month = "", dayOfMonth = ""] = day.split("-");
  const named = (style: "long" | "short") =>
    new Date(day).toLocaleString("en", { month: style, timeZone: "UTC" });
  const parts: Readonly<Record<string, string>> = {
    ...{ "%Y": year, "%y": year.slice(2), "%m": month, "%d": dayOfMonth },
    ...{ "%-m": String(Number(month)), "%-d": String(Number(dayOfMonth)) },
    ...{ "%B": named("long"), "%b": named("short"), "%F": day },
  };
  const text = format.replaceAll(/%-?[a-zA-Z]/g, (part) => parts[part] ?? part);
  return text.includes("%") ? null : text;
}

/**
 * Eleventy's filter `slugify` (https://github.com/sindresorhus/slugify). Null: the text has letters that
 * this function cannot transliterate.
 */
function slugify(text: string): string | null {
  const lower = text.toLowerCase().replaceAll(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter);
  const plain = inPlainLetters(lower)
    .replaceAll("&", " and ")
    .replaceAll(/(?<=[a-z\d])['’](?=[ts](?:\s|$))/g, "");
  if (/[^\P{L}a-z]/u.test(plain)) return null;
  return plain.replaceAll(/[^a-z\d]+/g, "-").replace(/^-|-$/g, "");
}

/** Eleventy's older filter `slug` (https://github.com/simov/slugify). */
function slug(text: string): string | null {
  const plain = inPlainLetters(text.toLowerCase())
    .replaceAll(/[–-]/g, " ")
    .replaceAll(/[&%$]/g, (sign) => SIGNS[sign] ?? sign);
  if (/[^\0-\x7F]/.test(plain)) return null;
  return plain
    .replaceAll(/[^\w\s*+~.()'"!:@]/g, "")
    .trim()
    .replaceAll(/\s+/g, "-");
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue" };
const SIGNS: Readonly<Record<string, string>> = { "&": "and", "%": "percent", $: "dollar" };

function inPlainLetters(text: string): string {
  return text.replaceAll("ß", "ss").normalize("NFD").replaceAll(/\p{M}/gu, "");
}

/** The text between quotation marks; null: the part is not quoted. */
function quotedText(part: string): string | null {
  const [, double, single] = /^(?:"([^"]*)"|'([^']*)')$/.exec(part) ?? [];
  return double ?? single ?? null;
}
