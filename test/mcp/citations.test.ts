import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Loose, ORIGIN, openMcpService } from "../support/mcp-service.ts";

const service = await openMcpService();
after(() => service[Symbol.asyncDispose]());

before(async () => {
  const line = (verification: string) => ({
    type: "quotation",
    path: `/quotations/${verification}-line`,
    title: `A line that is ${verification}`,
    body: `A line that is ${verification}.`,
    fields: { verification },
    relations: { authors: ["/authors/marcus-aurelius"] },
    status: "published",
  });
  await service.save(
    {
      type: "work",
      path: "/works/a-book-of-1901",
      title: "A {Book} & more",
      fields: { kind: "book", year: 1901, publisher: "Example Press" },
      relations: { authors: ["/authors/marcus-aurelius", "/authors/epictetus"] },
      status: "published",
    },
    {
      type: "quotation",
      path: "/quotations/from-a-book",
      title: "From a book",
      body: "From a book, by two.",
      fields: { verification: "verified", locator: "p. 12", translator: "George Long" },
      relations: {
        authors: ["/authors/marcus-aurelius", "/authors/epictetus"],
        work: ["/works/a-book-of-1901"],
      },
      status: "published",
    },
    {
      type: "work",
      path: "/works/letters",
      title: "Letters",
      fields: {},
      relations: { authors: ["/authors/marcus-aurelius"] },
      status: "published",
    },
    {
      type: "quotation",
      path: "/quotations/from-a-letter",
      title: "From a letter",
      body: "From a letter without a date of its book.",
      fields: { year: 1797, locator: "To Fronto" },
      relations: { authors: ["/authors/marcus-aurelius"], work: ["/works/letters"] },
      status: "published",
    },
    {
      type: "author",
      path: "/authors/goethe",
      title: "Johann Wolfgang von Goethe",
      fields: { sort_name: "Goethe, Johann Wolfgang von" },
      status: "published",
    },
    {
      type: "quotation",
      path: "/quotations/nachtlied",
      title: "Wandrers Nachtlied",
      body: "Over all the hilltops is rest.",
      fields: { year: 1780, locator: "line 1", translator: "George Long" },
      relations: { authors: ["/authors/goethe"] },
      status: "published",
    },
    line("attributed"),
    line("disputed"),
    line("misattributed"),
  );
});

const URL_OF_BOOK = `${ORIGIN}/quotations/from-a-book`;
const FORMS: Record<string, string> = {
  apa: `Aurelius, M., & Epictetus. (1901). *A {Book} & more* (George Long, Trans.; p. 12). Example Press; Quotations Association. ${URL_OF_BOOK}`,
  mla: `Aurelius, Marcus, and Epictetus. *A {Book} & more*. Translated by George Long, Example Press, 1901, p. 12. *Quotations Association*, quotations.example/quotations/from-a-book.`,
  chicago: `Aurelius, Marcus, and Epictetus. *A {Book} & more*. Translated by George Long. p. 12. Example Press, 1901. Quotations Association. ${URL_OF_BOOK}.`,
  bibtex: `@book{from_a_book,
	author = {Aurelius, Marcus and {Epictetus}},
	translator = {{George Long}},
	title = {{A \\textbraceleft{}Book\\textbraceright{} \\& more}},
	year = {1901},
	publisher = {Example Press},
	note = {p. 12},
	url = {${URL_OF_BOOK}},
}`,
  "csl-json": JSON.stringify([
    {
      id: "from-a-book",
      "citation-key": "from_a_book",
      type: "book",
      title: "A {Book} & more",
      author: [{ family: "Aurelius", given: "Marcus" }, { literal: "Epictetus" }],
      translator: [{ literal: "George Long" }],
      issued: { "date-parts": [[1901]] },
      publisher: "Example Press",
      note: "p. 12",
      source: "Quotations Association",
      URL: URL_OF_BOOK,
    },
  ]),
};

