import { createHash } from "node:crypto";
import type { Wording } from "../../../errors.ts";
import type { TableMapping } from "../../site/import-choices/table-mappings.ts";
import type { ContentType } from "../../types/content-type.ts";
import { detectTextMarkup, type TextMarkup } from "./cell-text.ts";
import type { ColumnValueFormat } from "./cell-values.ts";
import { inferDayOrder } from "./dates.ts";
import type { TableRow } from "./table.ts";
import { findCellCountError, type TableHeader } from "./table-header.ts";
import { findMappingTarget, type MappingTarget, ROW_KEY_TARGET } from "./table-mapping.ts";

/** A column that is imported. */
export interface MappedColumn {
  at: number;
  name: string;
  place: MappingTarget;
  form: ColumnValueFormat;
  textForm: TextMarkup;
}

/** Facts about a whole table that are needed to read its rows. */
export interface TableSurvey {
  columns: readonly MappedColumn[];
  rows: number;
  /**
   * Columns that have values but are not imported, with the number of these values. Columns left
   * out on purpose are not listed.
   */
  unmapped: readonly { name: string; cells: number }[];
  /** Columns that identify a row in a repeated import. */
  knownBy: readonly string[];
  notes: readonly Wording[];
}

const SURE_LIST_SEPARATOR = /[;|\n]/;
const LIST_SEPARATOR = /[,;|\n]/;
const TEXTS_SEEN_MAX = 1000;

/**
 * Gathers facts about a table in one pass over its rows.
 *
 * @param language the site's language, which decides how ambiguous dates are read.
 */
export async function surveyTable(
  rows: AsyncIterable<TableRow>,
  heading: TableHeader,
  {
    mapping,
    type,
    language,
    hasAllCells,
  }: {
    mapping: TableMapping;
    type: ContentType;
    language: string;
    hasAllCells: boolean;
  },
): Promise<TableSurvey> {
  const columns = heading.columns.flatMap((name, at) => {
    const place = findMappingTarget(mapping.columns[name] ?? "", type);
    return place === null ? [] : [trackColumn(name, at, place)];
  });
  const others = heading.columns.flatMap((name, at) =>
    name in mapping.columns ? [] : [{ name, at, cells: 0 }],
  );
  const identity = trackKeyColumn(columns);
  let count = 0;
  for await (const row of rows) {
    if (heading.lines.has(row.line)) continue;
    count += 1;
    if (findCellCountError(row, heading, hasAllCells) !== null) continue;
    for (const column of columns) column.see(cellText(row, column.at));
    for (const other of others) other.cells += cellText(row, other.at) === "" ? 0 : 1;
    identity.see(row);
  }
  const mapped = columns.map((column) => column.end(language));
  const identifying = identity.names() ?? mapped.map(({ name }) => name);
  return {
    columns: mapped,
    rows: count,
    unmapped: others.filter(({ cells }) => cells > 0),
    knownBy: mapping.knownBy.length > 0 ? mapping.knownBy : identifying,
    notes: columns.flatMap((column) => column.notes(language)),
  };
}

function cellText({ cells }: TableRow, at: number): string {
  return (cells[at] ?? "").trim();
}

const DAY_ORDERS = {
  "day-first": { en: "day/month/year", de: "Tag/Monat/Jahr" },
  "month-first": { en: "month/day/year", de: "Monat/Tag/Jahr" },
} as const;

interface ColumnTracker {
  name: string;
  at: number;
  place: MappingTarget;
  see(text: string): void;
  end(language: string): MappedColumn;
  notes(language: string): Wording[];
}

function trackColumn(name: string, at: number, place: MappingTarget): ColumnTracker {
  const seen = { "day-first": 0, "month-first": 0, either: 0 };
  const texts: string[] = [];
  let hasSureSeparator = false;
  const isText =
    place.name === "body" || (place.part === "field" && place.field.kind === "markdown");
  const isDate = place.part === "field" ? /date/.test(place.field.kind) : /At$/.test(place.name);
  const dayOrder = (language: string) => {
    if (seen["day-first"] !== seen["month-first"]) {
      return seen["day-first"] > seen["month-first"] ? "day-first" : "month-first";
    }
    return language === "en-US" ? "month-first" : "day-first";
  };
  const separator = () => {
    if (place.part === "relation" && !place.relation.many) return /(?!)/;
    const namesPeople = place.part === "relation" && place.relation.target === "author";
    return hasSureSeparator || namesPeople ? SURE_LIST_SEPARATOR : LIST_SEPARATOR;
  };
  return {
    ...{ name, at, place },
    see(text) {
      if (text === "") return;
      const order = isDate ? inferDayOrder(text) : null;
      if (order !== null) seen[order] += 1;
      if (isText && texts.length < TEXTS_SEEN_MAX) texts.push(text);
      if (SURE_LIST_SEPARATOR.test(text)) hasSureSeparator = true;
    },
    end(language) {
      const form = { dayOrder: dayOrder(language), separator: separator() } as const;
      return { at, name, place, form, textForm: detectTextMarkup(texts) };
    },
    notes(language) {
      const order = DAY_ORDERS[dayOrder(language)];
      if (seen["day-first"] > 0 && seen["month-first"] > 0) {
        return [
          {
            en: `"${name}" has dates as day/month and as month/day; those that fit both are read as ${order.en}`,
            de: `„${name}“ hat Daten als Tag/Monat und als Monat/Tag; was beides sein kann, wird als ${order.de} gelesen`,
          },
        ];
      }
      const isUndecided = seen.either > 0 && seen["day-first"] + seen["month-first"] === 0;
      const note = {
        en: `Dates in "${name}", such as 3/4/2021, are read as ${order.en}`,
        de: `Daten in „${name}“ wie 3/4/2021 werden als ${order.de} gelesen`,
      };
      return isUndecided ? [note] : [];
    },
  };
}

/**
 * Finds the columns that identify rows. If there is a key column, returns the key column. Otherwise, returns
 * the first of these whose values never repeat: title; body; title and body together.
 */
function trackKeyColumn(columns: readonly ColumnTracker[]): {
  see(row: TableRow): void;
  names(): readonly string[] | undefined;
} {
  const at = (place: string) => columns.filter((column) => column.place.name === place);
  const keyColumns = [...at("sourceKey"), ...at(ROW_KEY_TARGET)].slice(0, 1);
  if (keyColumns.length > 0)
    return { see: () => {}, names: () => keyColumns.map(({ name }) => name) };
  const groups = [at("title"), at("body"), [...at("title"), ...at("body")]];
  let candidates = groups
    .filter((group) => group.length > 0)
    .map((group) => ({ group, seen: new Set<string>() }));
  const rows = new Set<string>();
  return {
    names: () => candidates[0]?.group.map(({ name }) => name),
    see(row) {
      if (candidates.length === 0) return;
      // Ignores exact copies of a row. Copies are the same item, so they do not rule out a column.
      const rowDigest = hashCells(row.cells);
      if (rows.has(rowDigest)) return;
      rows.add(rowDigest);
      candidates = candidates.filter(({ group, seen }) => {
        const values = group.map((column) => cellText(row, column.at));
        const digest = hashCells(values);
        const isNew = !seen.has(digest) && values.some((value) => value !== "");
        seen.add(digest);
        return isNew;
      });
    },
  };
}

/** A 72-bit hash of the cells, short to save memory. Empty cells at the end do not affect it. */
export function hashCells(cells: readonly string[]): string {
  const text = JSON.stringify(cells.map((cell) => cell.trim())).replace(/(?:,"")+\]$/, "]");
  return createHash("sha256").update(text).digest("base64url").slice(0, 12);
}
