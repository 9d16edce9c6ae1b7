import { inputError } from "../../errors.ts";
import { slugOf } from "../addresses/paths.ts";
import { describeIssue, wordingOfIssue } from "../items/issue-messages.ts";
import { itemInputSchema } from "../items/item.ts";
import {
  type ContentType,
  contentTypeSchema,
  type Field,
  type FieldKind,
  fieldSchema,
} from "./content-type.ts";
import {
  type ReadyMadeTypeKind,
  readyMadeTypeTexts,
  readyMadeTypeTranslations,
} from "./ready-types.ts";

export const NEW_TYPE_KINDS = ["plain", "news", "event"] as const;
export type NewTypeKind = (typeof NEW_TYPE_KINDS)[number];

/** The names that an editor gives a type. */
export interface TypeNames {
  label: string;
  plural: string;
  description: string;
}

interface NewField {
  label: string;
  kind: FieldKind;
  /** Values of an `enum`. */
  values: readonly string[];
}

/** Maximum length of a name made from a label. The rest is cut, which leaves room for a number at the end. */
const NAME_CHARACTERS_MAX = 36;
const ITEM_KEYS = Object.keys(itemInputSchema.shape);

/**
 * Declares a type. News and events also get their date fields, named in the site's main language and in
 * every language with ready-made names.
 *
 * @param types the types that the site has declared so far. A label without Latin letters makes the type's
 *   name `type` or, if these types have that name, `type_2` and so on.
 * @throws {AppError} `invalid`.
 */
export function createDeclaredType(
  names: TypeNames,
  kind: NewTypeKind,
  { language, types }: { language: string; types: readonly ContentType[] },
): ContentType {
  const takenNames = types.map((type) => type.name);
  const name = machineName(names.label) || numberedName("type", takenNames);
  const slug = slugOf(names.plural).replaceAll(/[^a-z0-9-]/g, "");
  const listPath = `/${slug === "" ? name.replaceAll("_", "-") : slug}`;
  return parseType({ ...names, name, listPath, ...initialDeclaration(names, kind, language) });
}

/** Appends a field to the type. @throws {AppError} `invalid`. */
export function addFieldToType(type: ContentType, { label, kind, values }: NewField): ContentType {
  const takenNames = [...Object.keys(type.fields), ...Object.keys(type.relations), ...ITEM_KEYS];
  const field = { kind, label, ...(kind === "enum" ? { values } : {}) };
  return parseType({
    ...type,
    fields: { ...type.fields, [numberedName(machineName(label) || "field", takenNames)]: field },
  });
}

/**
 * Changes the labels of a type and its fields, and the layout of its pages. A field keeps its label
 * if `labelOf` returns "".
 *
 * @throws {AppError} `invalid`.
 */
export function changeLabelsAndLayout(
  type: ContentType,
  revision: TypeNames & Pick<ContentType, "layout">,
  labelOf: (field: string) => string,
): ContentType {
  const fields = Object.entries(type.fields).map(([name, field]) => {
    const label = labelOf(name);
    return [name, { ...field, ...(label === "" ? {} : { label }) }];
  });
  return parseType({ ...type, ...revision, fields: Object.fromEntries(fields) });
}

export function isFieldKind(kind: string): kind is FieldKind {
  return fieldSchema.shape.kind.safeParse(kind).success;
}

function initialDeclaration(
  names: TypeNames,
  kind: NewTypeKind,
  language: string,
): Partial<ContentType> {
  if (kind === "plain") return {};
  const declaration = DATED_DECLARATIONS[kind];
  const ready = readyMadeTypeTexts(kind, language);
  const fields = Object.entries(declaration.fields).map(([name, field]) => {
    const { label = name, description } = ready.fields?.[name] ?? {};
    const hint = description === undefined ? {} : { description };
    return [name, { ...field, label, ...hint }] as const;
  });
  // Ready-made names are translated; names that an editor chose have no translations yet.
  const isReady = names.label === ready.label && names.plural === ready.plural;
  const translations = readyMadeTypeTranslations(kind, language).map(([tag, other]) => {
    const typeNames = isReady ? { label: other.label, plural: other.plural } : {};
    return [tag, { ...typeNames, fields: other.fields ?? {} }] as const;
  });
  return {
    ...declaration,
    fields: Object.fromEntries(fields),
    translations: Object.fromEntries(translations),
  };
}

type Unnamed = Pick<ContentType, "defaultSort" | "schemaOrg" | "layout" | "dated"> & {
  fields: Readonly<Record<string, Omit<Field, "label">>>;
};

const DAY = { kind: "date", filter: true, sort: true } as const;

const DATED_DECLARATIONS: Readonly<Record<ReadyMadeTypeKind, Unnamed>> = {
  news: {
    defaultSort: "date",
    schemaOrg: "NewsArticle",
    dated: { by: "date" },
    fields: { date: DAY },
  },
  event: {
    defaultSort: "starts",
    schemaOrg: "Event",
    layout: "event",
    dated: {
      ...{ by: "starts", until: "ends", time: "begins", untilTime: "closes" },
      ...{ place: "place", address: "online" },
    },
    fields: {
      ...{ starts: DAY, ends: DAY },
      ...{ begins: { kind: "text" }, closes: { kind: "text" } },
      ...{ place: { kind: "text" }, online: { kind: "url" } },
    },
  },
};

/**
 * The permanent machine-readable name of a type or field, made from its first label; empty if the
 * label has no Latin letters.
 */
function machineName(label: string): string {
  const words = slugOf(label).replaceAll(/[^a-z0-9]+/g, "_");
  const cut = words.replace(/^[^a-z]+/, "").slice(0, NAME_CHARACTERS_MAX);
  return cut.replace(/_+$/, "");
}

function numberedName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  let suffix = 2;
  while (taken.includes(`${name}_${suffix}`)) suffix += 1;
  return `${name}_${suffix}`;
}

function parseType(declaration: unknown): ContentType {
  const { data, error } = contentTypeSchema.safeParse(declaration, { error: describeIssue });
  if (data !== undefined) return data;
  const problems = error.issues.map((issue) => ({
    where: issue.path.join("."),
    message: wordingOfIssue(issue),
  }));
  const heading = {
    en: "Cannot use this content type",
    de: "Dieser Inhaltstyp lässt sich so nicht verwenden",
  };
  throw inputError(heading, problems);
}
