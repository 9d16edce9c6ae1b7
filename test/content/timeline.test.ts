import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { isBuiltInPageShown } from "../../src/content/pages/built-in/built-in-page.ts";
import { timelinePage } from "../../src/content/pages/built-in/timeline-page.ts";
import { findPage } from "../../src/content/pages/find-page.ts";
import type { PageView } from "../../src/content/pages/view.ts";
import { withOverriddenMethods } from "../../src/content/reading-overrides.ts";
import { editionForItemLanguage } from "../../src/content/site/editions.ts";
import { buildNavigation } from "../../src/content/site/navigation.ts";
import { siteProfileSchema } from "../../src/content/site/site.ts";
import { pageHtml } from "../../src/render/page-html.ts";
import { pageMarkdown } from "../../src/render/page-markdown.ts";
import { siteTexts } from "../../src/texts/site/site-texts.ts";
import { ORIGIN, openReading } from "../support/reading-store.ts";

const store = openReading();
after(() => store[Symbol.dispose]());
const { reading } = store;

store.writer.saveSite(
  siteProfileSchema.parse({ ...reading.site(), languages: ["de"] }),
  store.types,
);
author("Cicero", { sort_name: "Cicero", born: "-0106", died: "-0043" });
author("Horace", { sort_name: "Horace", born: "-0065" });
author("Seneca", { sort_name: "Seneca", died: "0065" });
author("Emerson", { sort_name: "Emerson", born: "1803" });
author("Without years", { sort_name: "Without years" });
store.put("work", "/works/essays", {
  title: "Essays",
  fields: { year: 1841 },
  relations: { authors: ["/authors/emerson"] },
});
store.put("quotation", "/quotations/1", { fields: { year: 1841 } });
for (let n = 1; n <= 100; n++) author(`Minor ${n}`, { sort_name: `Minor ${n}`, born: "1901" });
store.put("author", "/de/authors/kant", {
  title: "Kant",
  language: "de",
  fields: { sort_name: "Kant", born: "1724" },
});

function author(title: string, fields: Record<string, string>): void {
  store.put("author", `/authors/${title.toLowerCase().replaceAll(" ", "-")}`, { title, fields });
}

async function viewOf(path: string, parameters: Record<string, string> = {}): Promise<PageView> {
  const answer = await findPage(reading, path, { parameter: (name) => parameters[name] });
  assert(answer.kind === "page", `${path}: ${answer.kind}`);
  return answer.view;
}

function markdownOf(view: PageView): string {
  return pageMarkdown(view, { reading, origin: ORIGIN });
}

describe("the timeline", () => {
  it("has everything with a year but quotations, earliest first, by century", async () => {
    const text = markdownOf(await viewOf("/timeline"));
    const order = [
      "## 2nd century BCE",
      "106 BCE–43 BCE · [Cicero]",
      "## 1st century BCE",
      "born 65 BCE · [Horace]",
      "## 1st century\n",
      "died 65 · [Seneca]",
      "## 19th century",
      "born 1803 · [Emerson]",
      "1841 · [Essays](https://quotations.example/works/essays.md) – [Emerson]",
      "## 20th century",
    ].map((part) => text.indexOf(part));
    assert(!order.includes(-1), `${order}: ${text}`);
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    );
    assert.doesNotMatch(text, /Without years|quotations\/1|Kant/);
    assert.match(text, /1 to 100 of 105 entries\./);
  });

  it("counts each century by type, and leads to the page where it begins", async () => {
    const view = await viewOf("/timeline");
    const text = markdownOf(view);
    assert.match(text, /\| Century \| Authors \| Works \|\n\| --- \| ---: \| ---: \|/);
    assert.match(text, /\| \[19th century\]\([^)]+#century-19\) \| 1 \| 1 \|/);
    const html = pageHtml(view, { reading, origin: ORIGIN, feeds: [] });
    assert.match(html, /<th scope="row"><a href="\/timeline#century-2-bce">2nd century BCE<\/a>/);
    assert.match(html, /<h2 id="century-2-bce">2nd century BCE<\/h2>/);
    const second = markdownOf(await viewOf("/timeline", { page: "2" }));
    assert.match(second, /## 20th century/);
    assert.doesNotMatch(second, /\| Century \|/);
    const beyond = await findPage(reading, "/timeline", { parameter: () => "3" });
    assert.equal(beyond.kind, "missing");
  });

  it("has one for each edition, found from its lists", async () => {
    const german = markdownOf(await viewOf("/de/timeline"));
    assert.match(german, /# Zeitleiste[\s\S]*## 18\\\. Jahrhundert\n\n- Geboren 1724 · \[Kant\]/);
    assert.match(markdownOf(await viewOf("/authors")), /\[Timeline\]\([^)]*\/timeline\.md\)/);
    assert.match(markdownOf(await viewOf("/de/authors")), /\[Zeitleiste\]/);
    assert.doesNotMatch(markdownOf(await viewOf("/quotations")), /Timeline/);
  });

  it("names centuries as each language does", () => {
    const names = ["fr", "es", "ar", "he", "zh"].map((tag) => {
      const { century } = siteTexts(tag).timeline;
      return [century(19), century(-4)];
    });
    assert.deepEqual(names, [
      ["XIXe siècle", "IVe siècle av. J.-C."],
      ["Siglo XIX", "Siglo IV a. C."],
      ["القرن 19", "القرن 4 ق.م."],
      ["המאה ה־19", "המאה ה־4 לפנה״ס"],
      ["19世纪", "公元前4世纪"],
    ]);
  });

  it("can be in the menu of an edition, by its own name", () => {
    const menu = [{ to: "/timeline", entries: [] }];
    const site = { ...reading.site(), menus: { en: menu, de: menu } };
    const menuReading = withOverriddenMethods(reading, { site: () => site });
    const links = ["en", "de"].map((language) =>
      buildNavigation(menuReading, editionForItemLanguage(menuReading, language)),
    );
    assert.deepEqual(links, [
      [{ text: "Timeline", to: "/timeline", entries: [] }],
      [{ text: "Zeitleiste", to: "/de/timeline", entries: [] }],
    ]);
  });

  it("is replaced by an item at its address", async () => {
    store.put("page", "/timeline", { title: "Our own" });
    assert.equal((await viewOf("/timeline")).title, "Our own");
    const isShown = () =>
      isBuiltInPageShown(timelinePage, reading, editionForItemLanguage(reading, "en"));
    assert.equal(isShown(), false);
    store.retire("/timeline", true);
    assert.equal((await viewOf("/timeline")).title, "Timeline");
    assert.equal(isShown(), true, "menus and sitemap link to it again");
  });
});

describe("a list by name", () => {
  it("is grouped under its letters, in both forms", async () => {
    const view = await viewOf("/authors");
    const html = pageHtml(view, { reading, origin: ORIGIN, feeds: [] });
    assert.match(html, /<div class="index">\n<h2 id="letter-C">C<\/h2>\n<ul class="entries">/);
    assert.match(html, /<li><a href="\/authors#letter-H">H<\/a><\/li>/);
    assert.match(markdownOf(view), /## C\n\n- \[Cicero\][^\n]*\n\n## E\n\n- \[Emerson\]/);
  });
});
