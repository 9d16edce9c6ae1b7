import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BookPlace } from "../../demo/build/book-text.ts";
import type { Corpus } from "../../demo/build/corpus.ts";
import { htmlToMarkdown, wordsOfChapter } from "../../demo/build/html-to-markdown.ts";
import { quotationItems } from "../../demo/build/quotation-items.ts";
import { topicItems } from "../../demo/build/topic-items.ts";
import { workItem } from "../../demo/build/work-item.ts";

const WORK = {
  id: "laozi-tao",
  title: "Tao",
  authors: ["laozi"],
  translators: ["legge"],
  language: "en-GB",
  description: "A book.",
  long_description_html: "<p>A <i>book</i>.</p>",
  genres: ["Poetry"],
  sources: ["https://example.org/scan"],
  links: [],
  source_repository: "standardebooks/laozi_tao_legge",
  commit: "0123456789abcdef",
  license: "CC0-1.0",
  topics: ["poetry", "way", "way"],
};

const CORPUS: Corpus = {
  authors: ["laozi", "legge"].map((id) => ({
    id,
    name: id.toUpperCase(),
    sort_name: id,
    links: [],
    source: "standardebooks",
  })),
  works: [WORK],
  topics: [
    { id: "poetry", title: "Poetry" },
    { id: "way", title: "the Way" },
  ],
  quotations: [],
  relations: [
    { from: "laozi-tao/1", to: "author:legge", type: "mentions" },
    { from: "laozi-tao/2", to: "author:legge", type: "mentions" },
    { from: "other/2", to: "author:laozi", type: "mentions" },
  ],
};

function quotation(id: string, text: string, more: object = {}): Corpus["quotations"][number] {
  return {
    id,
    title: "",
    text,
    html: text,
    author: "laozi",
    work: "laozi-tao",
    section: "laozi-tao/1",
    locator: "I, ¶1",
    topics: [{ topic: "way", basis: "keyword" }],
    source: "standardebooks",
    ...more,
  };
}

function placed(chapter: string, character: number): BookPlace {
  return { chapter, part: null, introduction: false, order: [1, character] };
}

