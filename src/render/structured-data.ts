import { pageUrl } from "../content/addresses/addresses.ts";
import type { PublishedItem } from "../content/library.ts";
import { firstPublicationTimeOf } from "../content/lists/event-times.ts";
import { titleWithWarning } from "../content/pages/quotations/seals.ts";
import type { PageSubject, PageView } from "../content/pages/view.ts";
import type { Edition } from "../content/site/editions.ts";
import type { SiteProfile } from "../content/site/site.ts";
import { editorsEmail } from "../content/site/starter-site.ts";
import { type JsonText, jsonMember, toJson } from "./json-text.ts";
import { buildItemEntities, entityReference, itemEntityId } from "./structured-item.ts";

export type PageForStructuredData = Pick<PageView, "subject" | "description" | "trail">;

interface PageContext {
  edition: Pick<Edition, "types" | "texts" | "site">;
  origin: string;
}

/**
 * The JSON-LD of a page: one schema.org graph whose `@id`s are stable across pages. The graph
 * starts with `siteJson`, the output of `buildSiteEntities`. Safe inside a script element.
 */
export function buildStructuredData(
  page: PageForStructuredData,
  siteJson: JsonText,
  context: PageContext,
): JsonText {
  const pageJson = inScript(entitiesOfPage(page, context));
  const rest = pageJson === "" ? "" : `,${pageJson}`;
  return `{"@context":"https://schema.org","@graph":[${siteJson}${rest}]}`;
}

/** The members of the JSON-LD graph that describe the site. */
export function buildSiteEntities(site: SiteProfile, origin: string): JsonText {
  return inScript(entitiesOfSite(site, origin));
}

function inScript(entities: readonly JsonText[]): string {
  const text = entities.join();
  return text.includes("<") ? text.replaceAll("<", "\\u003c") : text;
}

function entitiesOfSite(site: SiteProfile, origin: string): JsonText[] {
  const { name, description, organization, language, licence } = site;
  const { type, locality, country, sameAs, logo } = organization;
  const hasAddress = locality !== undefined || country !== undefined;
  const address = hasAddress
    ? `,"address":{"@type":"PostalAddress"${jsonMember("addressLocality", locality)}${jsonMember("addressCountry", country)}}`
    : "";
  return [
    `{"@type":${toJson(type)},"@id":"${origin}/#organization","name":${toJson(name)},"url":"${origin}/","description":${toJson(description)},"contactPoint":{"@type":"ContactPoint","contactType":"editorial"${jsonMember("email", editorsEmail(site) ?? undefined)}}${jsonMember("sameAs", sameAs)}${jsonMember("logo", logo)}${address}}`,
    `{"@type":"WebSite","@id":"${origin}/#website","name":${toJson(name)},"url":"${origin}/","description":${toJson(description)},"inLanguage":"${language}","publisher":${entityReference(`${origin}/#organization`)}${jsonMember("license", licence?.url)},"potentialAction":{"@type":"SearchAction","target":{"@type":"EntryPoint","urlTemplate":"${origin}/search?q={query}"},"query-input":"required name=query"}}`,
  ];
}

function entitiesOfPage(page: PageForStructuredData, context: PageContext): JsonText[] {
  const { subject, description } = page;
  switch (subject.kind) {
    case "home": {
      const { path, title: name } = subject;
      const facts = `${itemFacts(subject.item, context)},"description":${toJson(description)}`;
      return [webPage({ type: "WebPage", path, name }, context, facts)];
    }
    case "item":
      return itemPage(subject, page, context);
    case "listing":
      return listingPage(subject, page, context);
    case "other": {
      const { path, title: name } = subject;
      return [webPage({ type: "WebPage", path, name }, context, "")];
    }
    case "nothing":
      return [];
  }
}

function itemPage(
  subject: Extract<PageSubject, { kind: "item" }>,
  { description, trail }: PageForStructuredData,
  context: PageContext,
): JsonText[] {
  const { item } = subject;
  const type = context.edition.types.get(item.type);
  if (type === undefined) return [];
  const { path, title } = item;
  const entities = buildItemEntities(subject, type, context);
  const pageType = type.schemaOrg.endsWith("Page") ? type.schemaOrg : "WebPage";
  const crumbs = breadcrumbs({ path, title }, trail, context);
  const about =
    entities.length === 0
      ? ""
      : `,"mainEntity":${entityReference(itemEntityId(item, type, context.origin))}`;
  const facts = `,"description":${toJson(description)}${itemFacts(item, context)},"breadcrumb":${entityReference(crumbs.id)}${about}`;
  const page = webPage({ type: pageType, path, name: title }, context, facts);
  return [page, crumbs.entity, ...entities];
}

function listingPage(
  { type, items, offset, total }: Extract<PageSubject, { kind: "listing" }>,
  { description, trail }: PageForStructuredData,
  { origin, edition }: PageContext,
): JsonText[] {
  const path = type.listPath ?? "/";
  const id = `${pageUrl(origin, path)}#list`;
  const elements = items.map(
    (item, index) =>
      `{"@type":"ListItem","position":${offset + index + 1},"url":"${pageUrl(origin, item.path)}","name":${toJson(titleWithWarning(item, edition.types))}}`,
  );
  const list = `{"@type":"ItemList","@id":"${id}","numberOfItems":${total},"itemListElement":[${elements.join()}]}`;
  const crumbs = breadcrumbs({ path, title: type.plural }, trail, { origin });
  const facts = `,"description":${toJson(description)},"breadcrumb":${entityReference(crumbs.id)},"mainEntity":${entityReference(id)}`;
  const page = { type: "CollectionPage", path, name: type.plural };
  return [webPage(page, { origin, edition }, facts), crumbs.entity, list];
}

/**
 * The graph's member for the page itself. `facts` has further properties of the page as JSON text, each
 * with a leading comma.
 */
function webPage(
  { type, path, name }: { type: string; path: string; name: string },
  { origin }: PageContext,
  facts: JsonText,
): JsonText {
  const url = pageUrl(origin, path);
  return `{"@type":${toJson(type)},"@id":"${url}#page","url":"${url}","name":${toJson(name)},"isPartOf":${entityReference(`${origin}/#website`)}${facts}}`;
}

function itemFacts(
  item: Pick<PublishedItem, "type" | "fields" | "language" | "publishedAt" | "updatedAt"> | null,
  { edition }: PageContext,
): JsonText {
  if (item === null) return "";
  const published = firstPublicationTimeOf(
    item,
    edition.types.get(item.type),
    edition.site.timeZone,
  );
  return `,"inLanguage":"${item.language}","datePublished":"${published}","dateModified":"${item.updatedAt}"`;
}

/** The breadcrumbs of the page, with the page itself as the last one. */
function breadcrumbs(
  { path, title }: { path: string; title: string },
  trail: PageView["trail"],
  { origin }: Pick<PageContext, "origin">,
): { id: string; entity: JsonText } {
  const url = pageUrl(origin, path);
  const above = trail
    .map(({ text, to }, at) => `${breadcrumb(at + 1, text, origin + to)},`)
    .join("");
  const steps = above + breadcrumb(trail.length + 1, title, url);
  const id = `${url}#breadcrumbs`;
  return { id, entity: `{"@type":"BreadcrumbList","@id":"${id}","itemListElement":[${steps}]}` };
}

function breadcrumb(position: number, name: string, url: string): JsonText {
  return `{"@type":"ListItem","position":${position},"name":${toJson(name)},"item":"${url}"}`;
}
