import assert from "node:assert/strict";
import { after, it } from "node:test";
import type { PublishedItem, ReadingCopy } from "../../src/content/library.ts";
import { buildMissingPage } from "../../src/content/pages/missing-page.ts";
import type { PageSubject } from "../../src/content/pages/view.ts";
import { withOverriddenMethods } from "../../src/content/reading-overrides.ts";
import { mainEdition } from "../../src/content/site/editions.ts";
import { pageHtml } from "../../src/render/page-html.ts";
import {
  buildSiteEntities,
  type PageForStructuredData,
  buildStructuredData as structuredDataOf,
} from "../../src/render/structured-data.ts";
import { openFixtureSite, textOf } from "../discovery/fixture-site.ts";

const site = openFixtureSite();
after(() => site[Symbol.dispose]());
const { reading, context } = site;
const { origin } = context;

const DESCRIPTION = "What the page says of itself";

function structuredData(
  page: Omit<PageForStructuredData, "trail">,
  of: { reading: ReadingCopy; origin: string },
): string {
  const ofSite = buildSiteEntities(of.reading.site(), of.origin);
  const trail = [
    { text: "Home", to: "/" },
    { text: "Topics", to: "/topics" },
  ];
  return structuredDataOf({ ...page, trail }, ofSite, {
    edition: mainEdition(of.reading),
    origin: of.origin,
  });
}

function graphOf(subject: PageSubject) {
  const document = JSON.parse(structuredData({ subject, description: DESCRIPTION }, context));
  assert.equal(document["@context"], "https://schema.org");
  const graph: Record<string, unknown>[] = document["@graph"];
  const ids = graph.map((entity) => entity["@id"]);
  assert.equal(new Set(ids).size, ids.length, "an @id stands twice");
  return graph;
}

function itemGraph(path: string) {
  const found = reading.resolve(path);
  assert(found.kind === "item", path);
  return graphOf({ kind: "item", item: found.item });
}

function pageOf(item: PublishedItem) {
  return { subject: { kind: "item" as const, item }, description: DESCRIPTION };
}

function find(graph: Record<string, unknown>[], type: string) {
  const entity = graph.find((each) => each["@type"] === type);
  assert(entity, `there is no ${type}`);
  return entity;
}

it("describes the association and its search on every page", () => {
  for (const graph of [itemGraph("/about"), itemGraph("/topics/time")]) {
    assert.equal(find(graph, "NGO")["@id"], `${origin}/#organization`);
    const website = find(graph, "WebSite");
    assert.deepEqual(website["publisher"], { "@id": `${origin}/#organization` });
    assert.match(JSON.stringify(website["potentialAction"]), /\/search\?q=\{query\}/);
  }
});

it("includes the association's logo wherever it has one", () => {
  const logo = "https://quotations.example/logo.png";
  const profile = reading.site();
  const organization = { ...profile.organization, logo };
  const pictured = withOverriddenMethods(reading, { site: () => ({ ...profile, organization }) });
  const described = { ...context, reading: pictured };
  const subject: PageSubject = { kind: "nothing" };
  const graph = JSON.parse(structuredData({ subject, description: "" }, described))["@graph"];
  assert.equal(find(graph, "NGO")["logo"], logo);
  const catalog = JSON.parse(textOf(described, "/.well-known/ai-catalog.json"));
  assert.equal(catalog.host.logoUrl, logo);
  const page = pageHtml(buildMissingPage(pictured, { status: 404, path: "/nope" }, []), {
    ...described,
    feeds: [],
  });
  assert.match(
    page,
    /<meta property="og:image" content="https:\/\/quotations\.example\/logo\.png">/,
  );
});

