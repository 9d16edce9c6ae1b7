import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

const AUTHOR = "Marcus Aurelius";

before(async () => {
  await site.record.content.write(async (transaction) => {
    for (const verification of ["attributed", "disputed", "misattributed"]) {
      const item = itemInputSchema.parse({
        type: "quotation",
        path: `/quotations/${verification}-line`,
        title: `Zeal is ${verification}`,
        body: `Zeal is ${verification} here.`,
        fields: { verification },
        relations: { authors: ["/authors/marcus-aurelius"], topics: ["/topics/courage"] },
        status: "published",
      });
      await saveItem(transaction, { kind: "operator" }, item, NOW);
    }
  });
});

async function textAt(path: string): Promise<string> {
  const response = await site.get(path);
  assert.equal(response.status, 200, path);
  return await response.text();
}

/** The JSON-LD entity of a quotation's page. */
async function quotationAt(path: string) {
  const [, json = ""] =
    /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await textAt(path)) ?? [];
  const graph: { "@type": string }[] = JSON.parse(json)["@graph"];
  return graph.find((entity) => entity["@type"] === "Quotation") ?? assert.fail(json);
}

const LISTS: readonly string[] = [
  "/topics/courage",
  "/authors/marcus-aurelius",
  "/search?q=zeal",
  "/search?type=quotation&verification=VALUE",
  "/topics/courage.md",
  "/authors/marcus-aurelius.md",
  "/search.md?q=zeal",
  "/search.md?type=quotation&verification=VALUE",
  "/quotations/llms.txt",
  "/feed.atom",
  "/feed.json",
];

describe("a quotation that is not by whom it is ascribed to", () => {
  for (const [value, caution] of [
    ["disputed", "Disputed"],
    ["misattributed", "Misattributed"],
  ] as const) {
    it(`is called ${value} before its text in every list`, async () => {
      for (const path of LISTS) {
        const text = await textAt(path.replace("VALUE", value));
        const said = text.indexOf(caution);
        const line = text.indexOf(`Zeal is ${value}`);
        assert(said !== -1 && line !== -1 && said < line, `${path}: ${said} ${line}`);
      }
    });

    it(`is called ${value} before its text on its own page`, async () => {
      const html = await textAt(`/quotations/${value}-line`);
      assert.match(html, new RegExp(`<p class="caution">${caution}</p>\\s*<blockquote`));
      assert.match(html, new RegExp(`<meta name="description" content="${caution}\\. Zeal`));
      const markdown = await textAt(`/quotations/${value}-line.md`);
      assert.match(markdown, new RegExp(`^description: "${caution}\\. Zeal`, "m"));
      assert.match(markdown, new RegExp(`\\n\\*\\*${caution}:\\*\\*\\n\\n> Zeal is ${value} here`));
    });
  }

  it("has no creator in structured data, which says why before the text", async () => {
    const denied = await quotationAt("/quotations/misattributed-line");
    assert.equal("creator" in denied, false);
    const names = Object.keys(denied);
    assert(names.indexOf("disambiguatingDescription") < names.indexOf("text"));
    assert.match(JSON.stringify(denied), /Misattributed to Marcus Aurelius\./);
    const doubted = await quotationAt("/quotations/disputed-line");
    assert.match(JSON.stringify(doubted), /"disambiguatingDescription":"Disputed: /);
    assert("creator" in doubted);
  });

  it("is cited as such, without an author", async () => {
    const markdown = await textAt("/quotations/misattributed-line.md");
    const [line = ""] = /^Cite as: .*$/m.exec(markdown) ?? [];
    assert.match(line, /^Cite as: \*Zeal is misattributed\* \\?\[Quotation misattributed to /);
    const html = await textAt("/quotations/misattributed-line");
    assert.doesNotMatch(html, /author = /);
    assert.match(html, /<dt>MLA<\/dt><dd>“Zeal is misattributed\.”/);
  });
});

describe("a quotation that is only attributed", () => {
  it("says so in every list", async () => {
    for (const path of ["/authors/marcus-aurelius", "/topics/courage.md", "/search.md?q=zeal"]) {
      const text = await textAt(path);
      assert.match(text, /attributed(?! (?:line|here))/, path);
    }
    assert.match(await textAt("/topics/courage"), new RegExp(`${AUTHOR}</a> · attributed · `));
  });
});

describe("/search.md without words", () => {
  it("lists and counts what passes the filters, in full", async () => {
    const text = await textAt("/search.md?type=quotations&author=marcus%20aurelius&topic=courage");
    assert.match(text, /\n3 items\.\n/);
    assert.match(text, /> Zeal is attributed here\./);
    const page = await textAt("/search.md?type=quotation");
    assert.match(page, /: 1 to 12 of \d+\. \[Continue\]\(.*search\.md\?type=quotation&page=2\)/);
    const next = await textAt("/search.md?type=quotation&page=2");
    assert.match(next, /: 13 to \d+ of \d+\./);
    assert.match(await textAt("/search.md?type=quotation&page=99"), /\n\d+ items\.\n/);
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
      /3 items by verification: 3 groups\.\n\n- attributed – 1\n- disputed – 1\n/,
    );
    assert.match(await textAt("/search.md?count_by=colour"), /Cannot count by "colour"/);
  });

  it("explains a wrong filter, and asks for words where there is none", async () => {
    assert.match(await textAt("/search.md?type=quotation&authors=nobody"), /No author is called/);
    assert.match(await textAt("/search.md"), /search\.md\?q=WORDS/);
  });
});
