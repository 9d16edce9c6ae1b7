import { pageUrl } from "../content/addresses.ts";
import type { ContentType, ContentTypes, FieldValue } from "../content/content-type.ts";
import { isPerhapsCut, type LinkedItem, type PublishedItem } from "../content/library.ts";

/** A node of a JSON-LD graph. */
export type Entity = Record<string, unknown>;

interface ItemContext {
  types: ContentTypes;
  origin: string;
}

type Fields = PublishedItem["fields"];

/**
 * What the fields of a thing say of it, by schema.org type. A type not named here is described by
 * what every item has.
 */
const FACTS: Readonly<Record<string, (item: PublishedItem) => Entity>> = {
  Quotation: (item) =>
    known({
      text: isPerhapsCut(item) ? undefined : item.text,
      datePublished: year(item.fields["year"]),
      citation: item.fields["locator"],
    }),
  Person: ({ fields }) =>
    known({
      birthDate: date(fields["born"]),
      deathDate: date(fields["died"]),
      alternateName: fields["aliases"],
      sameAs: fields["same_as"],
    }),
  CreativeWork: ({ fields }) => workFacts(fields),
  Book: ({ fields }) => ({ ...workFacts(fields), ...known({ isbn: fields["isbn"] }) }),
  DefinedTerm: ({ fields }) => known({ alternateName: fields["aliases"] }),
};

/** What a link says, by the schema.org type at its other end, unless the item's own type words it. */
const LINK_PROPERTIES: Readonly<Record<string, string>> = {
  Person: "author",
  Organization: "author",
  DefinedTerm: "about",
  CreativeWork: "isPartOf",
  Book: "isPartOf",
};

/** A topic is not about its neighbours, nor a person by another. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(["DefinedTerm", "Person"]);

/** The thing a page is about and the things it names; nothing for a page that is only a page. */
export function itemEntities(
  item: PublishedItem,
  type: ContentType,
  context: ItemContext,
): Entity[] {
  if (type.schemaOrg.endsWith("Page")) return [];
  const schemaType = schemaTypeOf(item, type);
  const id = itemEntityId(item, type, context.origin);
  const url = pageUrl(context.origin, item.path);
  const thing: Entity = {
    "@type": schemaType,
    "@id": id,
    url,
    name: item.title,
    ...(item.hasOwnSummary ? { description: item.summary } : {}),
    mainEntityOfPage: { "@id": `${url}#page` },
    ...(isCreative(schemaType) ? { inLanguage: item.language } : {}),
    ...(FACTS[schemaType]?.(item) ?? {}),
    ...(WITHOUT_LINKS.has(type.schemaOrg) ? {} : linkProperties(item, type, context)),
  };
  if (type.schemaOrg !== "DefinedTerm" || type.listPath === null) return [thing];
  const setUrl = pageUrl(context.origin, type.listPath);
  const termSet = {
    "@type": "DefinedTermSet",
    "@id": `${setUrl}#set`,
    name: type.plural,
    url: setUrl,
  };
  return [{ ...thing, inDefinedTermSet: { "@id": termSet["@id"] } }, termSet];
}

/** The address of the page, then what kind of thing it describes: `…/authors/seneca#author`. */
export function itemEntityId(item: { path: string }, type: ContentType, origin: string): string {
  return `${pageUrl(origin, item.path)}#${type.name}`;
}

function linkProperties(item: PublishedItem, type: ContentType, context: ItemContext): Entity {
  const properties: Record<string, Entity[]> = {};
  for (const [name, links] of Object.entries(item.links)) {
    const target = context.types.get(type.relations[name]?.target ?? "");
    const property = LINK_PROPERTIES[target?.schemaOrg ?? ""];
    if (target === undefined || property === undefined || links.length === 0) continue;
    const worded = type.schemaOrg === "Quotation" && property === "author" ? "creator" : property;
    const entities = links.map((link) => linkedEntity(link, target, context.origin));
    properties[worded] = [...(properties[worded] ?? []), ...entities];
  }
  return Object.fromEntries(
    Object.entries(properties).map(([name, [first, ...rest]]) => [
      name,
      rest.length === 0 ? first : [first, ...rest],
    ]),
  );
}

function linkedEntity(link: LinkedItem, type: ContentType, origin: string): Entity {
  return {
    "@type": type.schemaOrg,
    "@id": itemEntityId(link, type, origin),
    name: link.title,
    url: pageUrl(origin, link.path),
  };
}

/** A work that says it is a book is one. */
function schemaTypeOf(item: PublishedItem, type: ContentType): string {
  const isBook = type.schemaOrg === "CreativeWork" && item.fields["kind"] === "book";
  return isBook ? "Book" : type.schemaOrg;
}

function isCreative(schemaType: string): boolean {
  return ["Quotation", "CreativeWork", "Book"].includes(schemaType);
}

function workFacts(fields: Fields): Entity {
  const { publisher } = fields;
  return {
    ...(typeof publisher === "string" && publisher !== ""
      ? { publisher: { "@type": "Organization", name: publisher } }
      : {}),
    ...known({
      datePublished: year(fields["year"]),
      license: address(fields["licence"]),
      sameAs: fields["source_url"],
    }),
  };
}

/** schema.org counts on the ISO calendar; years BCE, which it numbers otherwise, are left out. */
function year(value: FieldValue | undefined): string | undefined {
  return typeof value === "number" && value > 0 ? String(value).padStart(4, "0") : undefined;
}

function date(value: FieldValue | undefined): string | undefined {
  return typeof value === "string" && !value.startsWith("-") ? value : undefined;
}

/** A licence that is only named is no address, which is what schema.org wants. */
function address(value: FieldValue | undefined): string | undefined {
  return typeof value === "string" && URL.canParse(value) ? value : undefined;
}

function known(facts: Record<string, FieldValue | undefined>): Entity {
  return Object.fromEntries(
    Object.entries(facts).filter(
      ([, value]) => value !== undefined && value !== "" && !isEmptyList(value),
    ),
  );
}

function isEmptyList(value: FieldValue | undefined): boolean {
  return typeof value === "object" && value.length === 0;
}
