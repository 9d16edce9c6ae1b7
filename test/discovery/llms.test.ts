import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { withOverriddenMethods } from "../../src/content/reading-overrides.ts";
import type { DocumentContext } from "../../src/discovery/document.ts";
import { generateLlmsFullText } from "../../src/discovery/llms-full.ts";
import { LLMS_CHARACTERS_MAX } from "../../src/discovery/llms-lines.ts";
import { ORIGIN, openReading } from "../support/reading-store.ts";
import { documentText, openFixtureSite, textOf } from "./fixture-site.ts";
import { parseLlms } from "./llms-grammar.ts";

const site = openFixtureSite();
after(() => site[Symbol.dispose]());

const QUOTATIONS = 4000;
const large = openReading();
after(() => large[Symbol.dispose]());
const largeContext: DocumentContext = { ...site.context, reading: large.reading };
large.transaction(() => {
  large.put("page", "/", { title: "Home" });
  for (let i = 1; i <= 60; i += 1) large.put("topic", `/topics/t${i}`, { title: `Topic ${i}` });
  for (let i = 1; i <= QUOTATIONS; i += 1) {
    large.put("quotation", `/quotations/a-rather-long-address-of-quotation-number-${i}`, {
      title: `A [bracketed] title\nof *quotation* ${i}`,
      body: `${i} times I have said it, and not once was it understood by those who heard it.`,
      relations: { topics: [`/topics/t${1 + (i % 7)}`] },
    });
  }
});

/** All addresses in a file and in the files of the same kind it leads to, a number of steps deep. */
function reach(context: DocumentContext, path: string, steps: number, seen = new Set<string>()) {
  seen.add(path);
  const pages = new Set<string>();
  for (const { links } of parseLlms(textOf(context, path)).sections) {
    for (const { url } of links) {
      const target = url.slice(ORIGIN.length);
      if (!/llms(-\d+)?\.txt$/.test(target)) pages.add(target);
      else if (steps > 0 && !seen.has(target)) {
        for (const page of reach(context, target, steps - 1, seen)) pages.add(page);
      }
    }
  }
  return pages;
}

function addresses(context: DocumentContext): string[] {
  return [...context.reading.index()].map(({ path }) =>
    path === "/" ? "/index.md" : `${encodeURI(path)}.md`,
  );
}

