import type { Wording } from "../../../../errors.ts";
import type { TableMapping } from "../../../site/import-choices/table-mappings.ts";
import type { OmittedTablePart, TableRow } from "../table.ts";
import type { TableHeader } from "../table-header.ts";
import type { OpenTable } from "./table-source.ts";

/** How a file is read as a table, judged by its first rows. */
export interface TablePreview {
  file: string;
  /** The name under which the table's mapping is saved. */
  name: string;
  type: string;
  form: Wording;
  sheet: string | null;
  sheets: readonly string[];
  /** Number of lines with headings. */
  headings: number;
  /** Whether the mapping was saved by an earlier import. */
  isKnown: boolean;
  columns: readonly TableColumn[];
}

interface TableColumn {
  column: string;
  /** The target that the column is mapped to; null: the column is not mapped. */
  place: string | null;
  /** The column's first value, shortened; empty if the first rows have none. */
  example: string;
}

/** How a file was read as a table, and what was found in all of its rows. */
export interface TableReadResult extends TablePreview {
  rows: number;
  /** Number of items, such as authors, works and topics, that are created from names in rows. */
  names: number;
  knownBy: readonly string[];
  notes: readonly Wording[];
  leftOut: readonly OmittedTablePart[];
}

const EXAMPLE_CHARACTERS_MAX = 50;

/** @param rows the first rows of the table, without headings. */
export function buildTablePreview(
  { form, sheet, sheets }: OpenTable,
  rows: readonly TableRow[],
  {
    heading,
    mapping,
    ...names
  }: Pick<TablePreview, "file" | "name" | "isKnown"> & {
    heading: TableHeader;
    mapping: TableMapping;
  },
): TablePreview {
  const columns = heading.columns.map((column, at) => {
    const value =
      rows.map(({ cells }) => (cells[at] ?? "").trim()).find((cell) => cell !== "") ?? "";
    const place = Object.hasOwn(mapping.columns, column) ? mapping.columns[column] : undefined;
    return { column, place: place ?? null, example: shortened(value) };
  });
  const { type } = mapping;
  return { ...names, type, form, sheet, sheets, headings: heading.lines.size, columns };
}

function shortened(value: string): string {
  const line = value.slice(0, 10 * EXAMPLE_CHARACTERS_MAX).replace(/\s+/g, " ");
  const isLong = line.length > EXAMPLE_CHARACTERS_MAX;
  return isLong ? `${line.slice(0, EXAMPLE_CHARACTERS_MAX - 1)}…` : line;
}
