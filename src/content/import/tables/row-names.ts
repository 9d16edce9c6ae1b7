import { slugOf } from "../../addresses/paths.ts";
import type { TableMapping } from "../../site/import-choices/table-mappings.ts";
import type { ContentType } from "../../types/content-type.ts";
import { ItemNameIndex, type ItemNameMatch } from "../item-names.ts";
import type { TableRow } from "./table.ts";
import type { TableHeader } from "./table-header.ts";

/** Limit on the rows in the index. */
const NAMES_MAX = 200_000;

/**
 * An index of rows by name, for tables whose rows refer to each other, such as topics to broader
 * topics.
 */
export interface RowNameIndex {
  see(row: TableRow): void;
  find(name: string): ItemNameMatch;
}

export function createRowNameIndex(
  type: ContentType,
  mapping: TableMapping,
  heading: TableHeader,
): RowNameIndex {
  const index = new ItemNameIndex();
  const at = (place: string) =>
    heading.columns.findIndex((column) => mapping.columns[column] === place);
  const places = { title: at("title"), path: at("path"), slug: at("slug") };
  const translationColumn = at("translationOf");
  const refersToRows =
    translationColumn >= 0 ||
    Object.entries(type.relations).some(
      ([name, { target }]) => target === type.name && at(name) >= 0,
    );
  let seen = 0;
  return {
    see({ line, cells }) {
      const title = (cells[places.title] ?? "").trim();
      if (!refersToRows || title === "" || heading.lines.has(line) || seen >= NAMES_MAX) return;
      seen += 1;
      const slug = (cells[places.slug] ?? "").trim() || slugOf(title);
      const path = (cells[places.path] ?? "").trim() || `${type.listPath ?? ""}/${slug}`;
      const isTranslation = (cells[translationColumn] ?? "").trim() !== "";
      index.add({ type: type.name, title, path, aliases: [], sourceKey: null, isTranslation });
    },
    find: (name) => index.find(type.name, name),
  };
}
