import type { DeskStatus } from "../../content/desk/desk-queries.ts";
import { STATUSES } from "../../content/items/item.ts";
import type { ContentType, ContentTypes, Relation } from "../../content/types/content-type.ts";

export const DESK_STATUSES: readonly DeskStatus[] = [...STATUSES, "new"];
/** A field of every entry: whether the item has a draft. */
export const HAS_DRAFT_FIELD = "desk_draft";
/**
 * A field of every entry: the paths on the site to which the entry's texts link, each encoded by
 * `indexValueOfLink`.
 */
export const LINKED_PATHS_FIELD = "desk_links";
/**
 * A type without entries. From its relations, the search learns which types have items that people refer to
 * by name, such as authors.
 */
const NAMES_TYPE = "named";

/**
 * Returns the types of the editors' index: one for each pair of a content type and a status, so that a
 * search can filter and count by content type or by status. These types have no link counts and no lists of
 * related items.
 */
export function deskIndexTypes(types: ContentTypes): ContentTypes {
  const all = [...types.values()].flatMap((type) =>
    DESK_STATUSES.map((status) => deskType(type, deskTypeName(types, type.name, status))),
  );
  const named = namedTypeOf(types);
  return new Map([...all, named].map((type) => [type.name, type]));
}

/**
 * Returns the index's name for a type and a status. It contains the number of the type, because the
 * name of the type may already have 40 characters, the maximum.
 */
export function deskTypeName(types: ContentTypes, type: string, status: DeskStatus): string {
  return `t${[...types.keys()].indexOf(type)}_${status}`;
}

/**
 * Returns the index's type names for every combination of these types and statuses. An empty list
 * of types means all types.
 */
export function deskTypeNames(
  types: ContentTypes,
  { types: names, statuses }: { types: readonly string[]; statuses: readonly DeskStatus[] },
): string[] {
  const wanted = names.length === 0 ? [...types.keys()] : names;
  return wanted.flatMap((type) => statuses.map((status) => deskTypeName(types, type, status)));
}

export function statusInDeskTypeName(deskTypeName: string): DeskStatus | undefined {
  return DESK_STATUSES.find((status) => deskTypeName.endsWith(`_${status}`));
}

function deskType(type: ContentType, name: string): ContentType {
  const relations = Object.entries(type.relations).map(([relation, { label, many }]) => [
    relation,
    { label, many, target: NAMES_TYPE },
  ]);
  return {
    ...type,
    name,
    listPath: null,
    relations: Object.fromEntries(relations),
    fields: {
      ...type.fields,
      [HAS_DRAFT_FIELD]: { kind: "boolean", label: "Draft", filter: true },
      [LINKED_PATHS_FIELD]: { kind: "text_list", label: "Links", filter: true },
    },
  };
}

function namedTypeOf(types: ContentTypes): ContentType {
  const targets = [...types.values()].flatMap(({ name, relations }) =>
    Object.values(relations)
      .map(({ target }) => target)
      .filter((target) => target !== name && types.has(target)),
  );
  const relations = [...new Set(targets)]
    .flatMap((target) => DESK_STATUSES.map((status) => deskTypeName(types, target, status)))
    .map((target): [string, Relation] => [target, { label: "Named", target, many: true }]);
  return {
    name: NAMES_TYPE,
    label: "Named",
    plural: "Named",
    description: "What people call by name",
    listPath: null,
    fields: {},
    relations: Object.fromEntries(relations),
    defaultSort: "title",
    schemaOrg: "Thing",
  };
}
