import type { ContentType } from "../../../types/content-type.ts";
import { hasValidTextsAndFields } from "../../accepted-input.ts";
import { parseStatusName, splitListCell } from "../cell-values.ts";
import { type ItemNamedInRows, type ItemsNamedInRows, mergeItemMentions } from "../named-items.ts";
import type { TableRow } from "../table.ts";
import type { RowWithItem } from "../table-items.ts";
import type { MappedColumn } from "../table-survey.ts";

/** Limit on the names of one type. Names beyond the limit create no items. */
const NAMES_MAX = 200_000;

interface NamingColumn {
  at: number;
  column: string;
  separator: RegExp;
  target: string;
  /** The names in this column and in all other columns with the same target. */
  names: Map<string, ItemNamedInRows>;
}

/** Finds the names of items that accepted rows refer to. */
export async function findItemsNamedInRows(
  rows: AsyncIterable<RowWithItem>,
  { columns, type }: { columns: readonly MappedColumn[]; type: ContentType },
): Promise<ItemsNamedInRows> {
  const naming = namingColumns(columns);
  if (naming.length === 0) return new Map();
  const statusColumn = columns.find(({ place }) => place.name === "status");
  for await (const { row, item } of rows) {
    if (item.input === null || !hasValidTextsAndFields(item.input, type)) continue;
    const isPublic = isPublicBy(row, statusColumn?.at);
    for (const column of naming) addNames(column, row, isPublic);
  }
  return new Map(naming.map(({ target, names }) => [target, names]));
}

function namingColumns(columns: readonly MappedColumn[]): NamingColumn[] {
  const namesByTarget = new Map<string, Map<string, ItemNamedInRows>>();
  return columns.flatMap(({ place, at, name: column, form: { separator } }) => {
    if (place.part !== "relation") return [];
    const { target } = place.relation;
    const names = namesByTarget.get(target) ?? new Map<string, ItemNamedInRows>();
    namesByTarget.set(target, names);
    return [{ at, column, separator, target, names }];
  });
}

function addNames(
  { at, column, separator, names }: NamingColumn,
  { cells, line }: TableRow,
  isPublic: boolean | null,
): void {
  for (const name of splitListCell(cells[at] ?? "", separator)) {
    if (names.size >= NAMES_MAX && !names.has(name)) continue;
    names.set(name, mergeItemMentions(names.get(name), { isPublic, line, column }));
  }
}

function isPublicBy({ cells }: TableRow, at: number | undefined): boolean | null {
  return at === undefined ? null : parseStatusName((cells[at] ?? "").trim()).status === "published";
}
