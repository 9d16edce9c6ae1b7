import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { HtmlValidate } from "html-validate";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

const WORDS = `${"A long paragraph of the report. ".repeat(30)}\n\n`;

describe("the contents of a page", () => {
  it("are the sections of a long text, with those below them", async () => {
    const nav = await contentsOf("/report", [
      "## Foreword",
      "## Our *work* & <b>money</b>[^1]",
      "### In 2025",
      "### In 2026",
      "#### In May",
      "## Thanks",
      "## Annexes",
    ]);
    const links = [...nav.matchAll(/<a href="#([^"]+)">([^<]*)<\/a>/g)];
    assert.deepEqual(
      links.map(([, , text]) => text),
      ["Foreword", "Our work &amp; money", "In 2025", "In 2026", "Thanks", "Annexes"],
    );
    const page = await htmlOf("/report");
    for (const [, id] of links) assert.match(page, new RegExp(`<h[23] id="${id}"`));
    assert.match(nav, /money<\/a><ol><li>.*In 2025.*In 2026.*<\/ol><\/li>/);
    assert.match(nav, /<details open><summary>Contents<\/summary>/);
  });

  it("leave out the lower level of a text with many sections, and are closed at first", async () => {
    const chapters = Array.from({ length: 12 }, (_, at) => [`## Chapter ${at}`, "### A", "### B"]);
    const nav = await contentsOf("/book", chapters.flat());
    assert.equal(nav.match(/<a /g)?.length, 12);
    assert.match(nav, /<details><summary>/);
  });

  it("are in the direction of the text, under a name in the language of the page", async () => {
    const sections = ["## \u05d0", "## \u05d1", "## \u05d2", "## \u05d3"];
    const nav = await contentsOf("/hebrew", sections, "he");
    assert.match(nav, /aria-label="Contents"/);
    assert.match(nav, /<ol lang="he" dir="rtl">/);
  });

  it("are not shown of short texts, few sections or a dictionary", async () => {
    assert.equal(await contentsOf("/few", ["## One", "## Two", "## Three"]), "");
    const entries = Array.from({ length: 80 }, (_, at) => `## Entry ${at}`);
    assert.equal(await contentsOf("/dictionary", entries), "");
    await save("/short", "## A\n\n## B\n\n## C\n\n## D\n\n## E");
    assert.doesNotMatch(await htmlOf("/short"), /class="contents"/);
  });
});

async function contentsOf(path: string, sections: string[], language = "en"): Promise<string> {
  const text = sections.map((section) => `${section}\n\n${WORDS.repeat(3)}`).join("");
  await save(path, `${text}[^1]: A note.`, language);
  const html = await htmlOf(path);
  const validator = new HtmlValidate({ extends: ["html-validate:standard"], elements: ["html5"] });
  const { results } = await validator.validateString(html);
  assert.deepEqual(
    results.flatMap(({ messages }) => messages.map(({ message }) => message)),
    [],
  );
  return /<nav class="contents".*?<\/nav>/s.exec(html)?.[0] ?? "";
}

async function save(path: string, body: string, language = "en"): Promise<void> {
  const input = { type: "page", path, title: "A page", body, language, status: "published" };
  const item = itemInputSchema.parse(input);
  await saveItem(site.record.content, { kind: "operator" }, item, new Date("2026-11-20"));
}

async function htmlOf(path: string): Promise<string> {
  return await (await site.get(path, { accept: "text/html" })).text();
}
