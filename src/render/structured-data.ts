import { pageUrl } from "../content/addresses.ts";
import type { ContentType, ContentTypes } from "../content/content-type.ts";
import type { PublishedItem } from "../content/library.ts";
import type { PageView, Subject } from "../content/pages/view.ts";
import type { SiteProfile } from "../content/site.ts";
import { type Entity, itemEntities, itemEntityId } from "./structured-item.ts";

/** What structured data tells of a page. */
export type DescribedPage = Pick<PageView, "subject" | "description">;

interface PageContext {
  types: ContentTypes;
  origin: string;
}

/**
 * The JSON-LD of a page: one graph, in schema.org's vocabulary, whose `@id`s stay the same from page
 * to page. Both parts are what `siteEntities` and `pageEntities` give. Safe as the content of a
 * script element.
 */
export function structuredData(ofSite: string, ofPage: string): string {
  const graph = ofPage === "" ? ofSite : `${ofSite},${ofPage}`;
  return `{"@context":"https://schema.org","@graph":[${graph}]}`;
}

/** What is said of the site on each of its pages, as members of the graph. */
export function siteEntities(site: SiteProfile, origin: string): string {
  return membersOf(entitiesOfSite(site, origin));
}

/** What is said of a page and what it is about, as members of the graph; empty for nothing. */
export function pageEntities(page: DescribedPage, context: PageContext): string {
  return membersOf(entitiesOfPage(page, context));
}

function membersOf(entities: readonly Entity[]): string {
  return withoutTags(JSON.stringify(entities)).slice(1, -1);
}

function withoutTags(json: string): string {
  return json.includes("<") ? json.replaceAll("<", "\\u003c") : json;
}

function entitiesOfSite(site: SiteProfile, origin: string): Entity[] {
  const { name, description, organization, contact, language, licence } = site;
  const { type, locality, country, sameAs, logo } = organization;
  const hasAddress = locality !== undefined || country !== undefined;
  return [
    {
      "@type": type,
      "@id": `${origin}/#organization`,
      name,
      url: `${origin}/`,
      description,
      contactPoint: { "@type": "ContactPoint", contactType: "editorial", email: contact.email },
      ...(sameAs.length === 0 ? {} : { sameAs }),
      ...(logo === undefined ? {} : { logo }),
      ...(hasAddress
        ? { address: postalAddress({ addressLocality: locality, addressCountry: country }) }
        : {}),
    },
    {
      "@type": "WebSite",
      "@id": `${origin}/#website`,
      name,
      url: `${origin}/`,
      description,
      inLanguage: language,
      publisher: { "@id": `${origin}/#organization` },
      ...(licence?.url === undefined ? {} : { license: licence.url }),
      potentialAction: {
        "@type": "SearchAction",
        target: { "@type": "EntryPoint", urlTemplate: `${origin}/search?q={query}` },
        "query-input": "required name=query",
      },
    },
  ];
}

function postalAddress(parts: Record<string, string | undefined>): Entity {
  const known = Object.entries(parts).filter(([, value]) => value !== undefined);
  return { "@type": "PostalAddress", ...Object.fromEntries(known) };
}

function entitiesOfPage({ subject, description }: DescribedPage, context: PageContext): Entity[] {
  switch (subject.kind) {
    case "home": {
      const facts = { ...(subject.item === null ? {} : itemFacts(subject.item)), description };
      return [webPage("WebPage", { path: "/", name: subject.title }, context, facts)];
    }
    case "item":
      return itemPage(subject.item, description, context);
    case "listing":
      return listingPage(subject, description, context);
    case "other":
      return [webPage("WebPage", { path: subject.path, name: subject.title }, context, {})];
    case "nothing":
      return [];
  }
}

function itemPage(item: PublishedItem, description: string, context: PageContext): Entity[] {
  const type = context.types.get(item.type);
  if (type === undefined) return [];
  const entities = itemEntities(item, type, context);
  const page = { ...item, description, hasThing: entities.length > 0 };
  return [...entitiesAround(page, type, context), ...entities];
}

/** What is told of the page of an item beside what the item is. */
interface ItemPage {
  path: string;
  title: string;
  language: string;
  publishedAt: string;
  updatedAt: string;
  description: string;
  /** Is the page about something, and not only a page? */
  hasThing: boolean;
}

function entitiesAround(item: ItemPage, type: ContentType, context: PageContext): Entity[] {
  const pageType = type.schemaOrg.endsWith("Page") ? type.schemaOrg : "WebPage";
  const crumbs = breadcrumbs(item, type, context.origin);
  const facts = {
    description: item.description,
    ...itemFacts(item),
    breadcrumb: { "@id": crumbs["@id"] },
    ...(item.hasThing ? { mainEntity: { "@id": itemEntityId(item, type, context.origin) } } : {}),
  };
  return [webPage(pageType, { path: item.path, name: item.title }, context, facts), crumbs];
}

function listingPage(
  { type, items, offset, total }: Extract<Subject, { kind: "listing" }>,
  description: string,
  context: PageContext,
): Entity[] {
  const path = type.listPath ?? "/";
  const list: Entity = {
    "@type": "ItemList",
    "@id": `${pageUrl(context.origin, path)}#list`,
    numberOfItems: total,
    itemListElement: items.map((item, index) => ({
      "@type": "ListItem",
      position: offset + index + 1,
      url: pageUrl(context.origin, item.path),
      name: item.title,
    })),
  };
  const crumbs = breadcrumbs(null, type, context.origin);
  const facts = {
    description,
    breadcrumb: { "@id": crumbs["@id"] },
    mainEntity: { "@id": list["@id"] },
  };
  return [webPage("CollectionPage", { path, name: type.plural }, context, facts), crumbs, list];
}

function webPage(
  type: string,
  { path, name }: { path: string; name: string },
  { origin }: PageContext,
  facts: Entity,
): Entity {
  const url = pageUrl(origin, path);
  return {
    "@type": type,
    "@id": `${url}#page`,
    url,
    name,
    isPartOf: { "@id": `${origin}/#website` },
    ...facts,
  };
}

function itemFacts(item: Pick<PublishedItem, "language" | "publishedAt" | "updatedAt">): Entity {
  return {
    inLanguage: item.language,
    datePublished: item.publishedAt,
    dateModified: item.updatedAt,
  };
}

/** Home, the listing page of the type, and the item unless the page is the listing itself. */
function breadcrumbs(
  item: { path: string; title: string } | null,
  type: ContentType,
  origin: string,
): Entity {
  const steps = [
    { path: "/", name: "Home" },
    ...(type.listPath === null ? [] : [{ path: type.listPath, name: type.plural }]),
    ...(item === null ? [] : [{ path: item.path, name: item.title }]),
  ];
  const last = steps.at(-1)?.path ?? "/";
  return {
    "@type": "BreadcrumbList",
    "@id": `${pageUrl(origin, last)}#breadcrumbs`,
    itemListElement: steps.map(({ path, name }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: pageUrl(origin, path),
    })),
  };
}
