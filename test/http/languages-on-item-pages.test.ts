import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { openFixture } from "../support/open-fixture.ts";

const AUTHOR = "/authors/nietzsche";

interface Lines {
  /** Languages of the quotations, in the order of their import. */
  languages: readonly string[];
  author?: object;
  /** Languages of the translations of the author's page. */
  translations?: readonly string[];
}

async function openSite({ languages, author = {}, translations = [] }: Lines) {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-site-"));
  const profile = {
    name: "Lines",
    description: "Lines of the wise.",
    language: "en",
    languages: ["de"],
    whenToUse: ["lines"],
    whenNotToUse: ["recipes"],
    contact: { email: "a@b.example" },
    licence: { name: "CC0" },
  };
  writeFileSync(join(folder, "site.yaml"), JSON.stringify(profile));
  mkdirSync(join(folder, "content"));
  const items = [
    { type: "author", path: AUTHOR, title: "Nietzsche", ...author },
    ...translations.map((language) => ({
      type: "author",
      path: `/authors/in-${language.toLowerCase()}`,
      title: "Nietzsche",
      language,
      translationOf: AUTHOR,
    })),
    ...languages.map((language, at) => ({
      type: "quotation",
      path: `/quotations/line-${at}`,
      title: `Line ${at}`,
      body: `Number ${at} ${language}.`,
      language,
      relations: { authors: [AUTHOR] },
    })),
  ];
  const lines = items.map((item) => JSON.stringify({ status: "published", ...item }));
  writeFileSync(join(folder, "content", "items.jsonl"), lines.join("\n"));
  const site = await openFixture({ folder });
  after(async () => {
    await site.close();
    rmSync(folder, { recursive: true });
  });
  return site;
}

type Site = Awaited<ReturnType<typeof openSite>>;

async function textOf(site: Site, query: string, accept: string): Promise<string> {
  const reply = await site.get(AUTHOR + query, { accept });
  return reply.status === 200 ? await reply.text() : `Status ${reply.status}`;
}

/** The languages of the quotations on a page, and the headings between them, in their order. */
function outlineOf(markdown: string): string[] {
  return [...markdown.matchAll(/^(?:> Number \d+ (\S+)\\?\.|### (.+))$/gm)].map(
    ([, language, heading]) => language ?? `# ${heading}`,
  );
}

describe("the languages of a list on the page of an item", () => {
  it("has those of other editions last, below a heading that names them", async () => {
    const site = await openSite({ languages: ["de", "en", "la", "en-GB", "de-AT"] });
    const markdown = await textOf(site, "", "text/markdown");
    const outline = outlineOf(markdown);
    assert.deepEqual(outline.slice(0, 2).sort(), ["en", "en-GB"]);
    assert.match(outline[2] ?? "", /^# In other languages: (German and Latin|Latin and German)$/);
    assert.deepEqual(outline.slice(3).sort(), ["de", "de-AT", "la"]);
    const html = await textOf(site, "", "text/html");
    assert.match(html, /<h2 id="group-quotations">Quotations \(5\)<\/h2>/);
    assert.match(html, /<h3 id="languages-quotations">In other languages: /);
  });

  it("names them in the words of the edition", async () => {
    const author = { language: "de" };
    const site = await openSite({ languages: ["en", "de"], author });
    const outline = outlineOf(await textOf(site, "", "text/markdown"));
    assert.deepEqual(outline, ["de", "# In anderen Sprachen: Englisch", "en"]);
  });

  it("names a translation's language whose tag has an extension or private subtags", async () => {
    const translations = ["fr-u-ca-buddhist", "la-x-old"];
    const site = await openSite({ languages: [], translations });
    for (const form of ["text/html", "text/markdown"]) {
      assert.match(await textOf(site, "", form), /Français.*Latin/is);
    }
  });

  it("has no such heading where all are in one language", async () => {
    const site = await openSite({ languages: ["en", "en"] });
    assert.deepEqual(outlineOf(await textOf(site, "", "text/markdown")), ["en", "en"]);
  });

  for (const own of [0, 24, 25, 26, 50, 60]) {
    it(`shows each once on its pages, with ${own} of 60 in the language of the edition`, async () => {
      const languages = Array.from({ length: 60 }, (_, at) => ((at * 7) % 60 < own ? "en" : "de"));
      const site = await openSite({ languages });
      const pages = await Promise.all(
        ["", "?page=2", "?page=3", "?page=4"].map((query) => textOf(site, query, "text/markdown")),
      );
      const last = pages.pop();
      assert.equal(last, "Status 404");
      const shown = pages.map((page) => outlineOf(page).filter((each) => !each.startsWith("#")));
      assert.deepEqual(
        shown.map(({ length }) => length),
        [25, 25, 10],
      );
      const inOrder = [
        ...Array.from({ length: own }, () => "en"),
        ...Array.from({ length: 60 - own }, () => "de"),
      ];
      assert.deepEqual(shown.flat(), inOrder);
      const numbers = pages.flatMap((page) =>
        [...page.matchAll(/^> Number (\d+)/gm)].map(([, number]) => number),
      );
      assert.equal(new Set(numbers).size, 60);
    });
  }
});
