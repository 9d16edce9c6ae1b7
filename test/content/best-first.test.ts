import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { changeItem, saveItem } from "../../src/content/editing/editing.ts";
import { unpublishItem } from "../../src/content/editing/publishing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

const OPERATOR = { kind: "operator" } as const;
const AUTHORS = ["ada", "bo", "cleo", "dan"] as const;
const EACH = 8;
const ids = new Map<string, string>();

before(async () => {
  await save({ type: "topic", path: "/topics/best", title: "Best" });
  for (const author of AUTHORS) {
    await save({ type: "author", path: `/authors/${author}`, title: author });
  }
  // In the order of an import: one author after the other.
  for (const author of AUTHORS) {
    for (let number = 1; number <= EACH; number += 1) await saveLine(author, number);
  }
});

async function saveLine(author: string, number: number): Promise<void> {
  await save({
    type: "quotation",
    path: `/quotations/${author}-${number}`,
    title: `Line ${number} of ${author}`,
    body: `Line ${number} of ${author} ${"is neither short nor long ".repeat(3 + number)}enough.`,
    fields: { verification: "verified", locator: `Book ${romanOf(number)}, ¶${20 - number}` },
    relations: {
      authors: [`/authors/${author}`],
      topics: [{ to: "/topics/best", note: number === 1 ? "keyword" : null }],
      work: ["/works/epictetus-discourses-george-long"],
    },
  });
}

async function save(input: object): Promise<void> {
  const item = itemInputSchema.parse({ status: "published", ...input });
  const saved = await saveItem(site.record.content, OPERATOR, item, NOW);
  ids.set(saved.item.path, saved.item.id);
}

function romanOf(number: number): string {
  return ["I", "II", "III", "IV", "V", "VI", "VII", "VIII"][number - 1] ?? "";
}

/** `ada-1`, in the order of a list. */
async function linesAt(path: string): Promise<string[]> {
  const text = await (await site.get(path)).text();
  return [...text.matchAll(/\/quotations\/((?:ada|bo|cleo|dan)-\d+)\.md/g)].map(
    ([, line = ""]) => line,
  );
}

function idOf(line: string): string {
  return ids.get(`/quotations/${line}`) ?? assert.fail(line);
}

function authorOf(line: string): string {
  return line.split("-")[0] ?? "";
}

describe("a list of quotations", () => {
  it("lets authors take turns, each with the best of theirs first", async () => {
    const lines = await linesAt("/topics/best.md");
    for (const author of AUTHORS) {
      const own = lines.slice(0, 10).filter((line) => authorOf(line) === author);
      assert(own.length <= 3, `${author}: ${own.length}`);
    }
    const ofAda = lines.filter((line) => authorOf(line) === "ada");
    assert.equal(ofAda[0], "ada-2", "made by a person before made by a keyword");
    const all = [...lines, ...(await linesAt("/topics/best.md?page=2"))];
    assert.equal(new Set(all).size, AUTHORS.length * EACH);
  });

  it("has the editors’ choice first", async () => {
    await changeItem(site.record.content, OPERATOR, idOf("dan-8"), {
      now: NOW,
      patch: { fields: { featured: true } },
    });
    for (const path of ["/topics/best.md", "/authors/dan.md"]) {
      assert.equal((await linesAt(path))[0], "dan-8", path);
    }
  });

  it("moves up what follows when one goes", async () => {
    const lines = await linesAt("/topics/best.md");
    const [first = "", second = ""] = lines.filter((line) => authorOf(line) === "cleo");
    await unpublishItem(site.record.content, OPERATOR, idOf(first), { now: NOW });
    const rest = await linesAt("/topics/best.md");
    assert.equal(rest.indexOf(second), lines.indexOf(first));
  });

  it("follows the places in a work, Roman numbers included", async () => {
    const lines = await linesAt("/works/epictetus-discourses-george-long.md?page=2");
    const seen = lines.filter((line) => authorOf(line) === "bo");
    const before = await linesAt("/works/epictetus-discourses-george-long.md");
    const ofBo = [...before, ...seen].filter((line) => authorOf(line) === "bo");
    assert.deepEqual(
      ofBo,
      [...ofBo].sort((a, b) => a.localeCompare(b)),
    );
    assert(ofBo.length > 2);
  });

  it("keeps lines of verse", async () => {
    await save({
      type: "quotation",
      path: "/quotations/verse",
      title: "Verse",
      body: "One line\\\nand another.\n\nA stanza.",
      fields: { featured: true },
      relations: { topics: ["/topics/best"] },
    });
    const html = await (await site.get("/topics/best")).text();
    assert.match(html, /<p>One line<br>and another\.<\/p><p>A stanza\.<\/p>/);
    const markdown = await (await site.get("/topics/best.md")).text();
    assert.match(markdown, /> One line\\\n> and another\.\n>\n> A stanza\./);
  });

  it("keeps the numbers of ordered lists", async () => {
    await save({
      type: "quotation",
      path: "/quotations/senses",
      title: "Senses",
      body: "3. The *first*.\n4. The second:\n   - a part\n\n5. The third.",
      fields: { featured: true },
      relations: { topics: ["/topics/best"] },
    });
    const html = await (await site.get("/topics/best")).text();
    assert.match(
      html,
      /<p>3\. The first\.<\/p><p>4\. The second:<\/p><p>a part<\/p><p>5\. The third\.<\/p>/,
    );
    const markdown = await (await site.get("/topics/best.md")).text();
    assert.match(markdown, /> 3\\\. The first\.\n>\n> 4\\\. The second:/);
  });
});
