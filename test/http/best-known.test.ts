import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

const TOPIC = "/topics/lines";

async function save(input: object): Promise<void> {
  const item = itemInputSchema.parse({ status: "published", ...input });
  await saveItem(site.record.content, { kind: "operator" }, item, NOW);
}

/** Creates an author with this many quotations; editors have pinned some of them. */
async function saveAuthor(name: string, { lines, pinned }: { lines: number; pinned: number }) {
  const slug = name.toLowerCase();
  await save({ type: "author", path: `/authors/${slug}`, title: name });
  for (let number = 1; number <= lines; number += 1) {
    await save({
      type: "quotation",
      path: `/quotations/${slug}-${number}`,
      title: `${name}, line ${number}`,
      body: `Line ${number} of ${name}, which is long enough to be read.`,
      fields: number > lines - pinned ? { featured: true } : {},
      relations: { authors: [`/authors/${slug}`], topics: [TOPIC] },
    });
  }
}

before(async () => {
  await save({ type: "topic", path: TOPIC, title: "Lines" });
  await saveAuthor("Ada", { lines: 28, pinned: 2 });
  await saveAuthor("Bo", { lines: 2, pinned: 2 });
  await saveAuthor("Cleo", { lines: 2, pinned: 0 });
  await saveAuthor("Dee", { lines: 35, pinned: 30 });
});

async function markdownOf(path: string): Promise<string> {
  return await (await site.get(path, { accept: "text/markdown" })).text();
}

function headingsIn(markdown: string): string[] {
  return markdown.match(/^## .*/gm) ?? [];
}

function linesIn(markdown: string): string[] {
  return markdown.match(/Line \d+ of \w+/g) ?? [];
}

it("the quotations that editors pinned open the page of their author", async () => {
  const first = await markdownOf("/authors/ada");
  assert.deepEqual(headingsIn(first), ["## Best known", "## Quotations (26 more of 28)"]);
  const [, best = "", others = ""] = first.split(/^## .*/m);
  assert.deepEqual(linesIn(best).sort(), ["Line 27 of Ada", "Line 28 of Ada"]);
  assert.match(others, /^\s*3 to 25\./);
  const second = await markdownOf("/authors/ada?page=2");
  assert.deepEqual(headingsIn(second), ["## Quotations (28)"]);
  const all = [first, second].flatMap(linesIn);
  assert.deepEqual([all.length, new Set(all).size], [28, 28]);
  const page = await (await site.get("/authors/ada", { accept: "text/html" })).text();
  assert.match(page, /<h2 id="best-known-quotations">Best known<\/h2>/);
});

it("there is nothing to choose from without others, without pinned ones, and on topics", async () => {
  assert.deepEqual(headingsIn(await markdownOf("/authors/bo")), ["## Quotations (2)"]);
  assert.deepEqual(headingsIn(await markdownOf("/authors/cleo")), ["## Quotations (2)"]);
  assert.deepEqual(headingsIn(await markdownOf(TOPIC)), ["## Quotations (67)"]);
});

it("more pinned quotations than a page holds are paged as all lists are", async () => {
  const pages = ["/authors/dee", "/authors/dee?page=2"];
  const texts = await Promise.all(pages.map(markdownOf));
  for (const text of texts) assert.deepEqual(headingsIn(text), ["## Quotations (35)"]);
  assert.deepEqual(
    texts.map((text) => linesIn(text).length),
    [25, 10],
  );
});
