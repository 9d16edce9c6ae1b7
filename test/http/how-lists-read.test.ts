import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

const AUTHOR = "/authors/wombat";

async function save(input: object): Promise<void> {
  const item = itemInputSchema.parse({ status: "published", ...input });
  await saveItem(site.record.content, { kind: "operator" }, item, NOW);
}

before(async () => {
  const fields = { sort_name: "Wombat", born: "1817", died: "1862" };
  await save({ type: "author", path: AUTHOR, title: "Ada Wombat", fields });
  await save({
    type: "work",
    path: "/works/burrows",
    title: "Burrows",
    fields: { kind: "book", year: 1854 },
    relations: { authors: [AUTHOR] },
  });
  const relations = { authors: [AUTHOR], work: ["/works/burrows"] };
  await save({
    type: "quotation",
    path: "/quotations/digging",
    title: "Whoever digs a numbat burrow…",
    body: "Whoever digs a numbat burrow sleeps in it.",
    relations,
  });
  await save({
    type: "quotation",
    path: "/quotations/dusk",
    title: "Dusk",
    body: "When one gets up.",
    fields: { locator: "Dusk" },
    relations,
  });
});

async function read(path: string, accept = "text/html"): Promise<string> {
  return await (await site.get(path, { accept })).text();
}

it("search shows the source of a passage below it", async () => {
  const html = await read("/search?q=numbat&type=quotation");
  assert.match(html, /sleeps in it\.<\/a><br><a href="\/authors\/wombat">Ada Wombat<\/a>, <a/);
  const markdown = await read("/search?q=numbat&type=quotation", "text/markdown");
  assert.match(markdown, /sleeps in it\.\]\(\S+\)\\\n {2}\[Ada Wombat\]\(/);
});

it("keeps years together, and numbers with what they count", async () => {
  const html = await read("/authors");
  assert(
    html.includes(
      '(<span class="fact">1817–1862</span>, <span class="fact">1 work</span>, <span class="fact">2 quotations</span>)',
    ),
    html,
  );
  const markdown = await read("/authors", "text/markdown");
  assert(markdown.includes("(1817–1862, 1 work, 2 quotations)"), markdown);
});

it("a quotation whose title is its place names it once", async () => {
  const html = await read("/works/burrows");
  assert.match(html, /Dusk.*<a href="\/quotations\/dusk">Context and citation<\/a>/);
});

it("capitalises the value of an enum that is a fact by itself", async () => {
  assert.match(await read("/works/burrows"), /<dt>Kind<\/dt><dd>Book<\/dd>/);
});

it("a list says once, above the first quotations, that the editors listed them", async () => {
  await save({ type: "topic", path: "/topics/holes", title: "Holes" });
  for (const [at, note] of [null, null, "tag", "tag", "by ear", "tag"].entries()) {
    await save({
      ...{ type: "quotation", path: `/quotations/hole-${at}`, title: `Hole ${at}` },
      body: "Dig.",
      fields: note === null ? { featured: true } : {},
      relations: { topics: [{ to: "/topics/holes", note }] },
    });
  }
  const html = await read("/topics/holes");
  const lines = html.match(/(?<=<p class="aside">)Listed[^<]*|<blockquote>|listed here[^<]*/g);
  const quote = "<blockquote>";
  assert.deepEqual(lines, [
    ...["Listed here by the editors:", quote, quote],
    ...["Listed here, unless noted otherwise: tag.", quote, quote, quote, "listed here: by ear"],
    quote,
  ]);
});