describe("a citation", () => {
  for (const [cite, expected] of Object.entries(FORMS)) {
    it(`comes as ${cite}, with a hit and with the text`, async () => {
      const found: Loose = await service.call("search_content", {
        query: "from a book, by two",
        cite,
      });
      const hit = found.hits.find(({ url }: Loose) => url === URL_OF_BOOK);
      assert.equal(hit.citation, expected);
      const text = await service.text("get_content_by_url", { url: URL_OF_BOOK, cite });
      assert(
        text.includes(
          `\n\`\`\`\nCite as: ${expected}\n\n# Quotation from Marcus Aurelius and Epictetus\n`,
        ),
        text,
      );
    });
  }

  for (const [cite, expected] of Object.entries({
    apa: `Goethe, J. W. von. (1780). *Wandrers Nachtlied* (George Long, Trans.; line 1). Quotations Association. ${ORIGIN}/quotations/nachtlied`,
    mla: "Goethe, Johann Wolfgang von. “Wandrers Nachtlied.” Translated by George Long, line 1, 1780. *Quotations Association*, quotations.example/quotations/nachtlied.",
    chicago: `Goethe, Johann Wolfgang von. “Wandrers Nachtlied.” Translated by George Long. line 1. 1780. Quotations Association. ${ORIGIN}/quotations/nachtlied.`,
    bibtex: "year = {1780},\n\tnote = {line 1},",
    "csl-json":
      '"issued":{"date-parts":[[1780]]},"container-title":"Quotations Association","note":"line 1"',
  })) {
    it(`of a quotation without a work has its own year, place and translator, as ${cite}`, async () => {
      const text = await service.text("get_content_by_url", { url: "/quotations/nachtlied", cite });
      assert(text.includes(expected), text);
    });
  }

  it("has the year of the quotation when the work has none", async () => {
    const url = "/quotations/from-a-letter";
    const text = await service.text("get_content_by_url", { url, cite: "apa" });
    assert.match(text, /^Cite as: Aurelius, M\. \(1797\)\. \*Letters\* \(To Fronto\)\./m);
  });

  it("says how far the ascription is checked, and names no author of a misattributed line", async () => {
    const cited = async (verification: string, cite: string) => {
      const url = `/quotations/${verification}-line`;
      const text = await service.text("get_content_by_url", { url, cite });
      return /^Cite as: (.*)$/m.exec(text)?.[1] ?? "";
    };
    const at = (verification: string) => `${ORIGIN}/quotations/${verification}-line`;
    assert.equal(
      await cited("attributed", "apa"),
      `Aurelius, M. (n.d.). *A line that is attributed* [Attributed quotation]. Quotations Association. ${at("attributed")}`,
    );
    assert.equal(
      await cited("disputed", "chicago"),
      `Aurelius, Marcus. “A line that is disputed.” Quotation of disputed authorship. Quotations Association. ${at("disputed")}.`,
    );
    assert.equal(
      await cited("misattributed", "mla"),
      "“A line that is misattributed.” Quotation misattributed to Marcus Aurelius. *Quotations Association*, quotations.example/quotations/misattributed-line.",
    );
    const [csl] = JSON.parse(await cited("misattributed", "csl-json"));
    assert.equal(csl.author, undefined);
    assert.doesNotMatch(
      await service.text("get_content_by_url", {
        url: "/quotations/misattributed-line",
        cite: "bibtex",
      }),
      /author = /,
    );
  });

  it("of a page names the site", async () => {
    const text = await service.text("get_content_by_url", { url: "/about", cite: "apa" });
    assert.match(
      text,
      /^Cite as: \*About the association\*\. \(n\.d\.\)\. Quotations Association\. https:\/\/quotations\.example\/about$/m,
    );
  });

  it("of the home page has a key, without which BibTeX reads no entry", async () => {
    const home = { type: "page", path: "/", title: "Welcome", body: "Words.", status: "published" };
    await service.save(home);
    const entry = await service.text("get_content_by_url", { url: "/", cite: "bibtex" });
    assert.match(entry, /@misc\{home,\n/);
    const item = await service.text("get_content_by_url", { url: "/", cite: "csl-json" });
    assert.match(item, /"id":"home","citation-key":"home"/);
  });

  it("is refused in a form that there is not", async () => {
    const text = await service.text("get_content_by_url", { url: "/about", cite: "harvard" });
    assert.match(text, /cite: .*"apa"\|"mla"\|"chicago"\|"bibtex"\|"csl-json"/);
  });
});
