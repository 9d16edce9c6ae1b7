import { slugOf } from "../../addresses/paths.ts";
import type { ContentTypes } from "../../types/content-type.ts";
import { type ParseOptions, parseItem } from "../item-parsing.ts";
import type { ParsedItem } from "../parsed-item.ts";
import type { NamedItem, Survey } from "./table-survey.ts";

interface Names {
  types: ContentTypes;
  /** The path of an item of a type by its title, if there is one already. */
  pathOf: (type: string, title: string) => string | undefined;
}

/** What identifies an item that tables made of a name, whichever table names it. */
export function keyOfName(type: string, name: string): string {
  return `table:${type}/${slugOf(name) || name}`.slice(0, 300);
}

/** The path of the item that a cell names by its title or path. */
export function referenceTo(type: string, name: string, { types, pathOf }: Names): string {
  if (name.startsWith("/")) return name;
  return pathOf(type, name) ?? `${types.get(type)?.listPath ?? ""}/${slugOf(name) || type}`;
}

/**
 * Items for the names in a table that no item of the site has: authors, works, topics and the like, with
 * nothing but their name.
 *
 * @param isRow whether a row of the table will be the item of this name.
 */
export function* itemsOfNames(
  { named }: Pick<Survey, "named">,
  options: Names & Pick<ParseOptions, "now" | "timeZone"> & { file: string },
  isRow: (type: string, name: string) => boolean,
): Generator<ParsedItem> {
  const made = new Set<string>();
  for (const [type, names] of named) {
    for (const [name, item] of names) {
      const path = referenceTo(type, name, options);
      const isKnown = name.startsWith("/") || options.pathOf(type, name) !== undefined;
      if (isKnown || made.has(path) || isRow(type, name)) continue;
      made.add(path);
      yield itemOfName({ type, name, path }, item, options);
    }
  }
}

function itemOfName(
  { type, name, path }: { type: string; name: string; path: string },
  { isPublic, line, column, values = {} }: NamedItem,
  options: Names & Pick<ParseOptions, "now" | "timeZone"> & { file: string },
): ParsedItem {
  const placeOf = () => ({ line, field: column });
  const status = isPublic === null ? {} : { status: isPublic ? "published" : "draft" };
  const stated = {
    ...values,
    type,
    title: name,
    path,
    sourceKey: keyOfName(type, name),
    ...status,
  };
  const read = parseItem(stated, { ...options, unknown: "refuse" });
  return {
    file: options.file,
    input: read.input,
    problems: read.problems.map(({ where: _where, ...problem }) => ({ ...problem, ...placeOf() })),
    statesStatus: isPublic !== null,
    isNotPublic: isPublic === false,
    skipped: null,
    leftOut: [],
    placeOf,
  };
}
