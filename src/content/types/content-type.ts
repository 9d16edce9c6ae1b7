import { z } from "zod";
import { englishOnlyWording, type Wording } from "../../errors.ts";
import type { TypeTexts } from "../../texts/type-texts.ts";
import { createCustomIssue } from "../items/issue-messages.ts";
import { type DateFields, dateFieldsSchema, findDateFieldsProblem } from "./date-fields.ts";
import { findFieldDeclarationProblems } from "./field-faults.ts";
import { LAYOUTS, type Layout } from "./layouts.ts";
import {
  findPortraitFieldsProblem,
  type PortraitFields,
  portraitFieldsSchema,
} from "./portrait.ts";

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

/** A `partial_date` is `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; prefix `-` means BCE, `~` approximate. */
export type FieldValue = string | number | boolean | readonly string[];

export interface Field {
  kind: FieldKind;
  label: string;
  description?: string;
  /** The allowed values of an `enum`. */
  values?: readonly string[];
  /** Display names of `enum` values, where they differ from the value. */
  valueNames?: Readonly<Record<string, string>>;
  /** Values of an `enum` that are shown as warnings before the text of an item. */
  cautions?: readonly string[];
  /** Whether lists and searches can be filtered by this field. */
  filter?: boolean;
  /** Whether lists can be sorted by this field. */
  sort?: boolean;
  /** Whether numbers within the text sort numerically: `IX, 9` before `IX, 10` before `X`. */
  numbered?: boolean;
  /** Whether this integer orders the parts of a work. Parts without one come last, by place in the work. */
  position?: boolean;
}

export interface Relation {
  label: string;
  /** Name of the target type. */
  target: string;
  /** Whether an item may have several targets. Their order is stored. */
  many: boolean;
  /** Name and label of the relation as seen from the target. */
  inverse?: { name: string; label: string };
  /** Whether the relation holds in both directions; then either item may declare it. */
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
  /** A sentence about the type; empty: none. */
  description: string;
  /**
   * Path of the list page, such as `/topics` or `/association/events`, and default prefix of the
   * items' paths. Items of declared types may state a path elsewhere; items of built-in types may
   * not. Null: no list page; items may have any path.
   */
  listPath: string | null;
  fields: Readonly<Record<string, Field>>;
  relations: Readonly<Record<string, Relation>>;
  /** Default list order: a sortable field, `title`, `updated`, `added` or `best`. */
  defaultSort: string;
  /** The schema.org type for structured data. */
  schemaOrg: string;
  /** The fields with dates and places, for types such as events and news. */
  dated?: DateFields;
  /** The fields with the picture at the top of the page, and the picture's credit. */
  portrait?: PortraitFields;
  /** The layout of the pages of this type's items; absent: `article`. */
  layout?: Layout;
  /** Names in other languages of the site, keyed by BCP 47 tag. */
  translations?: Readonly<Record<string, Partial<TypeTexts>>>;
}

/** All content types of a site, built-in and declared, keyed by name. */
export type ContentTypes = ReadonlyMap<string, ContentType>;

const NAME_PATTERN = /^[a-z][a-z0-9_]{0,39}$/;
const nameSchema = z
  .string()
  .regex(NAME_PATTERN, "is not a valid name: use lower-case letters, digits and _, 40 at most");

const lineSchema = z.string().regex(/^\P{Cc}*$/u, "must be one line without control characters");

export const fieldSchema = z.strictObject({
  kind: z.enum(FIELD_KINDS),
  label: z.string().min(1).max(80),
  description: z.string().max(300).exactOptional(),
  values: z.array(z.string().min(1).max(80)).min(1).max(100).exactOptional(),
  cautions: z.array(z.string().min(1).max(80)).max(100).exactOptional(),
  filter: z.boolean().exactOptional(),
  sort: z.boolean().exactOptional(),
  numbered: z.boolean().exactOptional(),
  position: z.boolean().exactOptional(),
});

const relationSchema = z.strictObject({
  label: z.string().min(1).max(80),
  target: nameSchema,
  many: z.boolean(),
  inverse: z.strictObject({ name: nameSchema, label: z.string().min(1).max(80) }).exactOptional(),
  symmetric: z.boolean().exactOptional(),
});

const labelSchema = lineSchema.min(1).max(80);

