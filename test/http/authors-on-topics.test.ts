import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { saveItem } from "../../src/content/editing/editing.ts";
import { unpublishItem } from "../../src/content/editing/publishing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { NOW, ORIGIN, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

const OPERATOR = { kind: "operator" } as const;
const TOPIC = "/topics/many-voices";
const ids = new Map<string, string>();

async function save(input: object): Promise<void> {
  const item = itemInputSchema.parse({ status: "published", ...input });
  const saved = await saveItem(site.record.content, OPERATOR, item, NOW);
  ids.set(saved.item.path, saved.item.id);
}

function idOf(path: string): string {
  return ids.get(path) ?? assert.fail(path);
}

async function saveAuthor(name: string): Promise<void> {
  await save({ type: "author", path: `/authors/${name.toLowerCase()}`, title: name });
}

async function saveLine(
  author: string,
  number: number,
  topics = [TOPIC],
  fields = {},
): Promise<void> {
  await save({
    type: "quotation",
    path: `/quotations/${author.toLowerCase()}-${number}`,
    title: `Line ${number} of ${author}`,
    body: `Line ${number} of ${author}, which is long enough to be read.`,
    fields,
    relations: { authors: [`/authors/${author.toLowerCase()}`], topics },
  });
}

before(async () => {
  await save({ type: "topic", path: TOPIC, title: "Many voices" });
  for (const [author, lines] of [
    ["Ada", 2],
    ["Bo", 3],
    ["Cleo", 2],
  ] as const) {
    await saveAuthor(author);
    for (let number = 1; number <= lines; number += 1) await saveLine(author, number);
  }
});

async function markdownOf(path: string): Promise<string> {
  return await (await site.get(path, { accept: "text/markdown" })).text();
}

async function htmlOf(path: string): Promise<string> {
  return await (await site.get(path, { accept: "text/html" })).text();
}

/** The names and counts of the line of authors, without its links; empty: there is no such line. */
async function authorsAt(path: string): Promise<string> {
  const line = /^Authors: .*$/m.exec(await markdownOf(path))?.[0] ?? "";
  return line.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

describe("a topic's page", () => {
  it("names the authors on it, those with most quotations first, then those with the best ones", async () => {
    assert.equal(await authorsAt(TOPIC), "Authors: Bo (3), Ada (2), Cleo (2)");
    await saveLine("Cleo", 2, [TOPIC], { featured: true });
    assert.equal(await authorsAt(TOPIC), "Authors: Bo (3), Cleo (2), Ada (2)");
  });

  it("leads from each author to that author's quotations on the topic, in both forms", async () => {
    const html = await htmlOf(TOPIC);
    const [, query = ""] = /<a href="\/search\?([^"]*)">Bo \(3\)<\/a>/.exec(html) ?? [];
    const address = `/search?${query.replaceAll("&amp;", "&")}`;
    assert(
      (await markdownOf(TOPIC)).includes(`[Bo (3)](${ORIGIN}${address.replace("?", ".md?")})`),
    );
    const found = await markdownOf(address);
    assert.match(found, /^3 quotations\./m);
    assert.doesNotMatch(found, /Line \d of (?:Ada|Cleo)/);
  });

  it("follows quotations that come to the topic and leave it", async () => {
    await saveLine("Ada", 3);
    await saveLine("Ada", 4);
    assert.equal(await authorsAt(TOPIC), "Authors: Ada (4), Bo (3), Cleo (2)");
    await saveLine("Ada", 3, []);
    await saveLine("Ada", 4, []);
    await saveLine("Bo", 3, []);
    assert.match(await htmlOf(TOPIC), />Cleo \(2\)<.*>Ada \(2\)<.*>Bo \(2\)</);
  });

  it("names only published authors, and nobody where there is but one", async () => {
    await saveAuthor("Dan");
    for (let number = 1; number <= 4; number += 1) await saveLine("Dan", number);
    assert.match(await authorsAt(TOPIC), /^Authors: Dan \(4\), /);
    await unpublishItem(site.record.content, OPERATOR, idOf("/authors/dan"), { now: NOW });
    assert.match(await authorsAt(TOPIC), /^Authors: Cleo (?!.*Dan)/);
    await save({ type: "topic", path: "/topics/one-voice", title: "One voice" });
    await saveLine("Bo", 10, ["/topics/one-voice"]);
    assert.match(await markdownOf("/topics/one-voice"), /Line 10 of Bo/);
    assert.equal(await authorsAt("/topics/one-voice"), "");
  });

  it("names eight authors at most and says that there are more, on its first page only", async () => {
    const topic = "/topics/crowded";
    await save({ type: "topic", path: topic, title: "Crowded" });
    for (let at = 0; at < 30; at += 1) {
      const author = `Voice${String(at).padStart(2, "0")}`;
      await saveAuthor(author);
      await saveLine(author, 1, [topic]);
    }
    const authors = await authorsAt(topic);
    assert.equal(authors.split(", ").length, 9);
    assert(authors.endsWith("Voice07 (1), …"), authors);
    assert.match(await markdownOf(`${topic}?page=2`), /Line 1 of Voice/);
    assert.equal(await authorsAt(`${topic}?page=2`), "");
  });

  it("leaves the line out on the page of a work, where all is by one author", async () => {
    assert.equal(await authorsAt("/works/epictetus-discourses-george-long"), "");
  });
});
