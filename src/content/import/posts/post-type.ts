import { AppError } from "../../../errors.ts";
import type { ContentType, ContentTypes } from "../../types/content-type.ts";
import { readyMadeTypeTranslations } from "../../types/ready-types.ts";
import { firstRelationToType } from "../../types/relation-to.ts";
import { relationViews } from "../../types/relation-views.ts";

/** Names of types that suit posts, best first. */
const POST_TYPES: readonly string[] = ["news", "post", "article", "blog"];

/**
 * The type for posts that the import adds to a site that has no such type. It is sorted by date, and has
 * topics and authors.
 */
export const NEWS_TYPE: ContentType = {
  name: "news",
  label: "News item",
  plural: "News",
  description: "What is new at the association.",
  listPath: "/news",
  fields: { date: { kind: "date", label: "Date", filter: true, sort: true } },
  relations: {
    topics: {
      label: "Topics",
      target: "topic",
      many: true,
      inverse: { name: "news", label: "News" },
    },
    authors: {
      label: "Authors",
      target: "author",
      many: true,
      inverse: { name: "news", label: "News" },
    },
  },
  defaultSort: "date",
  schemaOrg: "NewsArticle",
  dated: { by: "date" },
  translations: Object.fromEntries(readyMadeTypeTranslations("news", "en")),
};

/** The declared type to use for posts; null: there is none. */
export function contentTypeForPosts(types: ContentTypes): ContentType | null {
  const name = POST_TYPES.find((each) => types.has(each));
  return types.get(name ?? "") ?? null;
}

/**
 * Maps each type of post on the former site to a content type, from pairs such as `post=page`.
 *
 * @throws {AppError} `invalid` for a pair that names no content type.
 */
export function parsePostTypeChoices(
  pairs: readonly string[],
  types: ContentTypes,
): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair) => {
      const [, from = "", to = ""] = /^([^=]+)=([^=]+)$/.exec(pair) ?? [];
      if (types.has(to)) return [from, to] as const;
      const known = [...types.keys()].join(", ");
      throw new AppError("invalid", {
        en: `Cannot read "${pair}": say which type takes which posts, as post=page; there are ${known}`,
        de: `„${pair}“ ist unverständlich: Geben Sie an, welche Art welche Beiträge aufnimmt, wie post=page; es gibt ${known}`,
      });
    }),
  );
}

/** Optional parts of a post, besides text and date. `updated`: the date of the last change. */
export type OptionalPostProperty = "topics" | "authors" | "updated";

/** The field for the date of the last change. */
export const UPDATED_FIELD_NAME = "updated";

/** The entries of `parts` for which the type declares no field or relation. */
export function findUndeclaredPostProperties(
  type: ContentType,
  parts: ReadonlySet<OptionalPostProperty>,
): OptionalPostProperty[] {
  const hasPlace = (part: OptionalPostProperty) =>
    part === UPDATED_FIELD_NAME
      ? Object.hasOwn(type.fields, UPDATED_FIELD_NAME)
      : firstRelationToType(type, TARGET_TYPES[part]) !== null;
  return [...parts].filter((part) => !hasPlace(part));
}

const TARGET_TYPES = { topics: "topic", authors: "author" } as const;
const UPDATED_FIELD: ContentType["fields"][string] = { kind: "date", label: "Updated" };
const UPDATED_IN_GERMAN = "Aktualisiert";

/**
 * Declares in the type a field or relation for each entry of `parts`. Leaves out entries whose name is
 * already in use.
 */
export function declarePostProperties(
  type: ContentType,
  parts: readonly OptionalPostProperty[],
  types: ContentTypes,
): ContentType {
  return parts.reduce((whole, part) => {
    const takenNames = [
      ...Object.keys(whole.fields),
      ...Object.keys(whole.relations),
      ...relationViews(types, whole.name).map(({ name }) => name),
    ];
    if (takenNames.includes(part)) return whole;
    return part === UPDATED_FIELD_NAME ? withUpdated(whole) : withRelation(whole, part, types);
  }, type);
}

function withUpdated(type: ContentType): ContentType {
  const fields = { ...type.fields, [UPDATED_FIELD_NAME]: UPDATED_FIELD };
  const { de, ...others } = type.translations ?? {};
  if (de === undefined) return { ...type, fields };
  const german = {
    ...de,
    fields: { ...de.fields, [UPDATED_FIELD_NAME]: { label: UPDATED_IN_GERMAN } },
  };
  return { ...type, fields, translations: { ...others, de: german } };
}

function withRelation(
  type: ContentType,
  part: "topics" | "authors",
  types: ContentTypes,
): ContentType {
  const target = TARGET_TYPES[part];
  const views = relationViews(types, target).map(({ name }) => name);
  const isFree = !views.includes(type.name) && types.get(target)?.fields[type.name] === undefined;
  const inverse = isFree ? { inverse: { name: type.name, label: type.plural } } : {};
  const label = NEWS_TYPE.relations[part]?.label ?? part;
  const relations = { ...type.relations, [part]: { label, target, many: true, ...inverse } };
  if (type.translations === undefined) return { ...type, relations };
  const translations = Object.entries(type.translations).map(([language, texts]) => {
    const known = NEWS_TYPE.translations?.[language]?.relations?.[part];
    if (known === undefined) return [language, texts] as const;
    const names = {
      label: known.label,
      ...(isFree ? { inverse: texts.plural ?? type.plural } : {}),
    };
    return [language, { ...texts, relations: { ...texts.relations, [part]: names } }] as const;
  });
  return { ...type, relations, translations: Object.fromEntries(translations) };
}
