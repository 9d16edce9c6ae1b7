import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { changeSettings } from "../../src/content/site/settings.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

/** No text, path or title has the word of its seal, which an entry could then do without. */
const SEALS = [
  ["verified", "warm", "Verified in its source."],
  ["attributed", "mild", "Attributed to Marcus Aurelius, not verified."],
  ["disputed", "cool", "Disputed: the ascription to Marcus Aurelius is in doubt."],
  ["misattributed", "cold", "Misattributed to Marcus Aurelius."],
] as const;
const CAUTIONS = SEALS.filter(([value]) => value === "disputed" || value === "misattributed");
const OPERATOR = { kind: "operator" } as const;

before(async () => {
  const { content } = site.record;
  await content.write(async (transaction) => {
    for (const [verification, word] of SEALS) {
      const item = itemInputSchema.parse({
        type: "quotation",
        path: pathOf(word),
        title: lineOf(word),
        body: `${lineOf(word)} here.`,
        fields: { verification, featured: true },
        relations: {
          authors: ["/authors/marcus-aurelius"],
          work: ["/works/epictetus-discourses-george-long"],
          topics: ["/topics/courage"],
        },
        status: "published",
      });
      await saveItem(transaction, OPERATOR, item, NOW);
    }
  });
  const paths = SEALS.map(([, word]) => pathOf(word));
  const home = [{ show: "items", title: "To begin with", paths }];
  await changeSettings(content, OPERATOR, { home }, { now: NOW });
});

function pathOf(word: string): string {
  return `/quotations/zeal-is-${word}`;
}

function lineOf(word: string): string {
  return `Zeal is ${word}`;
}

/** Without the marks of a search, which divide the words. */
async function textAt(path: string): Promise<string> {
  const response = await site.get(path);
  assert.equal(response.status, 200, path);
  return (await response.text()).replaceAll(/<\/?mark>/g, "");
}

/** The JSON-LD entity of a quotation's page. */
async function quotationAt(path: string) {
  const [, json = ""] =
    /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await textAt(path)) ?? [];
  const graph: { "@type": string }[] = JSON.parse(json)["@graph"];
  return graph.find((entity) => entity["@type"] === "Quotation") ?? assert.fail(json);
}

/** What shows quotations; VALUE is that of the field. */
const PAGES: readonly string[] = [
  "/",
  "/topics/courage",
  "/authors/marcus-aurelius",
  "/works/epictetus-discourses-george-long",
  "/quotations",
  "/search?q=zeal",
  "/search?type=quotation&verification=VALUE&topics=/topics/courage",
];
const MARKDOWN = PAGES.map((path) =>
  path === "/" ? "/index.md" : path.replace(/\?|$/, (end) => `.md${end}`),
);
const FEEDS = ["", "/topics/courage", "/authors/marcus-aurelius"].flatMap((path) => [
  `${path}/feed.atom`,
  `${path}/feed.json`,
]);
const SURFACES: readonly string[] = [
  ...PAGES,
  ...MARKDOWN,
  ...FEEDS,
  "/llms.txt",
  "/llms-full.txt",
  "/quotations/llms.txt",
];

