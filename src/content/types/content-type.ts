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
  /** Values of an `enum` that are said before the text wherever an item is shown. */
  cautions?: readonly string[];
  /** Whether lists and searches can be filtered by this field. */
  filter?: boolean;
  /** Whether lists can be sorted by this field. */
  sort?: boolean;
}

export interface Relation {
  label: string;
  /** Name of the target type. */
  target: string;
  /** Whether an item may have several targets, which are ordered. */
  many: boolean;
  /** Name and label of the relation as seen from the target. */
  inverse?: { name: string; label: string };
  /** Reads the same in both directions and may be stated by either item. */
  symmetric?: boolean;
}

/**
 * The declaration of a content type. Validation, filters, catalog, lists, rendering, structured
 * data and imports are derived from it.
 */
export interface ContentType {
  name: string;
  label: string;
  plural: string;
  description: string;
  /** Path of the list page and prefix of all items' paths, such as `/topics`; null: any path. */
  listPath: string | null;
  fields: Readonly<Record<string, Field>>;
  relations: Readonly<Record<string, Relation>>;
  /** Default list order: a sortable field, `title`, `updated` or `added`. */
  defaultSort: string;
  /** The schema.org type for structured data. */
  schemaOrg: string;
}

/** All content types of a site by name: built-in and declared. */
export type ContentTypes = ReadonlyMap<string, ContentType>;

/** A relation as seen from one of its two types. */
export interface RelationView {
  /** `authors` seen from a work, `works` seen from an author. */
  name: string;
  label: string;
  /** `out`: stated by items of this type; `in`: by items of the other type. */
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

export const fieldSchema = z.strictObject({
  kind: z.enum(FIELD_KINDS),
  label: z.string().min(1).max(80),
  description: z.string().max(300).exactOptional(),
  values: z.array(z.string().min(1).max(80)).min(1).max(100).exactOptional(),
  cautions: z.array(z.string().min(1).max(80)).max(100).exactOptional(),
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

/** Validates types declared in `types/*.yaml`, and the built-in ones. */
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
      const stray = field.cautions?.find((caution) => field.values?.includes(caution) !== true);
      if (stray !== undefined) {
        context.issues.push({
          code: "custom",
          input: field,
          path: ["fields", name, "cautions"],
          message: `"${stray}" is none of the values of the field`,
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

/** Sort orders of every type. `added` is the order of creation. */
const COMMON_SORTS: readonly string[] = ["title", "updated", "added"];

/** Validates a built-in declaration when its module loads, so that a mistake fails every test. */
export function defineType(declaration: z.input<typeof contentTypeSchema>): ContentType {
  return contentTypeSchema.parse(declaration);
}

/** The fields whose value calls for caution, with that value: `["verification", "disputed"]`. */
export function cautionsOf(
  type: ContentType | undefined,
  fields: Readonly<Record<string, FieldValue>>,
): [name: string, value: string][] {
  return cautiousFields(type).flatMap(([name, cautions]) => {
    const value = fields[name];
    return typeof value === "string" && cautions.includes(value) ? [[name, value]] : [];
  });
}

const knownCautions = new WeakMap<ContentType, [string, readonly string[]][]>();

function cautiousFields(type: ContentType | undefined): [string, readonly string[]][] {
  if (type === undefined) return [];
  const known = knownCautions.get(type);
  if (known !== undefined) return known;
  const found = Object.entries(type.fields).flatMap(([name, { cautions = [] }]) =>
    cautions.length === 0 ? [] : [[name, cautions] satisfies [string, readonly string[]]],
  );
  knownCautions.set(type, found);
  return found;
}

/** The sort orders for lists of this type. */
export function sortsOf(type: ContentType): string[] {
  const fields = Object.entries(type.fields).filter(([, field]) => field.sort === true);
  return [...COMMON_SORTS, ...fields.map(([name]) => name)];
}

/** The filterable fields of this type, by name. */
export function filtersOf(type: ContentType): [string, Field][] {
  return Object.entries(type.fields).filter(([, field]) => field.filter === true);
}

const knownViews = new WeakMap<ContentTypes, Map<string, readonly RelationView[]>>();

/** All relation views of a type: its own relations, then incoming ones. */
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
