import { pageUrl } from "../content/addresses/addresses.ts";
import { type LinkedItem, mayBeTruncated, type PublishedItem } from "../content/library.ts";
import type { ShownPortrait } from "../content/pages/view.ts";
import type { Edition } from "../content/site/editions.ts";
import type { ContentType, FieldValue } from "../content/types/content-type.ts";
import { verificationOf } from "../content/types/quotation.ts";
import type { SiteTexts } from "../texts/site/english.ts";
import { type JsonText, jsonMember, jsonValueOrList, toJson } from "./json-text.ts";
import { buildDateProperties } from "./structured-dates.ts";

interface ItemContext {
  edition: Pick<Edition, "types" | "texts" | "site">;
  origin: string;
}

type Fields = PublishedItem["fields"];

/**
 * Functions that return the schema.org properties for the fields of an item, keyed by schema.org type.
 * Items of other types get the common properties only.
 */
const FACTS_BY_TYPE: Readonly<Record<string, (item: PublishedItem, texts: SiteTexts) => JsonText>> =
  {
    Quotation: (item, texts) =>
      jsonMember("disambiguatingDescription", ascriptionNote(item, texts)) +
      jsonMember("text", mayBeTruncated(item) ? undefined : item.text) +
      jsonMember("datePublished", year(item.fields["year"])) +
      jsonMember("citation", item.fields["locator"]),
    Person: ({ fields }) =>
      jsonMember("birthDate", date(fields["born"])) +
      jsonMember("deathDate", date(fields["died"])) +
      jsonMember("alternateName", fields["aliases"]) +
      jsonMember("sameAs", fields["same_as"]),
    CreativeWork: ({ fields }) => workFacts(fields),
    Book: ({ fields }) => workFacts(fields) + jsonMember("isbn", fields["isbn"]),
    DefinedTerm: ({ fields }) => jsonMember("alternateName", fields["aliases"]),
  };

/**
 * The schema.org property for a link, keyed by the schema.org type of the link's target. Quotations have
 * `creator` instead of `author`.
 */
const LINK_PROPERTIES: Readonly<Record<string, string>> = {
  Person: "author",
  Organization: "author",
  DefinedTerm: "about",
  CreativeWork: "isPartOf",
  Book: "isPartOf",
};

/**
 * Schema.org types whose items get no link properties. A topic, for example, is not `about` its related
 * topics.
 */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(["DefinedTerm", "Person"]);

/**
 * The item that a page is about, followed by the set of terms that the item belongs to, if any. Empty if the
 * schema.org type of the item is itself a kind of page.
 */
export function buildItemEntities(
  { item, portrait }: { item: PublishedItem; portrait?: ShownPortrait },
  type: ContentType,
  context: ItemContext,
): JsonText[] {
  if (type.schemaOrg.endsWith("Page")) return [];
  const schemaType = schemaTypeOf(item, type);
  const id = itemEntityId(item, type, context.origin);
  const url = pageUrl(context.origin, item.path);
  const definedTerms = type.schemaOrg === "DefinedTerm" ? termSet(type, context.origin) : null;
  const summary = item.hasOwnSummary ? jsonMember("description", item.summary) : "";
  const language = isCreative(schemaType) ? jsonMember("inLanguage", item.language) : "";
  const facts =
    (portrait === undefined ? "" : portraitMember(portrait, context.origin)) +
    (FACTS_BY_TYPE[schemaType]?.(item, context.edition.texts) ?? "") +
    buildDateProperties(item, type, context.edition.site.timeZone);
  const links = WITHOUT_LINKS.has(type.schemaOrg) ? "" : linkProperties(item, type, context);
  const inSet =
    definedTerms === null ? "" : `,"inDefinedTermSet":${entityReference(definedTerms.id)}`;
  const thing = `{"@type":${toJson(schemaType)},"@id":"${id}","url":"${url}","name":${toJson(item.title)}${summary},"mainEntityOfPage":${entityReference(`${url}#page`)}${language}${facts}${links}${inSet}}`;
  return definedTerms === null ? [thing] : [thing, definedTerms.entity];
}

function portraitMember(
  { path, alt, width, height, credit }: ShownPortrait,
  origin: string,
): JsonText {
  const members =
    jsonMember("width", width ?? undefined) +
    jsonMember("height", height ?? undefined) +
    jsonMember("caption", alt) +
    jsonMember("creditText", credit);
  return `,"image":{"@type":"ImageObject","contentUrl":${toJson(origin + path)}${members}}`;
}