describe("a quotation", () => {
  for (const [value, word, note] of SEALS) {
    it(`that is ${value} says so on every surface`, async () => {
      for (const surface of SURFACES) {
        const path = surface.replace("VALUE", value);
        const entry = entryOf(await textAt(path), lineOf(word), path);
        assert.match(entry, new RegExp(`\\b${value}\\b`, "i"), path);
        const isPage = PAGES.includes(surface);
        if (isPage) assert.match(entry, new RegExp(`about/verification#${value}"><svg `), path);
      }
      for (const path of [pathOf(word), `${pathOf(word)}.md`]) {
        assert.match(await textAt(path), new RegExp(`\\b${value}\\b`, "i"), path);
      }
      const entity = await quotationAt(pathOf(word));
      assert.equal("disambiguatingDescription" in entity && entity.disambiguatingDescription, note);
    });

    it(`that is ${value} says so beside others`, async () => {
      let shown = 0;
      for (const [, other] of SEALS) {
        for (const path of [pathOf(other), `${pathOf(other)}.md`]) {
          const text = await textAt(path);
          if (other === word || !text.includes(`${lineOf(word)} here`)) continue;
          shown += 1;
          const entry = entryOf(text, lineOf(word), path);
          assert.match(entry, new RegExp(`\\b${value}\\b`, "i"), path);
        }
      }
      assert(shown >= 2, String(shown));
    });
  }

  it("has seals that differ in their form", async () => {
    const html = await textAt("/about/verification");
    const shapes = [...html.matchAll(/<path d="([^"]+)"/g)].map(([, shape]) => shape);
    assert.equal(new Set(shapes).size, SEALS.length);
    for (const [value] of SEALS) assert.match(html, new RegExp(`<h2 id="${value}">`));
    assert.match(await textAt("/about/verification.md"), /## Disputed\n/);
  });
});

/** The entry of a list, in any form of a page, that has this text. */
function entryOf(text: string, words: string, path: string): string {
  const at = text.indexOf(words, text.indexOf("</head>") + 1);
  assert.notEqual(at, -1, `${path} has "${words}"`);
  if (path === "/llms-full.txt") {
    return text.slice(text.lastIndexOf("\n# ", at), text.indexOf("\n# ", at));
  }
  const starts = ["<figure", "<li>", "<entry ", '{\n      "id"', "\n\n", "\n- ["];
  const start = Math.max(...starts.map((mark) => text.lastIndexOf(mark, at)));
  const ends = ["</figure>", "</li>", "</entry>", "\n    }", "\n\n", "\n- "];
  const from = path.includes(".md") ? quoteEnd(text, at) : at;
  const end = Math.min(
    ...ends.map((mark) => text.indexOf(mark, from)).filter((place) => place !== -1),
    text.length,
  );
  // In Markdown, a caution is the paragraph before.
  const before = path.includes(".md") ? text.lastIndexOf("\n\n", start - 1) : start;
  return text.slice(before, end);
}

/** In Markdown, the source of a quotation is the paragraph after it. */
function quoteEnd(text: string, at: number): number {
  const next = text.indexOf("\n\n", at);
  return text.startsWith("\n\n—", next) ? next + 2 : at;
}

describe("a quotation that is not by whom it is ascribed to", () => {
  for (const [value, word] of CAUTIONS) {
    const caution = value === "disputed" ? "Disputed" : "Misattributed";

    it(`is called ${value} before its text in every list`, async () => {
      for (const surface of [...PAGES, ...MARKDOWN, ...FEEDS]) {
        const path = surface.replace("VALUE", value);
        const entry = entryOf(await textAt(path), lineOf(word), path);
        const said = entry.indexOf(caution);
        const line = entry.indexOf(lineOf(word));
        assert(said !== -1 && said < line, `${path}: ${said} ${line}`);
      }
    });

    it(`is called ${value} before its text on its own page`, async () => {
      const html = await textAt(pathOf(word));
      assert.match(
        html,
        new RegExp(`<p class="caution"><a .*</svg>${caution}</a></p>\\s*<blockquote`),
      );
      assert.match(html, new RegExp(`<meta name="description" content="${caution}\\. Zeal`));
      const markdown = await textAt(`${pathOf(word)}.md`);
      assert.match(markdown, new RegExp(`^description: "${caution}\\. Zeal`, "m"));
      assert.match(markdown, new RegExp(`\\n\\*\\*${caution}:\\*\\*\\n\\n> Zeal is ${word} here`));
    });

    it(`is called ${value} in the title of its page and in previews of links`, async () => {
      const html = await textAt(pathOf(word));
      const name = `${caution}: ${lineOf(word)}`;
      assert.match(html, new RegExp(`<title>${name} – `));
      assert.match(html, new RegExp(`<meta property="og:title" content="${name}">`));
      assert.match(html, new RegExp(`<meta property="og:description" content="${caution}\\. Zeal`));
      assert.match(html, new RegExp(`<meta property="og:image:alt" content="${name} here`));
    });

    it(`is called ${value} where it is suggested in place of a missing page`, async () => {
      for (const accept of ["text/html", "text/markdown", "application/problem+json"]) {
        const response = await site.get(`${pathOf(word)}x`, { accept });
        assert.equal(response.status, 404);
        assert.match(await response.text(), new RegExp(`[>["]${caution}: ${lineOf(word)}`), accept);
      }
    });
  }

  it("is called so in the language of its page, and others have no such word", async () => {
    const item = itemInputSchema.parse({
      type: "quotation",
      path: "/quotations/eifer-ist-kalt",
      language: "de",
      title: "Eifer ist kalt",
      body: "Eifer ist kalt und fern.",
      fields: { verification: "misattributed" },
      status: "published",
    });
    await site.record.content.write((transaction) => saveItem(transaction, OPERATOR, item, NOW));
    const german = await textAt(item.path ?? "");
    assert.match(german, /<title>Falsch zugeschrieben: Eifer ist kalt – /);
    assert.match(
      german,
      /<meta property="og:title" content="Falsch zugeschrieben: Eifer ist kalt">/,
    );
    assert.match(await textAt(pathOf("warm")), /<title>Zeal is warm – /);
  });

  it("is not named after the person it is not by", async () => {
    assert.match(await textAt(pathOf("cool")), /<h1[^>]*>Quotation from Marcus Aurelius</);
    assert.match(await textAt(pathOf("cold")), /<h1[^>]*>A quotation</);
    assert.match(await textAt(`${pathOf("cold")}.md`), /^# A quotation$/m);
  });

  it("has no creator in structured data, which says why before the text", async () => {
    const denied = await quotationAt(pathOf("cold"));
    assert.equal("creator" in denied, false);
    const names = Object.keys(denied);
    assert(names.indexOf("disambiguatingDescription") < names.indexOf("text"));
    assert.match(JSON.stringify(denied), /Misattributed to Marcus Aurelius\./);
    const doubted = await quotationAt(pathOf("cool"));
    assert.match(JSON.stringify(doubted), /"disambiguatingDescription":"Disputed: /);
    assert("creator" in doubted);
  });

  it("is cited as such, without an author", async () => {
    const markdown = await textAt(`${pathOf("cold")}.md`);
    const [line = ""] = /^Cite as: .*$/m.exec(markdown) ?? [];
    assert.match(line, /^Cite as: \*Zeal is cold\* \\?\[Quotation misattributed to /);
    const html = await textAt(pathOf("cold"));
    assert.doesNotMatch(html, /author = /);
    assert.match(html, /<dt>MLA<\/dt><dd>“Zeal is cold\.”/);
  });
});

describe("/search.md without words", () => {
  it("lists and counts what passes the filters, in full", async () => {
    const text = await textAt("/search.md?type=quotations&author=marcus%20aurelius&topic=courage");
    assert.match(text, /\n4 quotations\.\n/);
    assert.match(text, /> Zeal is mild here\./);
    const page = await textAt("/search.md?type=quotation");
    assert.match(
      page,
      /\n1 to 12 of \d+ quotations\. \[Next page\]\(.*search\.md\?type=quotation&page=2\)/,
    );
    const next = await textAt("/search.md?type=quotation&page=2");
    assert.match(next, /\n13 to \d+ of \d+ quotations\./);
    assert.match(await textAt("/search.md?type=quotation&page=99"), /\n\d+ quotations\.\n/);
  });

  it("lists items of several types by a filter they share", async () => {
    const text = await textAt("/search.md?authors=epictetus");
    assert.match(text, /\[Discourses\]/);
  });

  it("counts by a filter, with words or without", async () => {
    const all = await textAt("/search.md?type=quotation&topics=courage&count_by=author");
    assert.match(all, /\n\d+ items by authors: \d+ groups\.\n\n- \[[A-Z].*\]\(.*\.md\) – \d+\n/);
    const found = await textAt("/search.md?q=zeal&type=quotation&count_by=verification");
    assert.match(
      found,
      /4 items by verification: 4 groups\.\n\n- attributed – 1\n- disputed – 1\n/,
    );
    assert.match(await textAt("/search.md?count_by=colour"), /Cannot count by "colour"/);
  });

  it("explains a wrong filter, and asks for words where there is none", async () => {
    assert.match(await textAt("/search.md?type=quotation&authors=nobody"), /No author is called/);
    assert.match(await textAt("/search.md"), /search\.md\?q=WORDS/);
  });
});
