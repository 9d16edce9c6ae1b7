import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { HtmlValidate } from "html-validate";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

const OPERATOR = { kind: "operator" } as const;

async function saveAuthor(title: string, born: string): Promise<void> {
  const path = `/authors/${title.toLowerCase()}`;
  const input = { type: "author", path, title, fields: { born }, status: "published" };
  await saveItem(site.record.content, OPERATOR, itemInputSchema.parse(input), NOW);
}

async function htmlAt(path: string): Promise<string> {
  const response = await site.get(path, { accept: "text/html" });
  assert.equal(response.status, 200, path);
  return await response.text();
}

function filterForm(html: string): string {
  return /<form class="filters".*?<\/form>/s.exec(html)?.[0] ?? "";
}

function sortsIn(html: string): string[] {
  const [list = ""] = /<select id="filter-sort".*?<\/select>/s.exec(html) ?? [];
  return [...list.matchAll(/<option value="([^"]+)"/g)].map(([, name = ""]) => name);
}

function authorsIn(html: string): string[] {
  const [list = ""] = /<ul class="entries">.*?<\/ul>/s.exec(html) ?? [];
  return [...list.matchAll(/<a href="\/authors\/([^"]+)"/g)].map(([, name = ""]) => name);
}

describe("a list with nothing to count", () => {
  before(async () => {
    await saveAuthor("Older", "-0120");
    await saveAuthor("Middle", "1848-02");
    await saveAuthor("Younger", "1902");
  });

  it("is narrowed by dates, and its form keeps what was typed", async () => {
    const html = await htmlAt("/search?type=author&born_from=1848-02&born_to=1901");
    assert.deepEqual(authorsIn(html), ["middle"]);
    const form = filterForm(html);
    assert.match(form, /Born from<\/label> <input [^>]*name="born_from"[^>]* value="1848-02"/);
    assert.match(form, /name="born_to"[^>]* value="1901"/);
    assert.match(form, /<input type="hidden" name="type" value="author">/);
    assert.match(
      html,
      /<a href="\/search\?type=author&amp;born_to=1901" [^>]*>Born \(from\): 1848-02/,
    );
    const { results } = await new HtmlValidate({
      extends: ["html-validate:standard"],
      elements: ["html5"],
    }).validateString(html);
    assert.deepEqual(results, []);
  });

  it("takes years before Christ and is sorted", async () => {
    const html = await htmlAt("/search?type=author&born_from=-0200&sort=born");
    assert.deepEqual(authorsIn(html), ["older", "middle", "younger"]);
    assert.match(filterForm(html), /<option value="born" selected>Born</);
  });

  it("offers only orders by what an item has a value for", async () => {
    const orders = ["title", "updated", "added", "sort_name", "born"];
    assert.deepEqual(sortsIn(await htmlAt("/search?type=author")), orders);
    const ofQuotations = ["best", "title", "updated", "added", "locator"];
    assert.deepEqual(sortsIn(await htmlAt("/search?type=quotation")), ofQuotations);
    assert(sortsIn(await htmlAt("/search?type=quotation&sort=year")).includes("year"));
    const html = await htmlAt("/search?type=quotation&year_from=1800");
    assert.match(html, /Year \(from\): 1800/);
    assert.doesNotMatch(filterForm(html), /name="(?:year_from|year_to)" inputmode/);
  });

  it("names its ranges and orders in Markdown too, by their parameters", async () => {
    const reply = await site.get("/search.md?type=author&sort=born");
    const markdown = await reply.text();
    assert.match(markdown, /^- Born \(`born_from=`, `born_to=`\)$/m);
    const orders = sortsIn(await htmlAt("/search?type=author&sort=born"));
    const [, line = ""] = /^- Order \(`sort=`\): (.+)$/m.exec(markdown) ?? [];
    assert.deepEqual(
      [...line.matchAll(/\(`([^`]+)`\)/g)].map(([, name]) => name),
      orders,
    );
    assert.doesNotMatch(await (await site.get("/search.md?type=author&q=older")).text(), /sort=/);
  });

  it("has the dates in the form of a search too, which has no order", async () => {
    const form = filterForm(await htmlAt("/search?type=author&q=older"));
    assert.match(form, /name="born_from"/);
    assert.match(form, /<input type="hidden" name="q" value="older">/);
    assert.doesNotMatch(form, /name="sort"/);
  });
});

it("a search can be limited to every type that the edition has items of", async () => {
  const html = await htmlAt("/search?q=the&type=page");
  const [list = ""] = /<select id="search-type".*?<\/select>/s.exec(html) ?? [];
  assert.match(list, /<option value="page" selected>Pages</);
  const names = [...list.matchAll(/<option value="([^"]+)"/g)].map(([, name = ""]) => name);
  const kinds = await htmlAt("/search?q=the");
  for (const [, name = ""] of kinds.matchAll(/<h2 id="found-([^"]+)"/g))
    assert(names.includes(name));
});
