import type { Wording } from "../../../errors.ts";
import { titleFromText } from "../../items/first-words.ts";
import type { ContentType } from "../../types/content-type.ts";
import type { ItemsByName } from "../item-names.ts";
import { type ParseOptions, parseItem } from "../item-parsing.ts";
import type { ImportProblem, ParsedItem } from "../parsed-item.ts";
import { sourceKeyForNamedItem } from "./named-items.ts";
import { type CellProblem, contentOfRow } from "./row-values.ts";
import type { TableRow } from "./table.ts";
import { findCellCountError, type TableHeader } from "./table-header.ts";
import { ROW_KEY_TARGET } from "./table-mapping.ts";
import { hashCells, type TableSurvey } from "./table-survey.ts";

export interface RowConversionOptions extends Pick<ParseOptions, "types" | "now" | "timeZone"> {
  file: string;
  /** Identifies the table, so that a repeated import can recognise its rows. */
  name: string;
  type: ContentType;
  heading: TableHeader;
  survey: TableSurvey;
  /** Whether the file stores all cells of a row, including empty ones at the end. */
  hasAllCells: boolean;
  /**
   * Source keys of items that were created from names. If a row describes one of these items, the row
   * replaces it.
   */
  keysOfNames: Set<string>;
  /** Finds items by name, both on the site and in the import. */
  find: ItemsByName["find"];
}

export interface RowWithItem {
  row: TableRow;
  item: ParsedItem;
}

/** Converts each row to an item that is imported, skipped or refused. */
export async function* convertRowsToItems(
  rows: AsyncIterable<TableRow>,
  options: RowConversionOptions,
): AsyncGenerator<RowWithItem> {
  const { heading, file } = options;
  /** Line numbers of the rows so far, keyed by digest of all cells. */
  const seen = new Map<string, number>();
  /** Line numbers of the rows so far, keyed by digest of the columns that identify a row. */
  const keys = new Map<string, number>();
  for await (const row of rows) {
    if (heading.lines.has(row.line)) continue;
    const digest = hashCells(row.cells);
    const earlier = seen.get(digest);
    if (earlier !== undefined) {
      const skipped = duplicateLineMessage(earlier);
      const item = { ...refusedRow(row, options, []), file: `${file}:${row.line}`, skipped };
      yield { row, item };
      continue;
    }
    seen.set(digest, row.line);
    yield { row, item: itemOfRow(row, keys, options) };
  }
}

function itemOfRow(
  row: TableRow,
  keys: Map<string, number>,
  options: RowConversionOptions,
): ParsedItem {
  const fault = findCellCountError(row, options.heading, options.hasAllCells);
  if (fault !== null) return refusedRow(row, options, [{ field: "", message: fault }]);
  const { knownBy } = options.survey;
  const values = knownBy.map((name) => cellText(row, options.heading.columns.indexOf(name)));
  if (values.every((value) => value === "")) {
    const message = {
      en: `has nothing in ${columnNames(knownBy).en}, by which rows are known when they come again`,
      de: `hat nichts in ${columnNames(knownBy).de}, woran Zeilen beim nächsten Mal erkannt werden`,
    };
    return refusedRow(row, options, [{ field: knownBy[0] ?? "", message }]);
  }
  const digest = hashCells(values);
  const earlier = keys.get(digest);
  if (earlier !== undefined) {
    const message = {
      en: `has the same ${columnNames(knownBy).en} as line ${earlier}, but is another row; correct one of them`,
      de: `hat in ${columnNames(knownBy).de} dasselbe wie Zeile ${earlier}, ist aber eine andere Zeile; berichtigen Sie eine der beiden`,
    };
    return refusedRow(row, options, [{ field: knownBy[0] ?? "", message }]);
  }
  keys.set(digest, row.line);
  return parsedRow(row, { sourceKey: sourceKeyOf(values, digest, options) }, options);
}

export function duplicateLineMessage(line: number): Wording {
  return { en: `is the same as line ${line}`, de: `ist dasselbe wie Zeile ${line}` };
}

function columnNames(columns: readonly string[]): Wording {
  return {
    en: columns.map((name) => `"${name}"`).join(" and "),
    de: columns.map((name) => `„${name}“`).join(" und "),
  };
}

function cellText({ cells }: TableRow, at: number): string {
  return (cells[at] ?? "").trim();
}

const SOURCE_KEY_CHARACTERS_MAX = 300;

function sourceKeyOf(
  values: readonly string[],
  digest: string,
  { name, survey }: RowConversionOptions,
): string {
  const [only = ""] = values;
  const column = survey.columns.find((each) => each.name === survey.knownBy[0]);
  if (values.length > 1 || column === undefined) return `table:${name}/${digest}`;
  if (column.place.name === "sourceKey") return only;
  const isShort =
    column.place.name === ROW_KEY_TARGET &&
    `table:${name}/`.length + only.length <= SOURCE_KEY_CHARACTERS_MAX;
  return `table:${name}/${isShort ? only : digest}`;
}

function parsedRow(
  row: TableRow,
  identity: { sourceKey: string },
  options: RowConversionOptions,
): ParsedItem {
  const { file, type, survey } = options;
  const { values, problems, isHidden } = contentOfRow(row, survey.columns, options);
  if (values["title"] === undefined) {
    const title = titleFromText(String(values["body"] ?? ""));
    if (title === "") {
      const message = {
        en: "has neither a title nor a text",
        de: "hat weder einen Titel noch einen Text",
      };
      return refusedRow(row, options, [...problems, { field: "", message }]);
    }
    values["title"] = title;
  }
  const nameKey = sourceKeyForNamedItem(type.name, String(values["title"]));
  const replacesItemOfName = options.keysOfNames.delete(nameKey);
  const all = {
    ...values,
    ...(replacesItemOfName ? { sourceKey: nameKey } : identity),
    type: type.name,
  };
  const read = parseItem(all, { ...options, unknown: "leave_out" });
  const columnOf = (where: string) => {
    const [first = "", second = ""] = where.split(/[.[\]]+/);
    const place = first === "fields" || first === "relations" ? second : first;
    return survey.columns.find((column) => column.place.name === place)?.name ?? "";
  };
  const placeOf = (where: string) => ({ line: row.line, field: columnOf(where) || where });
  return {
    file,
    input: read.input,
    problems: [
      ...withLine(row, problems),
      ...read.problems.map(({ where, ...problem }) => ({ ...problem, ...placeOf(where) })),
    ],
    hasStatus: read.hasStatus,
    isNotPublic: isHidden || read.isNotPublic,
    skipped: null,
    leftOut: [],
    placeOf,
  };
}

function withLine({ line, ...row }: TableRow, problems: readonly CellProblem[]): ImportProblem[] {
  return [
    ...row.problems.map((problem) => ({ line, field: "", ...problem })),
    ...problems.map(({ severity = "error", ...problem }) => ({ line, ...problem, severity })),
  ];
}

function refusedRow(
  row: TableRow,
  { file }: RowConversionOptions,
  problems: readonly CellProblem[],
): ParsedItem {
  const placeOf = (field: string) => ({ line: row.line, field });
  const noItem = { input: null, hasStatus: false, isNotPublic: false, skipped: null };
  return { ...noItem, file, problems: withLine(row, problems), leftOut: [], placeOf };
}
