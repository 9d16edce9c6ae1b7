import { z } from "zod";

export const FIELD_KINDS = [
  "text",
  "markdown",
  "integer",
  "number",
  "boolean",
  "date",
  "partial_date",
  "url",
  "enum",
  "text_list",
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** `partial_date` values are `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, a leading `-` for years BCE. */
export type FieldValue = string | number | boolean | readonly string[];

export interface Field {
  kind: FieldKind;
  label: string;
  description?: string;
  /** The allowed values of an `enum`. */
  values?: readonly string[];
  /** May lists and searches be narrowed by this field? */
  filter?: boolean;
  /** May lists be ordered by this field? */
  sort?: boolean;
}

export interface Relation {
  label: string;
  /** Name of the content type this relation points at. */
  target: string;
  /** May an item have more than one? Their order is kept. */
  many: boolean;
  /** How the relation reads from the target: the name of the group and its label there. */
  inverse?: { name: string; label: string };
  /** Reads the same from both ends; stated on either. */
  symmetric?: boolean;
}

/**
 * The one declaration of a kind of content. Validation, filters, the catalog, list pages, rendering,
 * structured data and imports all follow from it.
 */
export interface ContentType {
  name: string;
  label: string;
  plural: string;
  description: string;
  /** Listing page and start of every path of the type, as `/topics`; null: any path is free. */
  listPath: string | null;
  fields: Readonly<Record<string, Field>>;
  relations: Readonly<Record<string, Relation>>;
  /** How lists are ordered unless asked otherwise: a sortable field, `title`, `updated` or `added`. */
  defaultSort: string;
  /** The schema.org type its pages are described as. */
  schemaOrg: string;
}

/** All content types of a site by name: the built-in ones and those the site declares. */
export type ContentTypes = ReadonlyMap<string, ContentType>;

/** One group of items a type can be related to, seen from that type. */
export interface RelationView {
  /** `authors` seen from a work, `works` seen from an author. */
  name: string;
  label: string;
  /** `out`: stated by this type itself; `in`: stated by the other type. */
  direction: "out" | "in";
  /** The name under which the relation is declared and stored. */
  relation: string;
  /** The type at the other end. */
  otherType: string;
  many: boolean;
}

const NAME = /^[a-z][a-z0-9_]{0,39}$/;
const name = z.string().regex(NAME, "is no name: use lower-case letters, digits and _, 40 at most");

const line = z.string().regex(/^\P{Cc}*$/u, "must be one line without control characters");

const fieldSchema = z.strictObject({
  kind: z.enum(FIELD_KINDS),
  label: z.string().min(1).max(80),
  description: z.string().max(300).exactOptional(),
  values: z.array(z.string().min(1).max(80)).min(1).max(100).exactOptional(),
  filter: z.boolean().exactOptional(),
  sort: z.boolean().exactOptional(),
});

const relationSchema = z.strictObject({
  label: z.string().min(1).max(80),
  target: name,
  many: z.boolean(),
  inverse: z.strictObject({ name, label: z.string().min(1).max(80) }).exactOptional(),
  symmetric: z.boolean().exactOptional(),
});

/** The shape of a type declared by a site in `types/*.yaml`, and the check of the built-in ones. */
export const contentTypeSchema = z
  .strictObject({
    name,
    label: line.min(1).max(80),
    plural: line.min(1).max(80),
    description: z.string().min(1).max(300),
    listPath: z
      .string()
      .regex(/^\/[a-z0-9][a-z0-9-]*$/, "is no list path, as /events")
      .nullable(),
    fields: z.record(name, fieldSchema).default({}),
    relations: z.record(name, relationSchema).default({}),
    defaultSort: z.string().default("title"),
    schemaOrg: z.string().min(1).max(60).default("CreativeWork"),
  })
  .check((context) => {
    for (const [name, field] of Object.entries(context.value.fields)) {
      if ((field.kind === "enum") !== (field.values !== undefined)) {
        context.issues.push({
          code: "custom",
          input: field,
          path: ["fields", name, "values"],
          message: "values belong to an enum field, and an enum field needs them",
        });
      }
      if (field.kind === "text_list" && field.sort === true) {
        context.issues.push({
          code: "custom",
          input: field,
          path: ["fields", name, "sort"],
          message: "lists can be ordered by fields with one value only",
        });
      }
    }
    const { defaultSort, fields } = context.value;
    if (!COMMON_SORTS.includes(defaultSort) && fields[defaultSort]?.sort !== true) {
      context.issues.push({
        code: "custom",
        input: defaultSort,
        path: ["defaultSort"],
        message: `name a sortable field or one of ${COMMON_SORTS.join(", ")}`,
      });
    }
  });

/** Orders every list offers, whatever the type. `added` is the order in which items came in. */
const COMMON_SORTS: readonly string[] = ["title", "updated", "added"];

/** Checks a built-in declaration once, at load, so that a slip fails every test. */
export function defineType(declaration: z.input<typeof contentTypeSchema>): ContentType {
  return contentTypeSchema.parse(declaration);
}

/** The names a list of this type may be ordered by. */
export function sortsOf(type: ContentType): string[] {
  const fields = Object.entries(type.fields).filter(([, field]) => field.sort === true);
  return [...COMMON_SORTS, ...fields.map(([name]) => name)];
}

/** The fields lists and searches of this type may be narrowed by, by name. */
export function filtersOf(type: ContentType): [string, Field][] {
  return Object.entries(type.fields).filter(([, field]) => field.filter === true);
}

const knownViews = new WeakMap<ContentTypes, Map<string, readonly RelationView[]>>();

/** Every group of related items a type can have: its own relations, then those others state of it. */
export function relationViews(types: ContentTypes, typeName: string): readonly RelationView[] {
  const byType = knownViews.get(types) ?? new Map<string, readonly RelationView[]>();
  knownViews.set(types, byType);
  const known = byType.get(typeName) ?? findViews(types, typeName);
  byType.set(typeName, known);
  return known;
}

function findViews(types: ContentTypes, typeName: string): RelationView[] {
  const own = Object.entries(types.get(typeName)?.relations ?? {}).map(
    ([name, relation]): RelationView => ({
      name,
      label: relation.label,
      direction: "out",
      relation: name,
      otherType: relation.target,
      many: relation.many,
    }),
  );
  const inverse = [...types.values()].flatMap((other) =>
    Object.entries(other.relations)
      .filter(([, relation]) => relation.target === typeName)
      .flatMap(([name, relation]): RelationView[] =>
        relation.inverse === undefined
          ? []
          : [
              {
                name: relation.inverse.name,
                label: relation.inverse.label,
                direction: "in",
                relation: name,
                otherType: other.name,
                many: true,
              },
            ],
      ),
  );
  return [...own, ...inverse];
}