describe("the build of the demo", () => {
  it("turns HTML into Markdown that says no more than the text did", () => {
    assert.equal(
      htmlToMarkdown("1 * 2 _x_ [a](b) \u2060—\u2060c"),
      "1 \\* 2 \\_x\\_ \\[a]\\(b) —c",
    );
    assert.equal(
      htmlToMarkdown('so<a href="endnotes.xhtml#note-1" epub:type="noteref">1</a> <em>it</em> is'),
      "so *it* is",
    );
    assert.equal(
      htmlToMarkdown("<blockquote><p><span>one</span>\n<br />\n<span>two</span></p></blockquote>"),
      "> one\\\n> two",
    );
  });

  it("names a quotation by its first words and gives equal names different paths", () => {
    const text = "A word that is repeated, again and again, until it has filled more than one line";
    const quotations = [quotation("q1", text), quotation("q2", text), quotation("q3", text)];
    const items = quotationItems(
      { ...CORPUS, quotations },
      { find: () => placed("One", 1), featured: new Map(), doubts: new Map() },
    );
    assert.deepEqual(
      items.map((item) => ("path" in item ? item.path : null)),
      ["", "-laozi", "-laozi-2"].map(
        (end) => `/quotations/a-word-that-is-repeated-again-and-again-until-it-has-filled${end}`,
      ),
    );
    assert.partialDeepStrictEqual(items[0], {
      title: "A word that is repeated, again and again, until it has filled…",
      relations: { topics: [{ to: "/topics/way", note: "keyword (assigned by machine)" }] },
      sourceKey: "standardebooks:q1",
      language: "en-GB",
    });
  });

  it("verifies what it finds in the named chapter, says what it doubts and why, and links by hand what was chosen", () => {
    const quotations = [
      quotation("q1", "found", { locator: null }),
      quotation("q2", "changed"),
      quotation("q3", "found", { section: null, work: null, source: "quotable:x" }),
      quotation("q4", "doubted", { section: null, work: null, source: "quotable:y" }),
    ];
    const items = quotationItems(
      { ...CORPUS, quotations },
      {
        find: (section, text) => {
          return section === "laozi-tao/1" && text === "found" ? placed("The way", 1) : null;
        },
        featured: new Map([["changed", ["poetry", "way"]]]),
        doubts: new Map([
          ["found", ["disputed", "By Li Er."]],
          ["doubted", ["misattributed", "By Zhuangzi."]],
        ]),
      },
    );
    assert.partialDeepStrictEqual(items, [
      { fields: { verification: "verified", locator: "The way" } },
      {
        fields: { verification: "attributed", featured: true },
        relations: {
          topics: ["/topics/poetry", "/topics/way"],
        },
      },
      { fields: { verification: "attributed" }, sourceKey: "quotable:x" },
      { summary: "By Zhuangzi.", fields: { verification: "misattributed" } },
    ]);
    assert(!JSON.stringify(items).includes("Li Er"));
  });

  it("numbers the quotations of a work in the order of its text, and names the book of a chapter", () => {
    const quotations = [
      quotation("q1", "late", { locator: "I: Slavery, ¶1" }),
      quotation("q2", "early"),
      quotation("q3", "elsewhere"),
    ];
    const places: Record<string, BookPlace> = {
      late: { ...placed("I: Slavery", 40), part: "Book II" },
      early: placed("I", 7),
    };
    const items = quotationItems(
      { ...CORPUS, quotations },
      { find: (_, text) => places[text] ?? null, featured: new Map(), doubts: new Map() },
    );
    assert.deepEqual(
      items.map((item) => ("fields" in item ? item.fields : null)),
      [
        {
          locator: "Book II, I: Slavery, ¶1",
          position: 2,
          verification: "verified",
          translator: "LEGGE",
        },
        { locator: "I, ¶1", position: 1, verification: "verified", translator: "LEGGE" },
        { locator: "I, ¶1", verification: "attributed" },
      ],
    );
  });

  it("gives a translator what stands in the introduction, and a chosen quotation no keywords", () => {
    assert.deepEqual(
      wordsOfChapter(
        '<h2>One</h2><section id="one-introduction"><p>It asks</p></section><p>What?</p>',
      ),
      { words: "OneIt asksWhat?", introductions: ["It asks"] },
    );
    const topics = [
      { topic: "way", basis: "keyword" },
      { topic: "poetry", basis: "editor-tag" },
    ];
    const items = quotationItems(
      {
        ...CORPUS,
        quotations: [quotation("q1", "It asks"), quotation("q2", "Chosen", { topics })],
      },
      {
        find: (_, text) => ({ ...placed("One", 1), introduction: text === "It asks" }),
        featured: new Map([["chosen", ["art"]]]),
        doubts: new Map(),
      },
    );
    assert.partialDeepStrictEqual(items, [
      {
        fields: { locator: "I, Introduction, ¶1" },
        relations: { authors: ["/authors/legge"] },
      },
      {
        fields: { translator: "LEGGE" },
        relations: {
          authors: ["/authors/laozi"],
          topics: ["/topics/art", { to: "/topics/poetry", note: "editor tag" }],
        },
      },
    ]);
    assert.equal(JSON.stringify(items[0]).includes("translator"), false);
    assert.equal(JSON.stringify(items[1]).includes("/topics/way"), false);
  });

  it("links topics where one heading names another whole, or a person chose it, and once", () => {
    const titles = [
      "Logic",
      "Logic, Ancient",
      "Virtue",
      "Temperance (Virtue)",
      "Art",
      "Art and sea",
    ];
    const items = topicItems(
      titles.map((title) => ({ id: title.toLowerCase(), title })),
      new Map([
        ["art", { summary: "Making.", text: "A text.", see_also: ["virtue", "logic"] }],
        ["logic", { summary: "Order.", text: "A text.", see_also: ["art"] }],
      ]),
    );
    assert.partialDeepStrictEqual(items[1], { relations: { broader: [{ to: "/topics/logic" }] } });
    assert.partialDeepStrictEqual(items[3], {
      relations: { see_also: [{ to: "/topics/virtue" }] },
    });
    assert.partialDeepStrictEqual(items[4], {
      summary: "Making.",
      body: "A text.",
      relations: {
        see_also: ["/topics/virtue", "/topics/logic"],
      },
    });
    assert.partialDeepStrictEqual(items[0], { relations: {} });
    assert.partialDeepStrictEqual(items[5], { relations: {} });
    assert.ok(!JSON.stringify(items[5]).includes("see_also"));
  });

  it("tells where a work comes from, who translated it and whom it mentions", () => {
    const item = workItem(WORK, CORPUS);
    assert.partialDeepStrictEqual(item, {
      summary: "A book.",
      fields: { source_url: "https://standardebooks.org/ebooks/laozi/tao/legge" },
      relations: {
        topics: [
          { to: "/topics/poetry", note: "genre" },
          { to: "/topics/way", note: "library subject" },
        ],
      },
    });
    assert.ok("body" in item && typeof item.body === "string");
    assert.match(item.body, /^A \*book\*\.\n\nTranslated by \[LEGGE\]\(\/authors\/legge\)\.\n/);
    assert.match(item.body, /- \[LEGGE\]\(\/authors\/legge\): in 2 chapters$/);
  });
});
