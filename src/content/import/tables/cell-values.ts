import { SITE_TEXT_LANGUAGES, siteTexts } from "../../../texts/site/site-texts.ts";
import { toLanguageTag } from "../../lists/language-tags.ts";
import type { ContentType, Field } from "../../types/content-type.ts";
import { normalizeColumnName } from "./columns/column-names.ts";
import { type DayOrder, isoDateFromText } from "./dates.ts";

/** How the values of a column are written. */
export interface ColumnValueFormat {
  dayOrder: DayOrder;
  /** Matches the separators between list values in one cell. */
  separator: RegExp;
}

const YES_WORDS: ReadonlySet<string> = new Set("true yes y ja j x 1 wahr oui si sí ✓ ✔".split(" "));
const NO_WORDS: ReadonlySet<string> = new Set("false no n nein 0 falsch non - –".split(" "));

/**
 * Converts a cell to a field's value. A text that cannot be read is returned unchanged, so that
 * validation refuses it.
 */
export function fieldValueOfCell(
  text: string,
  name: string,
  { type, field, form }: { type: ContentType; field: Field; form: ColumnValueFormat },
): unknown {
  switch (field.kind) {
    case "integer":
      return integerOf(text);
    case "number":
      return numberOf(text);
    case "boolean":
      return YES_WORDS.has(text.toLowerCase())
        ? true
        : NO_WORDS.has(text.toLowerCase())
          ? false
          : text;
    case "date":
      return isoDateFromText(text, form.dayOrder)?.slice(0, 10) ?? text;
    case "partial_date":
      return (
        isoDateFromText(text, form.dayOrder)?.replace(/T.*$/, "") ??
        text.replace(/^(~?-?)(\d{1,3})$/, paddedYear)
      );
    case "enum":
      return enumValue(text, name, { type, field });
    case "text_list":
      return splitListCell(text, form.separator);
    case "url":
      return /^www\./i.test(text) ? `https://${text}` : text;
    default:
      return text;
  }
}

function paddedYear(_all: string, sign: string, digits: string): string {
  return sign + digits.padStart(4, "0");
}

function integerOf(text: string): unknown {
  const plain = /^([+-]?\d+)(?:[.,]0+)?$/.exec(text)?.[1] ?? /^(\d{4})-\d\d-\d\d/.exec(text)?.[1];
  const grouped = /^[+-]?\d{1,3}(?:[.,’' ]\d{3})+$/.test(text)
    ? text.replace(/[.,’' ]/g, "")
    : undefined;
  const digits = plain ?? grouped;
  return digits === undefined ? text : Number(digits);
}

function numberOf(text: string): unknown {
  const isGerman = /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+$/.test(text);
  const plain = isGerman
    ? text.replace(/\./g, "").replace(",", ".")
    : text.replace(/,(?=\d{3})/g, "");
  return /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(plain) ? Number(plain) : text;
}

/**
 * Looks up a value of an enum field by its name, in all languages of the product. If no value has the name
 * `text`, returns `text`.
 */
function enumValue(
  text: string,
  name: string,
  { type, field }: { type: ContentType; field: Field },
): string {
  const normalText = normalizeColumnName(text);
  const names = [
    ...SITE_TEXT_LANGUAGES.flatMap((language) => siteTexts(language).types[type.name] ?? []),
    ...Object.values(type.translations ?? {}),
  ].map((texts) => texts.fields?.[name]?.values ?? {});
  const found = field.values?.find((value) =>
    [value, field.valueNames?.[value], ...names.map((each) => each[value])].some(
      (each) => each !== undefined && normalizeColumnName(each) === normalText,
    ),
  );
  return found ?? text;
}

/** The values of a list in one cell, without duplicates. */
export function splitListCell(text: string, separator: RegExp): string[] {
  return [
    ...new Set(
      text
        .split(separator)
        .map((each) => each.trim())
        .filter((each) => each !== ""),
    ),
  ];
}

const PUBLIC_WORDS: ReadonlySet<string> = new Set(
  "published publish public veröffentlicht öffentlich online live sichtbar visible freigegeben aktiv active publié publicado".split(
    " ",
  ),
);
const ARCHIVED_WORDS: ReadonlySet<string> = new Set(
  "archived archiviert archiv archive".split(" "),
);
const HIDDEN_WORDS: ReadonlySet<string> = new Set(
  "draft entwurf private privat pending hidden versteckt offline unveröffentlicht unpublished intern brouillon borrador".split(
    " ",
  ),
);

/** The status with this name. If the name is unknown, the status is `draft` and `isClear` is false. */
export function parseStatusName(text: string): { status: string; isClear: boolean } {
  const word = text.toLowerCase().trim();
  if (PUBLIC_WORDS.has(word) || YES_WORDS.has(word)) return { status: "published", isClear: true };
  if (ARCHIVED_WORDS.has(word)) return { status: "archived", isClear: true };
  return { status: "draft", isClear: HIDDEN_WORDS.has(word) || NO_WORDS.has(word) };
}

/**
 * The language tag for a text that is a tag or the name of a language. Any other text is returned unchanged.
 */
export function languageTagOrText(text: string): string {
  return toLanguageTag(text) ?? text.trim().replaceAll("_", "-");
}
