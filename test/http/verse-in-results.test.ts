import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

const VERSE = "A quoll sat on a hill,\\\nthe quoll sat very still,\\\nand sang.";

async function save(type: string, path: string, title: string): Promise<void> {
  const input = { type, path, title, body: VERSE, status: "published" };
  await saveItem(site.record.content, { kind: "operator" }, itemInputSchema.parse(input), NOW);
}

before(async () => {
  await save("quotation", "/quotations/quoll", "A quoll sat on a hill, the quoll…");
  await save("quotation", "/quotations/song", "Song of the hill");
  await save("page", "/animals", "Animals of the hill");
});

async function resultsAs(type: string, accept: string): Promise<string> {
  return await (await site.get(`/search?q=quoll&type=${type}`, { accept })).text();
}

it("keeps the lines of quotations, in links and below titles", async () => {
  const html = await resultsAs("quotation", "text/html");
  const lines =
    "A <mark>quoll</mark> sat on a hill,<br>the <mark>quoll</mark> sat very still,<br>and sang.";
  assert(html.includes(`>${lines}</a>`), html);
  assert(html.includes(`<p class="note">${lines}</p>`), html);
  const markdown = await resultsAs("quotation", "text/markdown");
  assert(
    markdown.includes("- [A quoll sat on a hill,\\\n  the quoll sat very still,\\\n  and sang.]("),
  );
  assert(markdown.includes(": A **quoll** sat on a hill,\\\n  the **quoll** sat"));
});

it("joins the lines of other texts", async () => {
  const html = await resultsAs("page", "text/html");
  assert.match(html, /sat on a hill, the <mark>quoll<\/mark> sat very still, and sang\./);
});
