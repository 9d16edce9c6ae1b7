import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, it } from "node:test";
import { validateXML } from "xmllint-wasm";
import { BUILT_IN_PAGES } from "../../src/content/pages/built-in/built-in-pages.ts";
import { findPage } from "../../src/content/pages/find-page.ts";
import { NO_PARAMETERS } from "../../src/content/pages/paging.ts";
import { withOverriddenMethods } from "../../src/content/reading-overrides.ts";
import { findDocument } from "../../src/discovery/documents.ts";
import { openReading } from "../support/reading-store.ts";
import { documentText, openFixtureSite, textOf } from "./fixture-site.ts";

const site = openFixtureSite();
after(() => site[Symbol.dispose]());

/** Built-in pages that the sitemap lists if they have content. */
const LISTED_PAGES = BUILT_IN_PAGES.filter(({ listed }) => listed !== null).length;

const schema = (name: string) => ({
  fileName: name,
  contents: readFileSync(new URL(`../schemas/${name}`, import.meta.url), "utf8"),
});

async function faults(xml: string): Promise<readonly string[]> {
  const result = await validateXML({
    xml,
    schema: schema("sitemap-with-links.xsd"),
    preload: [schema("sitemap.xsd"), schema("xhtml-link.xsd")],
  });
  return result.errors.map(({ message }) => message);
}

function locations(xml: string): string[] {
  return [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => match[1] ?? "");
}

it("follows the schema of sitemaps.org", async () => {
  const xml = textOf(site.context, "/sitemap.xml");
  assert.deepEqual(await faults(xml), []);
  assert.notDeepEqual(await faults(xml.replace("<lastmod>", "<lastmod>on ")), []);
  assert.notDeepEqual(await faults(xml.replace('hreflang="de"', 'hreflang="x y"')), []);
});

it("is valid before anything is published", async () => {
  using store = openReading();
  const xml = textOf({ ...site.context, reading: store.reading }, "/sitemap.xml");
  assert.deepEqual(await faults(xml), []);
  assert.deepEqual(locations(xml), [`${site.context.origin}/`]);
});

it("lists the canonical address of every page and listing once, and nothing else", () => {
  const items = [...site.reading.index()].map(({ path }) => path);
  const listings = ["/de", "/topics", "/authors", "/works", "/quotations", "/events", "/timeline"];
  const expected = [...items, ...listings].map((path) => site.context.origin + encodeURI(path));
  assert.deepEqual(locations(textOf(site.context, "/sitemap.xml")).sort(), expected.sort());
});

it("has the list that a type declares at the path of a built-in page, once", async () => {
  using store = openReading();
  store.put("author", "/authors/horace", { title: "Horace", fields: { born: "-0065" } });
  const paths = async () => {
    const documents = { ...site.context, reading: store.reading };
    const page = await findPage(store.reading, "/timeline", NO_PARAMETERS);
    const title = page.kind === "page" ? page.view.title : page.kind;
    const listed = locations(textOf(documents, "/sitemap.xml")).map((url) => new URL(url).pathname);
    return [title, listed.filter((path) => path !== "/authors/horace")];
  };
  assert.deepEqual(await paths(), ["Timeline", ["/", "/authors", "/timeline"]]);
  const types = new Map(store.types);
  const author = types.get("author");
  assert(author !== undefined);
  types.set("author", { ...author, listPath: "/timeline" });
  store.writer.saveSite(store.reading.site(), types);
  store.flush();
  assert.deepEqual(await paths(), ["Authors", ["/", "/timeline"]]);
});

it("names translations from both sides, with the site's language as the default", () => {
  const xml = textOf(site.context, "/sitemap.xml");
  const links = xml.match(/<xhtml:link [^>]+>/g) ?? [];
  assert.equal(links.length, 12);
  assert.equal(links.filter((link) => link.includes('hreflang="x-default"')).length, 4);
  const versions = ["/%C3%BCber-uns", "/about", "/", "/de"];
  const hrefs = links.map((link) => /href="([^"]*)"/.exec(link)?.[1]);
  const expected = versions.map((path) => site.context.origin + path);
  assert.deepEqual(new Set(hrefs), new Set(expected));
});

it("has no parts while one file is enough", () => {
  assert.equal(documentText(site.context, "/sitemap-1.xml"), null);
});

it("falls into an index and streamed files of 50,000 on a site of 120,000", () => {
  const items = 120_000;
  const profile = { ...site.reading.site(), languages: [] };
  const reading = withOverriddenMethods(site.reading, {
    site: () => profile,
    counts: () => ({ page: 1, quotation: items - 1 }),
    *index({ offset = 0, limit = items } = {}) {
      for (let i = offset; i < Math.min(items, offset + limit); i += 1) {
        yield {
          path: i === 0 ? "/" : `/quotations/q${i}`,
          type: "quotation",
          cursor: `quotation:${i}`,
          title: "",
          summary: "",
          language: "en",
          updatedAt: "2026-01-01T00:00:00.000Z",
        };
      }
    },
  });
  const context = { ...site.context, reading };
  const parts = locations(textOf(context, "/sitemap.xml"));
  assert.equal(parts.length, 3);
  const seen = new Set<string>();
  for (const part of parts) {
    const found = findDocument(part.slice(context.origin.length));
    const pieces = found?.document.render(context, found.parameters) ?? null;
    assert(pieces !== null && typeof pieces !== "string", "the file is streamed");
    let urls = 0;
    for (const piece of pieces) {
      for (const location of locations(piece)) {
        urls += 1;
        seen.add(location);
      }
    }
    assert(urls <= 50_000);
  }
  const lists = ["/quotations"];
  assert.equal(seen.size, items + lists.length + LISTED_PAGES);
  for (const path of ["/sitemap-0.xml", "/sitemap-4.xml", "/sitemap-x.xml"]) {
    assert.equal(documentText(context, path), null, path);
  }
});

it("makes files smaller where each page names its translations, for the limit of 50 MB", () => {
  const reading = withOverriddenMethods(site.reading, {
    counts: () => ({ page: 60_000 }),
  });
  assert.equal(locations(textOf({ ...site.context, reading }, "/sitemap.xml")).length, 3);
});
