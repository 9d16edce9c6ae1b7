import type { Wording } from "../../../errors.ts";
import { cutAtWord } from "../../../search/language/folding.ts";
import { SUMMARY_CHARACTERS_MAX } from "../../items/item.ts";
import type { ContentType, ContentTypes, FieldKind } from "../../types/content-type.ts";
import { ambiguousNameMessage, type ItemsByName } from "../item-names.ts";
import type { ImportProblem } from "../parsed-item.ts";
import { convertCellToMarkdown } from "./cell-text.ts";
import {
  fieldValueOfCell,
  languageTagOrText,
  parseStatusName,
  splitListCell,
} from "./cell-values.ts";
import { isoDateFromText } from "./dates.ts";
import { resolveItemReference } from "./named-items.ts";
import type { TableRow } from "./table.ts";
import { ROW_KEY_TARGET } from "./table-mapping.ts";
import type { MappedColumn } from "./table-survey.ts";

/** A problem with a cell; `field` is the name of its column. */
export type CellProblem = Pick<ImportProblem, "field" | "message"> &
  Partial<Pick<ImportProblem, "severity">>;

interface CellContext {
  type: ContentType;
  types: ContentTypes;
  find: ItemsByName["find"];
}

/** The values that a row has for an item, and problems with them. */
interface RowContent {
  values: Record<string, unknown>;
  problems: CellProblem[];
  /** Whether the row says that the item is not public. */
  isHidden: boolean;
}

/**
 * Reads the cells of a row. An unreadable cell is reported and left out; the other cells are still
 * imported.
 */
export function contentOfRow(
  row: TableRow,
  columns: readonly MappedColumn[],
  context: CellContext,
): RowContent {
  const result: RowContent = { values: {}, problems: [], isHidden: false };
  for (const column of columns) {
    const text = (row.cells[column.at] ?? "").trim();
    if (text !== "") setValue(result, column, text, context);
  }
  return result;
}

function setValue(
  result: RowContent,
  column: MappedColumn,
  text: string,
  context: CellContext,
): void {
  const { place, form, name } = column;
  const { values, problems } = result;
  if (place.part === "field") {
    const value =
      place.field.kind === "markdown"
        ? (convertCellToMarkdown(text, column.textForm) ?? text)
        : fieldValueOfCell(text, place.name, { type: context.type, field: place.field, form });
    if (isReadable(value, place.field.kind, place.field.values)) {
      addValue(values, place.name, value);
    } else problems.push(unreadCell(name, text, KIND_NAMES[place.field.kind] ?? A_VALUE));
    return;
  }
  if (place.part === "relation") {
    const paths = splitListCell(text, form.separator).flatMap((each) => {
      const reference = resolveItemReference(place.relation.target, each, context);
      if ("path" in reference) return [reference.path];
      problems.push({ field: name, message: ambiguousNameMessage(each, reference.several) });
      return [];
    });
    addValue(values, place.name, paths);
    return;
  }
  if (place.name === "translationOf") {
    const reference = context.find(context.type.name, text) ?? { path: text };
    if ("path" in reference) values["translationOf"] = reference.path;
    else problems.push({ field: name, message: ambiguousNameMessage(text, reference.several) });
    return;
  }
  setItemProperty(result, column, text, place.name);
}

function setItemProperty(
  result: RowContent,
  column: MappedColumn,
  text: string,
  place: string,
): void {
  const read = ITEM_READERS[place];
  if (read === undefined) result.values[place] = text;
  else read(result, column, text);
}

type ItemReader = (result: RowContent, column: MappedColumn, text: string) => void;

