import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { HtmlValidate } from "html-validate";
import { Parser } from "htmlparser2";
import MarkdownIt from "markdown-it";
import { parse } from "yaml";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { BUILT_IN_PAGES } from "../../src/content/pages/built-in/built-in-pages.ts";
import { findPage } from "../../src/content/pages/find-page.ts";
import { mainContentMarkdown, pageMarkdown } from "../../src/render/page-markdown.ts";
import { ORIGIN, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

const HOSTILE = "<b>\"x\" & 'y'</b> [a](javascript:1) `c` *e* _f_ # ~ | \\ </script><!--";

await save({
  type: "topic",
  slug: "hostile",
  title: HOSTILE,
  summary: HOSTILE,
  fields: { aliases: [HOSTILE] },
  body: HOSTILE,
});
await save({
  type: "author",
  slug: "hostile",
  title: HOSTILE,
  fields: { sort_name: `${HOSTILE}, A.`, born: "-0043-12-07", died: "0017" },
});
await save({
  type: "quotation",
  slug: "hostile",
  title: HOSTILE,
  body: "# A\n\n<div>b\n\n```\nc",
  fields: { locator: HOSTILE, original_text: "# D\n\n*e*", year: -44 },
  relations: { authors: ["/authors/hostile"], topics: [{ to: "/topics/hostile", note: HOSTILE }] },
});
await save({ type: "page", path: "/arabisch", title: "عربي", language: "ar", body: "نص" });

const PAGES = [
  "/",
  "/about",
  "/contact",
  "/privacy",
  "/%C3%BCber-uns",
  "/topics",
  "/topics/time",
  "/authors",
  "/authors/epictetus",
  "/works",
  "/works/epictetus-discourses-george-long",
  "/quotations",
  "/quotations?page=2",
  "/quotations/abactor",
  "/events",
  "/events/reading-evening",
  "/topics/hostile",
  "/authors/hostile",
  "/quotations/hostile",
  ...BUILT_IN_PAGES.map(({ path }) => path).filter((path) => path !== "/contact"),
  "/arabisch",
  "/search",
  "/search?q=death",
  "/search?q=deth",
  "/search?q=zzzzqq",
  "/search?q=%3Cb%3E%22%26&type=topic",
];

const validator = new HtmlValidate({ extends: ["html-validate:standard"], elements: ["html5"] });

for (const page of PAGES) {
  describe(`the page ${page}`, () => {
    it("is valid HTML with one h1 and a skip link", async () => {
      const html = await htmlOf(page);
      const report = await validator.validateString(html);
      const messages = report.results.flatMap(({ messages }) =>
        messages.map(({ line, ruleId, message }) => `${line}: ${ruleId}: ${message}`),
      );
      assert.deepEqual(messages, []);
      assert.equal(html.match(/<h1[ >]/g)?.length, 1);
      const body = html.slice(html.indexOf("<body>"));
      assert(body.indexOf("/llms.txt") < 0.1 * body.length + 400);
      const [script] =
        /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.slice(1) ?? [];
      assert.equal(JSON.parse(script ?? "")["@context"], "https://schema.org");
    });

    it("is self-contained Markdown", async () => {
      const text = await markdownOf(page);
      const [, front = "", body = ""] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(text) ?? [];
      const fields = parse(front);
      const canonical = new URL(page, ORIGIN).href;
      assert.equal(fields.canonical, canonical);
      assert(typeof fields.title === "string" && typeof fields.description === "string");
      assert.match(
        body,
        /^# .+\n\n> Documentation index: the complete index of this site is at \[llms.txt\]/,
      );
      assert.equal(headings(body).filter((level) => level === 1).length, 1);
      assert(text.length < 50_000);
      const links = addressesOf(body);
      assert.deepEqual(
        links.filter((link) => !/^(https?|mailto):/.test(link)),
        [],
      );
      const own = links.filter(
        (link) =>
          link.startsWith(ORIGIN) && !/llms.txt|mode=agent|sitemap|\.ics$|\.atom$/.test(link),
      );
      assert.deepEqual(
        own.filter((link) => !new URL(link).pathname.endsWith(".md")),
        [],
      );
      assert.equal(
        new MarkdownIt({ html: true }).parse(body, {}).filter(({ type }) => type === "html_block")
          .length,
        0,
      );
    });

    it("says the same in both forms", async () => {
      const html = wordsOf(withoutCitations(mainOf(await htmlOf(page))));
      const text = await markdownOf(page);
      const markdown = wordsOf(new MarkdownIt().render(text.replace(/^---\n.*?\n---\n/s, "")));
      const known = new Set(markdown);
      const missing = html.filter((word) => !known.has(word));
      assert(missing.length <= 0.02 * html.length, `missing in Markdown: ${missing.join(" ")}`);
      const shown = new Set([...html, ...wordsOf(DIRECTIVE)]);
      const surplus = markdown.filter((word) => !shown.has(word));
      assert(
        surplus.length <= 0.02 * markdown.length + 3,
        `only in Markdown: ${surplus.join(" ")}`,
      );
    });
  });
}

describe("a page", () => {
  it("has a button that closes the menu, which covers the one that opens it", async () => {
    assert.match(
      await htmlOf("/about"),
      /<div class="menu" id="menu" popover>\s*<button [^>]*popovertarget="menu" popovertargetaction="hide">Close menu<\/button>/,
    );
  });

  it("shows the basis of a topic link at both ends", async () => {
    assert.match(await markdownOf("/quotations/abactor"), /- Topics: \[Time\]\(.*\) – keyword/);
    assert.match(
      await markdownOf("/topics/time"),
      /\nListed here, unless noted otherwise: keyword/,
    );
  });

  it("states a basis that most of a list share once, above it", async () => {
    await save({ type: "topic", slug: "shared", title: "Shared" });
    const bases = ["tag", "tag", "tag", "by ear", null];
    for (const [at, note] of bases.entries()) {
      const topics = [{ to: "/topics/shared", note }];
      await save({
        type: "quotation",
        title: `Shared ${at}`,
        body: "Well.",
        relations: { topics },
      });
    }
    for (const text of [await markdownOf("/topics/shared"), await htmlOf("/topics/shared")]) {
      const [above = "", ...others] = text.split(/listed here/i);
      assert.doesNotMatch(above, /Well\./);
      assert.deepEqual(
        others
          .map((other) => /^(?:, unless noted otherwise: | by |: )[^<\n]+/.exec(other)?.[0])
          .toSorted(),
        [" by the editors", ", unless noted otherwise: tag.", ": by ear"],
      );
    }
  });

  it("shows no sort name, which only says where an author is listed", async () => {
    assert.doesNotMatch(await htmlOf("/authors/marcus-aurelius"), /Sort name/);
  });

  it("shows a quotation with author, work, place and verification", async () => {
    const html = await htmlOf("/quotations/abactor");
    assert.match(html, /<blockquote class="saying"><p>One who steals/);
    assert.match(html, /— <a .*>Ambrose Bierce<\/a>, <a .*>The Devil’s Dictionary<\/a>, Abactor/);
    assert.match(html, /Verified<\/a> – The words were found in the work/);
    assert.match(html, /href="\/contact\?about=%2Fquotations%2Fabactor"/);
  });

  it("shows a quotation by itself, with what stands around it in its work", async () => {
    const own = "/quotations/if-a-man-said-epictetus-opposes-evident-truths";
    const html = await htmlOf(own);
    assert.match(html, /<h1 class="visually-hidden">Quotation from Epictetus<\/h1>/);
    assert.match(html, /<h2 id="context">In Discourses<\/h2>\n<p>(?:Before|After) it:/);
    assert.match(html, />More from Epictetus<\/h2>\n<figure class="quote">/);
    const onward = [...html.matchAll(/class="(?:aside )?onward">(.*?)<\/(?:p|span)>/g)];
    const links = onward.map(([, link = ""]) => link.replaceAll(/<[^>]+>/g, ""));
    assert.deepEqual(
      [...new Set(links)],
      [
        "\u00a0· Context and citation",
        "All quotations: Epictetus",
        "All quotations: Truth",
        "Report a mistake on this page",
      ],
    );
    const shown = [...mainOf(html).matchAll(/href="(\/quotations\/[^"]+)"/g)].map(([, to]) => to);
    assert(!shown.includes(own), "it does not link to itself");
  });

  it("shows the address of a quotation to copy", async () => {
    const html = await htmlOf("/quotations/abet");
    const url = "https://quotations.example/quotations/abet";
    assert(
      html.includes(`>Permalink: <a href="${url}" rel="bookmark"><code>${url}</code></a></p>`),
      html,
    );
    const markdown = await markdownOf("/quotations/abet");
    assert.match(markdown, /^Cite as: .* https:\/\/quotations\.example\/quotations\/abet$/m);
  });

  it("says what stands before and after only where the order of the places is known", async () => {
    const around = await aroundIn("essays", [
      { locator: "On Anger, ¶2" },
      { locator: "On Anger, ¶10" },
      { locator: "On Leisure, ¶1" },
      { locator: "II, ¶3" },
      { locator: "IX, ¶1" },
    ]);
    assert.match(await around(0), /After it: essays 1/);
    const last = await around(1);
    assert.match(last, /Before it: essays 0/);
    assert.doesNotMatch(last, /After it/, "chapters without numbers are in no known order");
    assert.match(await around(3), /After it: essays 4/);
  });

  it("takes chapters with a number and a name for those of one book only if both name the book", async () => {
    const around = await aroundIn("contract", [
      { locator: "III: The General Will, ¶3" },
      { locator: "IV: Democracy, ¶1" },
      { locator: "Book V, III: The General Will, ¶3" },
      { locator: "Book V, IV: Limits, ¶1" },
      { locator: "Economy" },
      { locator: "Solitude" },
    ]);
    assert.equal(await around(0), "");
    assert.match(await around(2), /After it: contract 3/);
    assert.equal(await around(4), "", "names are in no known order");
  });

  it("goes by the positions of quotations, which say nothing about those without one", async () => {
    const around = await aroundIn("walden", [
      { locator: "Economy, ¶5", position: 1 },
      { locator: "Baker Farm, ¶1", position: 10 },
      { position: 9 },
      { locator: "Baker Farm, ¶2" },
    ]);
    assert.equal(await around(0), "After it: walden 2");
    assert.equal(await around(2), "Before it: walden 0 After it: walden 1");
    assert.equal(await around(1), "Before it: walden 2");
    const list = mainOf(await htmlOf("/works/walden"));
    const shown = [...list.matchAll(/The line at walden (\d)/g)].map(([, at]) => at);
    assert.deepEqual([...new Set(shown)], ["0", "2", "1", "3"]);
    assert.doesNotMatch(await htmlOf("/quotations/walden-1"), /Position/);
  });

  it("looks for what is around a quotation only when a form of the page shows it", async (t) => {
    const around = t.mock.method(site.reading, "adjacentItems");
    const path = "/quotations/if-a-man-said-epictetus-opposes-evident-truths";
    const answer = await findPage(site.reading, path, { parameter: () => undefined });
    assert(answer.kind === "page");
    assert.equal(
      mainContentMarkdown(answer.view, {
        ...{ reading: site.reading, origin: ORIGIN },
        nameOf: () => null,
      }).includes("Before it"),
      false,
    );
    assert.equal(around.mock.callCount(), 0, "tools read an item on its own");
    pageMarkdown(answer.view, { reading: site.reading, origin: ORIGIN });
    assert.equal(around.mock.callCount(), 1);
  });

  it("begins a long first paragraph with a drop cap, where the look has one", async () => {
    const long = `letter ${"by letter ".repeat(30)}`;
    const hasInitial = async (body: string) => {
      await save({ type: "page", path: "/initial", title: "Initial", body });
      return (await htmlOf("/initial")).includes('class="text initial"');
    };
    assert.equal(await hasInitial(`A ${long}`), true);
    assert.equal(await hasInitial(`É${long}`), true);
    assert.equal(await hasInitial(`“A ${long}`), false, "a quotation mark first");
    assert.equal(await hasInitial(`**A** ${long}`), false, "an element first");
    assert.equal(await hasInitial(`- A ${long}`), false, "a list first");
    assert.equal(await hasInitial(`A line.\n\nA ${long}`), false, "a short paragraph first");
  });

  it("marks years BCE", async () => {
    const html = await htmlOf("/authors/hostile");
    assert.match(html, /<dt>Born<\/dt><dd>7 December 43 BCE<\/dd>/);
    assert.match(html, /<dt>Died<\/dt><dd>17<\/dd>/);
    assert.match(await markdownOf("/quotations/hostile"), /^- Year: 44 BCE$/m);
  });

  it("calls records of the same person elsewhere by the names of their sites", async () => {
    const same_as = ["https://fr.wikipedia.org/wiki/A", "https://records.example/a", "no address"];
    await save({ type: "author", slug: "known", title: "Known", fields: { same_as } });
    const shown = mainOf(await htmlOf("/authors/known"));
    assert.match(shown, /<a href="https:\/\/fr\.wikipedia\.org\/wiki\/A"[^>]*>Wikipedia<\/a>/);
    assert.match(shown, />records\.example\/a<\/a>/);
    assert.match(shown, /<dd>no address<\/dd>/);
  });

  it("names other names on one line, and values with a note on a line each", async () => {
    await save({
      type: "topic",
      slug: "ease",
      title: "Ease",
      fields: { aliases: ["Leisure", "Rest"] },
    });
    const names = '<div class="row"><dt>Also called</dt><dd>Leisure</dd><dd>Rest</dd></div>';
    assert(mainOf(await htmlOf("/topics/ease")).includes(names));
    await save({
      type: "quotation",
      slug: "at-ease",
      title: "At ease",
      body: "At ease.",
      relations: { topics: [{ to: "/topics/ease", note: "a note" }, { to: "/topics/hostile" }] },
    });
    assert.match(
      mainOf(await htmlOf("/quotations/at-ease")),
      /<div><dt>Topics<\/dt><dd>.*?<\/dd><dd>/,
    );
  });

  it("declares its language and direction, and links to its translations", async () => {
    const arabic = await htmlOf("/arabisch");
    assert.match(arabic, /<html lang="en" dir="ltr">/, "the site has no edition in Arabic");
    assert.match(arabic, /<h1 lang="ar" dir="rtl">عربي<\/h1>/);
    assert.match(arabic, /<div class="text" lang="ar" dir="rtl">/);
    const html = await htmlOf("/about");
    assert.match(
      html,
      /<link rel="alternate" hreflang="de" href="https:\/\/quotations.example\/%C3%BCber-uns">/,
    );
    assert.match(html, /hreflang="en" href="https:\/\/quotations.example\/about"/);
    assert.match(html, /hreflang="x-default" href="https:\/\/quotations.example\/about"/);
  });

  it("paginates long lists with links to the previous and next page", async () => {
    const html = await htmlOf("/quotations?page=2");
    assert.match(
      html,
      /<link rel="canonical" href="https:\/\/quotations.example\/quotations\?page=2">/,
    );
    assert.match(html, /<a rel="prev" href="\/quotations">/);
    assert.doesNotMatch(html, /rel="next"/);
    assert.match(await htmlOf("/quotations"), /<a rel="next" href="\/quotations\?page=2">/);
  });

  it("shows search results with the matching words highlighted", async () => {
    const html = await htmlOf("/search?q=death");
    assert.match(html, /<mark>death<\/mark>/);
    const [hit = ""] =
      /<li><p><a [^>]*>(?:(?!<\/li>)[^<]|<(?!\/li>))*<\/li>/.exec(
        html.slice(html.indexOf('id="found-quotation"')),
      ) ?? [];
    assert.match(hit, /<a [^>]*>[^<]*<mark>/);
    assert.doesNotMatch(hit, /· Quotation/, "the heading says so");
    assert.doesNotMatch(hit, /class="note"/, "its words are shown once");
    assert.match(html, /<meta name="robots" content="noindex">/);
    assert.match(await htmlOf("/search?q=zzzzqq"), /Nothing was found for “zzzzqq”/);
  });

  it("of a declared type works like any other", async () => {
    const text = await markdownOf("/events/reading-evening");
    assert.match(text, /^- Starts: 14 March 2027$/m);
    assert.match(await markdownOf("/events"), /\[Reading evening\]/);
  });

  it("for contact explains how to request a key", async () => {
    const text = await markdownOf("/contact");
    assert.match(text, /## Write to the editors\n\n.*mailto:editors@quotations.example/);
    assert.match(text, /## Ask for a key\n\nEvery page can be read without a key\./);
    assert.match(text, /The form is at `https:\/\/quotations.example\/contact`:\n\n- Your name\n/);
    assert.match(text, /\(https:\/\/quotations.example\/contact\/claim.md\)/);
  });
});

const DIRECTIVE =
  "Documentation index: the complete index of this site is at llms.txt. Every page has a Markdown version at its address plus .md. Search: https://quotations.example/search.md?q=WORDS";

async function save(input: object): Promise<void> {
  const item = itemInputSchema.parse({ status: "published", ...input });
  await saveItem(site.record.content, { kind: "operator" }, item, new Date("2026-11-20"));
}

/** Saves a work with quotations. Returns what the page of each quotation shows before and after it. */
async function aroundIn(work: string, stated: readonly object[]) {
  await save({ type: "work", slug: work, title: work });
  for (const [at, fields] of stated.entries()) {
    await save({
      type: "quotation",
      slug: `${work}-${at}`,
      title: `Line ${at}`,
      body: `The line at ${work} ${at}.`,
      fields,
      relations: { work: [`/works/${work}`] },
    });
  }
  const shown = new RegExp(`(?:Before|After) it:|(?<=The line at )${work} \\d`, "g");
  return async (at: number) => {
    const [, context = ""] = mainOf(await htmlOf(`/quotations/${work}-${at}`)).split(
      'id="context"',
    );
    return [...context.matchAll(shown)].map(([found]) => found).join(" ");
  };
}

async function htmlOf(page: string): Promise<string> {
  return await (await site.get(page, { accept: "text/html" })).text();
}

async function markdownOf(page: string): Promise<string> {
  return await (await site.get(page, { accept: "text/markdown" })).text();
}

function headings(markdown: string): number[] {
  return new MarkdownIt()
    .parse(markdown, {})
    .filter(({ type }) => type === "heading_open")
    .map(({ tag }) => Number(tag.slice(1)));
}

function addressesOf(markdown: string): string[] {
  return new MarkdownIt()
    .parse(markdown, {})
    .flatMap(({ children }) => children ?? [])
    .filter(({ type }) => type === "link_open")
    .map((token) => String(token.attrGet("href")));
}

/** Markdown has one citation, in a line, with the address of the page. */
function withoutCitations(html: string): string {
  const others = html.replace(/<p class="permalink" data-markdown-ignore>.*?<\/p>/s, "");
  return others.replace(/<details class="cite"[^>]*>.*?<\/details>/s, (details) => {
    const [first = ""] = /<dd>.*?<\/dd>/s.exec(details) ?? [];
    return `Cite as: ${first}`;
  });
}

/** The main part without its forms, whose labels are not content. */
function mainOf(html: string): string {
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  return main
    .replace(/<form class="(?:search|filters).*?<\/form>/gs, "")
    .replaceAll(/<p class="(?:visually-hidden|submit)">.*?<\/p>/gs, "");
}

function wordsOf(html: string): string[] {
  let text = "";
  const parser = new Parser({
    ontext: (piece) => {
      text += piece;
    },
    onopentagname: () => {
      text += " ";
    },
  });
  parser.end(html);
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}
