import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { localizePartialDate } from "../../src/content/pages/field-values.ts";
import { SITE_TEXT_LANGUAGES, siteTexts } from "../../src/texts/site/site-texts.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

const OPERATOR = { kind: "operator" } as const;

async function saveAuthor(title: string, fields: Record<string, string>): Promise<void> {
  const path = `/authors/${title.toLowerCase()}`;
  const input = { type: "author", path, title, fields, status: "published" };
  await saveItem(site.record.content, OPERATOR, itemInputSchema.parse(input), NOW);
}

async function textAt(path: string): Promise<string> {
  const response = await site.get(path, { accept: "text/html" });
  assert.equal(response.status, 200, path);
  return await response.text();
}

async function authorsAt(path: string): Promise<string[]> {
  const [list = ""] = /<ul class="entries">.*?<\/ul>/s.exec(await textAt(path)) ?? [];
  return [...list.matchAll(/<a href="\/authors\/([^"]+)"/g)].map(([, name = ""]) => name);
}

describe("an approximate date", () => {
  before(async () => {
    await saveAuthor("Xenophon", { born: "-430" });
    await saveAuthor("Plato", { born: "~-428", died: "~-0348" });
    await saveAuthor("Aristotle", { born: "-0384" });
    await saveAuthor("Boethius", { born: "~480", died: "0524" });
  });

  it("is said to be one in every language", () => {
    const shown = SITE_TEXT_LANGUAGES.map((language) => [
      language,
      localizePartialDate("~-0428", siteTexts(language)),
    ]);
    assert.deepEqual(Object.fromEntries(shown), {
      en: "c. 428 BCE",
      de: "um 428 v. Chr.",
      fr: "vers 428 av. J.-C.",
      es: "hacia 428 a. C.",
      ar: "نحو 428 ق.م.",
      he: "428 לפנה״ס לערך",
      zh: "约公元前428年",
    });
  });

  it("is shown on pages, and left out of structured data, whose dates are exact", async () => {
    assert.match(await textAt("/authors/plato"), /c\. 428 BCE/);
    const boethius = await textAt("/authors/boethius");
    assert.match(boethius, /c\. 480/);
    assert.match(boethius, /"deathDate":"0524"/);
    assert.doesNotMatch(boethius, /"birthDate"/);
  });

  it("is sorted and filtered as the year that it names", async () => {
    assert.deepEqual(await authorsAt("/search?type=author&born=-428"), ["plato"]);
    assert.deepEqual(await authorsAt("/search?type=author&born=~-428"), ["plato"]);
    const ancient = "/search?type=author&born_from=-0500&born_to=0500&sort=born";
    assert.deepEqual(await authorsAt(ancient), ["xenophon", "plato", "aristotle", "boethius"]);
    assert.match(await textAt("/timeline"), /5th century BCE<\/h2>.*c\. 428 BCE–c\. 348 BCE/s);
  });
});