const ITEM_READERS: Readonly<Record<string, ItemReader>> = {
  [ROW_KEY_TARGET]: () => {},
  sourceKey: () => {},
  title({ values }, _column, text) {
    values["title"] = text.replace(/\s+/g, " ");
  },
  language({ values }, _column, text) {
    values["language"] = languageTagOrText(text);
  },
  body({ values, problems }, { name, textForm }, text) {
    const markdown = convertCellToMarkdown(text, textForm);
    if (markdown !== null) {
      values["body"] = [values["body"], markdown].filter((each) => each).join("\n\n");
    } else problems.push(unreadCell(name, text, READABLE_HTML));
  },
  summary({ values, problems }, { name }, text) {
    const summary = text.replace(/\s+/g, " ");
    values["summary"] = cutAtWord(summary, SUMMARY_CHARACTERS_MAX);
    if (summary.length <= SUMMARY_CHARACTERS_MAX) return;
    const message = {
      en: `is longer than ${SUMMARY_CHARACTERS_MAX} characters, which a summary may have; the rest is left out`,
      de: `ist länger als die ${SUMMARY_CHARACTERS_MAX} Zeichen, die eine Zusammenfassung haben darf; der Rest wird weggelassen`,
    };
    problems.push({ field: name, message });
  },
  status(result, { name }, text) {
    const { status, isClear } = parseStatusName(text);
    result.values["status"] = status;
    result.isHidden = status !== "published";
    if (isClear) return;
    const message = {
      en: `"${shownCell(text)}" is not a known status; the row is kept as a draft`,
      de: `„${shownCell(text)}“ ist kein Status, den es hier gibt; die Zeile bleibt ein Entwurf`,
    };
    result.problems.push({ field: name, message, severity: "warning" });
  },
  redirectFrom({ values, problems }, { name }, text) {
    const addresses = splitListCell(text, /[\s;|]+/);
    const paths = addresses.flatMap((address) => pathOfAddress(address) ?? []);
    if (paths.length < addresses.length) problems.push(unreadCell(name, text, AN_ADDRESS));
    if (paths.length > 0) addValue(values, "redirectFrom", paths);
  },
  publishedAt: readTime,
  publishAt: readTime,
  expireAt: readTime,
};

function readTime({ values, problems }: RowContent, column: MappedColumn, text: string): void {
  const date = isoDateFromText(text, column.form.dayOrder);
  if (date !== null && date.length >= 10) values[column.place.name] = date;
  else problems.push(unreadCell(column.name, text, A_DAY));
}

/** Adds a value to a target. If the target is a list, several columns can add values to it. */
function addValue(values: Record<string, unknown>, place: string, value: unknown): void {
  const existing = values[place];
  values[place] =
    Array.isArray(existing) && Array.isArray(value) ? [...new Set([...existing, ...value])] : value;
}

function pathOfAddress(address: string): string | null {
  if (!/^(?:https?:\/\/|\/)/i.test(address)) return null;
  const url = URL.parse(address, "https://site.invalid");
  return url === null || url.pathname + url.search === "/" ? null : url.pathname + url.search;
}

const KIND_NAMES: Partial<Record<FieldKind, Wording>> = {
  integer: { en: "a whole number", de: "keine ganze Zahl" },
  number: { en: "a number", de: "keine Zahl" },
  boolean: { en: "yes or no", de: "weder Ja noch Nein" },
  date: { en: "a date", de: "kein Datum" },
  partial_date: {
    en: "a date, a month or a year",
    de: "kein Tag, kein Monat und kein Jahr",
  },
  url: {
    en: "an address that begins with https://",
    de: "keine Adresse, die mit https:// beginnt",
  },
};
const A_VALUE: Wording = { en: "a value of this field", de: "kein Wert dieses Felds" };
const READABLE_HTML: Wording = {
  en: "HTML that can be read: it nests too deep",
  de: "kein lesbares HTML: Es ist zu tief verschachtelt",
};
const AN_ADDRESS: Wording = { en: "an address of a site", de: "keine Adresse einer Website" };
const A_DAY: Wording = { en: "a date with its day", de: "kein Datum mit Tag" };

function isReadable(value: unknown, kind: FieldKind, values: readonly string[] = []): boolean {
  switch (kind) {
    case "integer":
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "boolean":
      return typeof value === "boolean";
    case "date":
      return /^\d{4}-\d\d-\d\d$/.test(String(value));
    case "partial_date":
      return /^~?-?\d{4}(?:-\d\d){0,2}$/.test(String(value));
    case "enum":
      return values.includes(String(value));
    case "url":
      return URL.canParse(String(value)) && /^https?:/i.test(String(value));
    default:
      return true;
  }
}

/**
 * The problem of a cell that cannot be read.
 *
 * @param expected the kind of value that the column accepts. The German text begins with `kein` or
 * `keine`, as the noun requires.
 */
function unreadCell(field: string, text: string, expected: Wording): CellProblem {
  const message = {
    en: `"${shownCell(text)}" is not ${expected.en}; the cell is left out`,
    de: `„${shownCell(text)}“ ist ${expected.de}; die Zelle wird weggelassen`,
  };
  return { field, message };
}

const SHOWN_CHARACTERS_MAX = 60;

function shownCell(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length <= SHOWN_CHARACTERS_MAX ? line : `${line.slice(0, SHOWN_CHARACTERS_MAX - 1)}…`;
}