/** The `DefinedTermSet` of a type; null if no page lists its items. */
function termSet(
  { listPath, plural }: ContentType,
  origin: string,
): { id: string; entity: JsonText } | null {
  if (listPath === null) return null;
  const url = pageUrl(origin, listPath);
  const id = `${url}#set`;
  const entity = `{"@type":"DefinedTermSet","@id":"${id}","name":${toJson(plural)},"url":"${url}"}`;
  return { id, entity };
}

/** A reference to another member of the graph. */
export function entityReference(id: string): JsonText {
  return `{"@id":"${id}"}`;
}

/** The `@id` of an item: the URL of its page, with the item's type as the fragment: `…/seneca#author`. */
export function itemEntityId(item: { path: string }, type: ContentType, origin: string): string {
  return `${pageUrl(origin, item.path)}#${type.name}`;
}

function linkProperties(item: PublishedItem, type: ContentType, context: ItemContext): JsonText {
  const properties = new Map<string, JsonText[]>();
  for (const [name, links] of Object.entries(item.links)) {
    const target = context.edition.types.get(type.relations[name]?.target ?? "");
    const property = LINK_PROPERTIES[target?.schemaOrg ?? ""];
    if (target === undefined || property === undefined || links.length === 0) continue;
    if (property === "author" && isMisattributed(item, type)) continue;
    const schemaProperty =
      type.schemaOrg === "Quotation" && property === "author" ? "creator" : property;
    const entities = links.map((link) => linkedEntity(link, target, context.origin));
    properties.set(schemaProperty, [...(properties.get(schemaProperty) ?? []), ...entities]);
  }
  return [...properties]
    .map(([name, entities]) => `,"${name}":${jsonValueOrList(entities)}`)
    .join("");
}

/**
 * A sentence on how certain the authorship of a quotation is. The sentence precedes the text, so that
 * no reader misses it.
 */
function ascriptionNote({ fields, links }: PublishedItem, { item }: SiteTexts): string | undefined {
  const names = (links["authors"] ?? []).map(({ title }) => title);
  switch (verificationOf(fields)) {
    case "verified":
      return item.verified;
    case "attributed":
      return item.attributed(names);
    case "disputed":
      return item.disputed(names);
    case "misattributed":
      return item.misattributed(names);
    default:
      return undefined;
  }
}

/**
 * Whether a quotation is known not to be by the person it is attributed to. If so, the quotation's
 * `creator` is omitted.
 */
function isMisattributed({ fields }: PublishedItem, type: ContentType): boolean {
  return type.schemaOrg === "Quotation" && verificationOf(fields) === "misattributed";
}

function linkedEntity(link: LinkedItem, type: ContentType, origin: string): JsonText {
  return `{"@type":${toJson(type.schemaOrg)},"@id":"${itemEntityId(link, type, origin)}","name":${toJson(link.title)},"url":"${pageUrl(origin, link.path)}"}`;
}

/** The schema.org type of an item. A work whose kind is `book` is a `Book`. */
function schemaTypeOf(item: PublishedItem, type: ContentType): string {
  const isBook = type.schemaOrg === "CreativeWork" && item.fields["kind"] === "book";
  return isBook ? "Book" : type.schemaOrg;
}

function isCreative(schemaType: string): boolean {
  return ["Quotation", "CreativeWork", "Book", "NewsArticle"].includes(schemaType);
}

function workFacts({ publisher, year: published, licence, source_url }: Fields): JsonText {
  const isNamed = typeof publisher === "string" && publisher !== "";
  return (
    (isNamed ? `,"publisher":{"@type":"Organization","name":${toJson(publisher)}}` : "") +
    jsonMember("datePublished", year(published)) +
    jsonMember("license", address(licence)) +
    jsonMember("sameAs", source_url)
  );
}

/**
 * Formats a year as ISO 8601. Omits years BCE, because ISO 8601, which schema.org uses, numbers
 * them differently.
 */
function year(value: FieldValue | undefined): string | undefined {
  return typeof value === "number" && value > 0 ? String(value).padStart(4, "0") : undefined;
}

/** Omits approximate dates, because ISO dates are exact. */
function date(value: FieldValue | undefined): string | undefined {
  return typeof value === "string" && /^\d/.test(value) ? value : undefined;
}

/** Omits a licence that is given only by name, because schema.org expects a URL. */
function address(value: FieldValue | undefined): string | undefined {
  return typeof value === "string" && URL.canParse(value) ? value : undefined;
}