/** Names of a type, its fields and relations in another language. A missing name is shown untranslated. */
const typeTextsSchema = z.strictObject({
  label: labelSchema.exactOptional(),
  plural: labelSchema.exactOptional(),
  description: z.string().max(300).exactOptional(),
  fields: z
    .record(
      nameSchema,
      z.strictObject({
        label: labelSchema,
        description: z.string().max(300).exactOptional(),
        values: z.record(z.string(), labelSchema).exactOptional(),
      }),
    )
    .exactOptional(),
  relations: z
    .record(
      nameSchema,
      z.strictObject({ label: labelSchema, inverse: labelSchema.exactOptional() }),
    )
    .exactOptional(),
});

/** Validates types declared in `types/*.yaml`, and the built-in ones. */
export const contentTypeSchema = z
  .strictObject({
    name: nameSchema,
    label: lineSchema.min(1).max(80),
    plural: lineSchema.min(1).max(80),
    description: z.string().max(300).default(""),
    listPath: z
      .string()
      .regex(/^(?:\/[a-z0-9][a-z0-9-]*){1,4}$/, "is not a list path, such as /events")
      .nullable(),
    fields: z.record(nameSchema, fieldSchema).default({}),
    relations: z.record(nameSchema, relationSchema).default({}),
    defaultSort: z.string().default("title"),
    schemaOrg: z.string().min(1).max(60).default("CreativeWork"),
    dated: dateFieldsSchema.exactOptional(),
    portrait: portraitFieldsSchema.exactOptional(),
    layout: z.enum(LAYOUTS).exactOptional(),
    translations: z.record(z.string(), typeTextsSchema).exactOptional(),
  })
  .check((context) => {
    const { dated, portrait, defaultSort, fields } = context.value;
    const report = (path: readonly string[], wording: Wording) => {
      context.issues.push({ ...createCustomIssue(wording, context.value), path: [...path] });
    };
    for (const [name, field] of Object.entries(fields)) {
      for (const [key, wording] of findFieldDeclarationProblems(field))
        report(["fields", name, key], wording);
    }
    const fault = dated === undefined ? null : findDateFieldsProblem(dated, fields);
    if (fault !== null) report(["dated", fault.key], englishOnlyWording(fault.message));
    const pictureFault =
      portrait === undefined ? null : findPortraitFieldsProblem(portrait, fields);
    if (pictureFault !== null) {
      report(["portrait", pictureFault.key], englishOnlyWording(pictureFault.message));
    }
    const isCommon = defaultSort === BEST_FIRST_SORT || COMMON_SORTS.includes(defaultSort);
    if (!isCommon && fields[defaultSort]?.sort !== true) {
      const sorts = [...COMMON_SORTS, BEST_FIRST_SORT].join(", ");
      report(["defaultSort"], englishOnlyWording(`name a sortable field or one of ${sorts}`));
    }
  });

/** Sort orders of every type. `added` is the order of creation. */
const COMMON_SORTS: readonly string[] = ["title", "updated", "added"];

/** The order of ranked lists. */
export const BEST_FIRST_SORT = "best";

/** Validates a built-in declaration when its module loads, so that a mistake fails every test. */
export function defineBuiltInType(declaration: z.input<typeof contentTypeSchema>): ContentType {
  return contentTypeSchema.parse(declaration);
}

/** The fields of an item whose values are warnings: pairs such as `["verification", "disputed"]`. */
export function warningFieldValues(
  type: ContentType | undefined,
  fields: Readonly<Record<string, FieldValue>>,
): [name: string, value: string][] {
  return warningValuesBySealField(type).flatMap(([name, cautions]) => {
    const value = fields[name];
    return typeof value === "string" && cautions.includes(value) ? [[name, value]] : [];
  });
}

const knownSealFields = new WeakMap<ContentType, [string, readonly string[]][]>();

/** The fields that say how far an item can be trusted, each with the values that are warnings. */
export function warningValuesBySealField(
  type: ContentType | undefined,
): [string, readonly string[]][] {
  if (type === undefined) return [];
  const cached = knownSealFields.get(type);
  if (cached !== undefined) return cached;
  const found = Object.entries(type.fields).flatMap(([name, { cautions = [] }]) =>
    cautions.length === 0 ? [] : [[name, cautions] satisfies [string, readonly string[]]],
  );
  knownSealFields.set(type, found);
  return found;
}

/** The sort orders for lists of this type. */
export function sortOrdersOf(type: ContentType): string[] {
  const fields = Object.entries(type.fields).filter(([, field]) => field.sort === true);
  const best = type.defaultSort === BEST_FIRST_SORT ? [BEST_FIRST_SORT] : [];
  return [...best, ...COMMON_SORTS, ...fields.map(([name]) => name)];
}

/** The filterable fields of this type, by name. */
export function filterableFields(type: ContentType): [string, Field][] {
  return Object.entries(type.fields).filter(([, field]) => field.filter === true);
}