it("describes a quotation by its text, author, work and topics", () => {
  const quotation = find(itemGraph("/quotations/abet"), "Quotation");
  assert.equal(quotation["text"], "To encourage in crime, as to aid poverty with pennies.");
  assert.match(JSON.stringify(quotation["creator"]), /authors\/ambrose-bierce#author/);
  assert.match(JSON.stringify(quotation["isPartOf"]), /the-devils-dictionary#work/);
  assert.match(JSON.stringify(quotation["about"]), /topics\/courage#topic/);
  assert.equal(quotation["author"], undefined);
});

it("gives an entity the same @id everywhere", () => {
  const author = find(itemGraph("/authors/ambrose-bierce"), "Person");
  assert.equal(author["@id"], `${origin}/authors/ambrose-bierce#author`);
  const work = find(itemGraph("/works/ambrose-bierce-the-devils-dictionary"), "Book");
  assert.match(JSON.stringify(work["author"]), /authors\/ambrose-bierce#author/);
});

it("leaves out years BCE, empty lists and text that may be cut", () => {
  using store = openFixtureSite();
  store.put("author", "/authors/seneca", {
    title: "Seneca",
    fields: { born: "-4", died: "0065", same_as: [] },
  });
  store.put("quotation", "/quotations/long", { title: "Long", body: "word ".repeat(400) });
  const describe = (path: string) => {
    const found = store.reading.resolve(path);
    assert(found.kind === "item");
    return JSON.parse(structuredData(pageOf(found.item), store.context))["@graph"];
  };
  const person = find(describe("/authors/seneca"), "Person");
  assert.equal("birthDate" in person || "sameAs" in person, false);
  assert.equal(person["deathDate"], "0065");
  assert.equal("text" in find(describe("/quotations/long"), "Quotation"), false);
});

it("describes a declared type as its declaration says", () => {
  const event = find(itemGraph("/events/reading-evening"), "Event");
  assert.equal(event["@id"], `${origin}/events/reading-evening#event`);
  assert.match(JSON.stringify(event["about"]), /topics\/courage#topic/);
});

it("puts a topic into its term set and gives breadcrumbs", () => {
  const graph = itemGraph("/topics/time");
  const set = find(graph, "DefinedTermSet");
  assert.deepEqual(find(graph, "DefinedTerm")["inDefinedTermSet"], { "@id": set["@id"] });
  const page = find(graph, "WebPage");
  assert.equal(page["description"], DESCRIPTION);
  assert.deepEqual(page["breadcrumb"], { "@id": find(graph, "BreadcrumbList")["@id"] });
  const crumbs = JSON.stringify(find(graph, "BreadcrumbList"));
  assert.match(crumbs, /"Home".*"Topics".*"Time"/);
});

it("numbers the items of a listing from the start of its page", () => {
  const type = reading.types().get("topic");
  assert(type);
  const { items, total } = reading.list({
    types: ["topic"],
    filters: [],
    links: [],
    sort: "title",
    descending: false,
    limit: 3,
    offset: 3,
  });
  const graph = graphOf({ kind: "listing", type, items, offset: 3, total });
  const list = find(graph, "ItemList");
  assert.equal(list["numberOfItems"], 7);
  assert.match(JSON.stringify(list["itemListElement"]), /^\[\{"@type":"ListItem","position":4,/);
  assert.deepEqual(find(graph, "CollectionPage")["mainEntity"], { "@id": list["@id"] });
});

it("names a licence by URL only, and adds no entity for a page without content", () => {
  using store = openFixtureSite();
  store.put("work", "/works/a", { title: "A", fields: { licence: "CC0, roughly" } });
  store.put("work", "/works/b", { title: "B", fields: { licence: "https://example.org/l" } });
  const licenceOf = (path: string) => {
    const found = store.reading.resolve(path);
    assert(found.kind === "item");
    const graph = JSON.parse(structuredData(pageOf(found.item), store.context))["@graph"];
    return find(graph, "CreativeWork")["license"];
  };
  assert.deepEqual(
    [licenceOf("/works/a"), licenceOf("/works/b")],
    [undefined, "https://example.org/l"],
  );
  assert.deepEqual(
    graphOf({ kind: "nothing" }).map((entity) => entity["@type"]),
    ["NGO", "WebSite"],
  );
});

it("gives books an ISBN, and works a publisher entity", () => {
  using store = openFixtureSite();
  for (const kind of ["book", "letter"]) {
    store.put("work", `/works/${kind}`, {
      title: kind,
      fields: { kind, isbn: "9780140442106", publisher: "Penguin" },
    });
  }
  const workAt = (path: string) => {
    const found = store.reading.resolve(path);
    assert(found.kind === "item");
    const graph = JSON.parse(structuredData(pageOf(found.item), store.context))["@graph"];
    return find(graph, path === "/works/book" ? "Book" : "CreativeWork");
  };
  assert.equal(workAt("/works/book")["isbn"], "9780140442106");
  assert.equal(workAt("/works/letter")["isbn"], undefined);
  assert.deepEqual(workAt("/works/letter")["publisher"], {
    "@type": "Organization",
    name: "Penguin",
  });
});

it("cannot close its script element", () => {
  using store = openFixtureSite();
  store.put("topic", "/topics/odd", { title: "</script><script>alert(1)</script><!--" });
  const found = store.reading.resolve("/topics/odd");
  assert(found.kind === "item");
  const text = structuredData(pageOf(found.item), store.context);
  assert.doesNotMatch(text, /</);
  assert.match(text, /\\u003c\/script>/);
});
