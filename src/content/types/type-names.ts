import { baseLanguage } from "../../texts/choose.ts";
import type { SiteTexts } from "../../texts/site/english.ts";
import type { FieldTexts, RelationTexts, TypeTexts } from "../../texts/type-texts.ts";
import type { ContentType, ContentTypes, Field, Relation } from "./content-type.ts";

/** The properties of an edition that determine how it shows content types. */
interface TypeEdition {
  /** BCP 47 tag. */
  language: string;
  texts: SiteTexts;
  /** Prefix of the edition's list paths. */
  prefix: string;
}

const typesByEdition = new WeakMap<ContentTypes, Map<string, ContentTypes>>();

/**
 * The types as an edition shows them: with translated names where available, and its list paths.
 */
export function typesInEdition(types: ContentTypes, edition: TypeEdition): ContentTypes {
  const byLanguage = typesByEdition.get(types) ?? new Map<string, ContentTypes>();
  typesByEdition.set(types, byLanguage);
  const key = `${edition.language}${edition.prefix}`;
  const found = byLanguage.get(key) ?? createTypes(types, edition);
  byLanguage.set(key, found);
  return found;
}

function createTypes(types: ContentTypes, { language, texts, prefix }: TypeEdition): ContentTypes {
  const renamedTypes = [...types.values()].map((type) => {
    const translated = type.translations?.[language] ?? type.translations?.[baseLanguage(language)];
    const names = translated ?? texts.types[type.name];
    return names === undefined ? type : renamedType(type, names);
  });
  return new Map(
    renamedTypes.map((type) => [type.name, { ...type, listPath: prefixedPath(prefix, type) }]),
  );
}

function prefixedPath(prefix: string, { listPath }: ContentType): string | null {
  return listPath === null ? null : prefix + listPath;
}

function renamedType(type: ContentType, names: Partial<TypeTexts>): ContentType {
  const { fields = {}, relations = {}, ...own } = names;
  return {
    ...type,
    ...own,
    fields: mapValues(type.fields, (field, name) => renamedField(field, fields[name])),
    relations: mapValues(type.relations, (relation, name) =>
      renamedRelation(relation, relations[name]),
    ),
  };
}

function renamedField(field: Field, names: FieldTexts | undefined): Field {
  if (names === undefined) return field;
  const { values, ...own } = names;
  return { ...field, ...own, ...(values === undefined ? {} : { valueNames: values }) };
}

function renamedRelation(relation: Relation, names: RelationTexts | undefined): Relation {
  if (names === undefined) return relation;
  const { inverse } = relation;
  const label = names.inverse ?? inverse?.label ?? "";
  return {
    ...relation,
    label: names.label,
    ...(inverse === undefined ? {} : { inverse: { ...inverse, label } }),
  };
}

function mapValues<Value>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Value,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, change(value, name)]),
  );
}