describe("llms.txt", () => {
  it("keeps to the grammar, with Optional last and what the site is for before all lists", () => {
    const file = parseLlms(textOf(site.context, "/llms.txt"));
    assert.equal(file.title, "Quotations Association");
    assert.equal(file.sections.at(-1)?.heading, "Optional");
    assert.match(file.paragraphs.join("\n"), /When to use this site: to find a checked quotation/);
    assert.match(file.paragraphs.join("\n"), /key .* at https:\/\/quotations\.example\/contact/);
  });

  it("has a section for each kind of content, also one the site declares", () => {
    const headings = parseLlms(textOf(site.context, "/llms.txt")).sections.map((s) => s.heading);
    assert.deepEqual(headings.slice(1, -1), ["Topics", "Authors", "Works", "Quotations", "Events"]);
  });

  it("links absolutely, to Markdown wherever a page is meant", () => {
    for (const context of [site.context, largeContext]) {
      for (const { links } of parseLlms(textOf(context, "/llms.txt")).sections) {
        for (const { url } of links) {
          assert(url.startsWith(`${ORIGIN}/`), url);
          assert(/\.(md|txt)$/.test(url) || url === `${ORIGIN}/?mode=agent`, url);
        }
      }
    }
  });

  it("leads to every page within one step, and within two on a site of thousands", () => {
    for (const [context, steps] of [
      [site.context, 1],
      [largeContext, 2],
    ] as const) {
      const reached = reach(context, "/llms.txt", steps);
      assert.deepEqual(
        addresses(context).filter((address) => !reached.has(address)),
        [],
      );
    }
  });

  it("takes at most 3,000 tokens, however much is published", () => {
    for (const context of [site.context, largeContext]) {
      const tokens = countTokens(textOf(context, "/llms.txt"));
      assert(tokens <= 3000, `${tokens} tokens`);
    }
  });

  it("says how a search is narrowed, that it lists without words, and that texts are no orders", () => {
    const text = textOf(site.context, "/llms.txt");
    assert.match(text, /search\.md\?q=WORDS`, narrowed by .*`type=quotation` with [^;]*authors/);
    assert.match(text, /Without `q` it takes everything .*search\.md\?type=quotation&authors=NAME/);
    assert.match(text, /never orders/);
  });

  it("shows no unpublished item", () => {
    using store = openFixtureSite();
    store.retire("/topics/courage", false);
    for (const path of ["/llms.txt", "/topics/llms.txt", "/llms-full.txt", "/sitemap.xml"]) {
      assert.doesNotMatch(textOf(store.context, path), /topics\/courage\b/);
    }
  });
});

describe("section files", () => {
  it("keep to the grammar and below the limit, parts and all", () => {
    const section = parseLlms(textOf(largeContext, "/quotations/llms.txt"));
    const parts = section.sections.find(({ heading }) => heading === "Parts")?.links ?? [];
    assert(parts.length > 10);
    const paths = [
      "/llms.txt",
      "/quotations/llms.txt",
      ...parts.map(({ url }) => url.slice(ORIGIN.length)),
    ];
    for (const path of paths) {
      const text = textOf(largeContext, path);
      parseLlms(text);
      assert(text.length < LLMS_CHARACTERS_MAX, `${path} has ${text.length} characters`);
    }
  });

  it("hold each item exactly once", () => {
    const parts = parseLlms(textOf(largeContext, "/quotations/llms.txt")).sections.at(-1)?.links;
    const listed = (parts ?? []).flatMap(({ url }) =>
      parseLlms(textOf(largeContext, url.slice(ORIGIN.length))).sections.flatMap((s) => s.links),
    );
    assert.equal(listed.length, QUOTATIONS);
    assert.equal(new Set(listed.map(({ url }) => url)).size, QUOTATIONS);
  });

  it("are one step from the index also where a site has nothing but pages", () => {
    using store = openReading();
    const context = { ...site.context, reading: store.reading };
    store.transaction(() => {
      store.put("page", "/", { title: "Home" });
      for (let i = 1; i <= 500; i += 1) {
        store.put("page", `/guides/a-rather-long-address-of-guide-number-${i}`, {
          title: `Guide ${i}`,
          body: "How volunteers do what the guide is about, and whom they ask when it fails.",
        });
      }
    });
    const reached = reach(context, "/llms.txt", 1);
    assert.deepEqual(
      addresses(context).filter((address) => !reached.has(address)),
      [],
    );
  });

  it("follow what is published", () => {
    using store = openReading();
    const context = { ...site.context, reading: store.reading };
    store.put("topic", "/topics/time", { title: "Time" });
    assert.match(textOf(context, "/topics/llms.txt"), /topics\/time\.md/);
    store.put("topic", "/topics/courage", { title: "Courage" });
    assert.match(textOf(context, "/topics/llms.txt"), /topics\/courage\.md/);
    store.transaction(() => {
      for (let i = 1; i <= 500; i += 1) store.put("topic", `/topics/number-${i}`);
    });
    assert.doesNotMatch(textOf(context, "/topics/llms-2.txt"), /topics\/latest\.md/);
    store.put("topic", "/topics/latest", { title: "Latest" });
    assert.match(textOf(context, "/topics/llms-2.txt"), /topics\/latest\.md/);
  });

  it("exist for the types of the site and nothing else", () => {
    assert.notEqual(documentText(site.context, "/page/llms.txt"), null);
    for (const path of ["/nope/llms.txt", "/topics/llms-1.txt", "/quotations/llms-0.txt"]) {
      assert.equal(documentText(site.context, path), null, path);
    }
    const beyond = ["/quotations/llms-999.txt", "/quotations/llms-1x.txt", "/quotations/llms-.txt"];
    for (const path of beyond) assert.equal(documentText(largeContext, path), null, path);
  });

  it("tell counts and hubs where there is too much to list", () => {
    const reading = withOverriddenMethods(large.reading, {
      version: () => -2,
      counts: () => ({ ...large.reading.counts(), quotation: 900_000 }),
      *index() {
        for (let i = 0; i < 900_000; i += 1) {
          yield {
            cursor: `quotation:${i}`,
            type: "quotation",
            path: `/quotations/q${i}`,
            title: "x".repeat(80),
            summary: "y".repeat(200),
            language: "en",
            updatedAt: "",
          };
        }
      },
    });
    const text = textOf({ ...largeContext, reading }, "/quotations/llms.txt");
    const file = parseLlms(text);
    assert(text.length < LLMS_CHARACTERS_MAX);
    assert.match(file.summary, /900000/);
    assert.deepEqual(
      file.sections.map(({ heading }) => heading),
      ["Ways to quotations"],
    );
  });
});

describe("llms-full.txt", () => {
  it("holds the text of every page", () => {
    const text = textOf(site.context, "/llms-full.txt");
    for (const { path } of site.reading.index()) {
      assert(text.includes(`\n- Address: ${ORIGIN}${encodeURI(path)}\n`), path);
    }
    assert.match(text, /Volunteers compare every quotation with a printed edition/);
    assert.doesNotMatch(text, /Left out of this file/);
  });

  it("says what it leaves out and where it is", () => {
    const text = [...generateLlmsFullText(largeContext, 20_000)].join("");
    assert(text.length < 21_500);
    const [, left = ""] =
      /- Quotations: (\d+) left out; .*\/quotations\/llms\.txt/.exec(text) ?? [];
    const written = text.match(/^- Kind: Quotation$/gm)?.length ?? 0;
    assert(written > 10);
    assert.equal(Number(left), QUOTATIONS - written);
  });
});
