import { slugOf } from "../../addresses/paths.ts";
import type { ContentTypes } from "../../types/content-type.ts";
import type { ItemNameMatch, ItemsByName } from "../item-names.ts";
import { type ParseOptions, parseItem } from "../item-parsing.ts";
import type { ParsedItem } from "../parsed-item.ts";

/** An item that rows refer to by name. */
export interface ItemNamedInRows {
  /** Whether at least one public row names the item; null: the rows have no status. */
  isPublic: boolean | null;
  /** Line of the first row with the name. */
  line: number;
  column: string;
  /** Values for the item's fields, besides its name. */
  values?: Readonly<Record<string, string | readonly string[]>>;
}

/** Items that rows refer to by name; keyed by type, then by name. */
export type ItemsNamedInRows = ReadonlyMap<string, ReadonlyMap<string, ItemNamedInRows>>;

interface Names {
  types: ContentTypes;
  /** Finds items by name, both on the site and in the import. */
  find: ItemsByName["find"];
}

/**
 * The source key of an item that is created from a name in a row. It is the same for every table,
 * so that two tables can name the same item.
 */
export function sourceKeyForNamedItem(type: string, name: string): string {
  return `table:${type}/${slugOfName(name) || name}`.slice(0, 300);
}

/**
 * The slug of an item created from a name. Spells out `+` and `#`, because C, C++ and C# differ only in these
 * characters.
 */
export function slugOfName(name: string): string {
  return slugOf(name.replaceAll("+", " plus ").replaceAll("#", " sharp "));
}

/**
 * The path of the item that a cell names by title or path, or of the item to create for the name.
 */
export function resolveItemReference(
  type: string,
  name: string,
  { types, find }: Names,
): NonNullable<ItemNameMatch> {
  if (name.startsWith("/")) return { path: name };
  const newPath = `${types.get(type)?.listPath ?? ""}/${slugOfName(name) || type}`;
  return find(type, name) ?? { path: newPath };
}

/**
 * Yields new items, such as authors and topics, for the names in a table that match no existing
 * item.
 */
export function* createItemsForNames(
  namedItems: ItemsNamedInRows,
  options: Names & Pick<ParseOptions, "now" | "timeZone"> & { file: string },
): Generator<ParsedItem> {
  const paths = new Set<string>();
  for (const [type, names] of namedItems) {
    for (const [name, item] of names) {
      const reference = resolveItemReference(type, name, options);
      const isKnown = name.startsWith("/") || options.find(type, name) !== null;
      if (isKnown || "several" in reference) continue;
      const { path } = reference;
      if (paths.has(path)) continue;
      paths.add(path);
      yield itemOfName({ type, name, path }, item, options);
    }
  }
}

/**
 * Merges a further mention of an item in a row. The line and the column remain those of the first row. The
 * item is public if any of the rows is public.
 */
export function mergeItemMentions(
  before: ItemNamedInRows | undefined,
  { isPublic, line, column }: ItemNamedInRows,
): ItemNamedInRows {
  if (before === undefined) return { isPublic, line, column };
  return { ...before, isPublic: before.isPublic === true || isPublic };
}

function itemOfName(
  { type, name, path }: { type: string; name: string; path: string },
  { isPublic, line, column, values = {} }: ItemNamedInRows,
  options: Names & Pick<ParseOptions, "now" | "timeZone"> & { file: string },
): ParsedItem {
  const placeOf = () => ({ line, field: column });
  const status = isPublic === null ? {} : { status: isPublic ? "published" : "draft" };
  const input = {
    ...values,
    type,
    title: name,
    path,
    sourceKey: sourceKeyForNamedItem(type, name),
    ...status,
  };
  const read = parseItem(input, { ...options, unknown: "refuse" });
  return {
    file: options.file,
    input: read.input,
    problems: read.problems.map(({ where: _where, ...problem }) => ({ ...problem, ...placeOf() })),
    hasStatus: isPublic !== null,
    isNotPublic: isPublic === false,
    skipped: null,
    leftOut: [],
    placeOf,
  };
}
