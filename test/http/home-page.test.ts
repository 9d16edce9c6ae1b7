import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { findPage } from "../../src/content/pages/find-page.ts";
import { buildQuotationOfTheDayBlocks } from "../../src/content/pages/quotations/quotation-of-the-day.ts";
import { mainEdition, splitEditionPrefix } from "../../src/content/site/editions.ts";
import { changeSettings } from "../../src/content/site/settings.ts";
import { PLACEHOLDER_EMAIL } from "../../src/content/site/starter-site.ts";
import { mainContentMarkdown } from "../../src/render/page-markdown.ts";
import { starterTexts } from "../../src/texts/starter/starter-texts.ts";
import { NOW, ORIGIN, openFixture } from "../support/open-fixture.ts";
import { openReading } from "../support/reading-store.ts";

const OPERATOR = { kind: "operator" } as const;
let now = new Date("2026-11-21T23:30:00Z");
const site = await openFixture({ now: () => now });
after(() => site.close());

async function home() {
  const response = await site.get("/", { accept: "text/html" });
  const html = await response.text();
  const [, day = ""] =
    /id="quotation-of-the-day">.*?<blockquote[^>]*>(.*?)<\/blockquote>/s.exec(html) ?? [];
  return {
    html,
    day,
    caching: response.headers.get("cache-control"),
    etag: response.headers.get("etag"),
  };
}

it("links the pages of a site that has nothing but pages, until it has a text of its own", async () => {
  using store = openReading();
  const browse = async () => {
    const answer = await findPage(store.reading, "/", { parameter: () => undefined });
    assert(answer.kind === "page");
    return (
      /## Browse[\s\S]*/.exec(
        mainContentMarkdown(answer.view, { reading: store.reading, origin: ORIGIN }),
      )?.[0] ?? ""
    );
  };
  store.put("page", "/", { title: "Mill Society" });
  store.put("page", "/about", { title: "About us", summary: "Who keeps the mill." });
  store.put("page", "/visit", { title: "Visit" });
  const [about = "", visit = "", ...others] = (await browse()).match(/^- .*$/gm) ?? [];
  assert.match(about, /^- \[About us\]\(\S+\/about\.md\): Who keeps the mill\.$/);
  assert.match(visit, /^- \[Visit\]/);
  assert.deepEqual(others, []);
  store.put("page", "/", { title: "Mill Society", body: "Welcome." });
  assert.equal(await browse(), "");
});

it("shows a title of its own, but not the name of the site again, which the header shows", async () => {
  using store = openReading();
  const headingOf = async () => {
    const answer = await findPage(store.reading, "/", { parameter: () => undefined });
    assert(answer.kind === "page");
    return answer.view.heading;
  };
  const { name } = store.reading.site();
  assert.deepEqual(await headingOf(), { text: name, isHidden: true });
  store.put("page", "/", { title: name, body: "Welcome." });
  assert.deepEqual(await headingOf(), { text: name, isHidden: true });
  store.put("page", "/", { title: "Welcome", body: "Welcome." });
  assert.equal(await headingOf(), undefined);
});

it("has a quotation of the day that is by whom it is ascribed to, or none", () => {
  using store = openReading();
  const put = (path: string, verification: string) =>
    store.put("quotation", path, { body: path, fields: { verification, featured: true } });
  const shown = () =>
    ["2026-11-21", "2026-11-22", "2026-11-23"].map((day) => {
      const blocks = buildQuotationOfTheDayBlocks(store.reading, mainEdition(store.reading), day);
      return blocks.flatMap((block) => (block.kind === "quotes" ? block.quotes : []))[0]?.text;
    });
  put("/quotations/a", "misattributed");
  put("/quotations/b", "disputed");
  assert.deepEqual(shown(), Array(3).fill(undefined));
  put("/quotations/c", "attributed");
  assert.deepEqual(shown(), Array(3).fill("/quotations/c"));
});

it("keeps the quotation of the day when another is published", () => {
  using store = openReading();
  const put = (path: string) =>
    store.put("quotation", path, { body: path, fields: { featured: true } });
  const shown = () =>
    Array.from({ length: 28 }, (_, at) => {
      const day = `2026-02-${String(at + 1).padStart(2, "0")}`;
      const blocks = buildQuotationOfTheDayBlocks(store.reading, mainEdition(store.reading), day);
      return blocks.flatMap((block) => (block.kind === "quotes" ? block.quotes : []))[0]?.text;
    });
  for (let at = 0; at < 30; at += 1) put(`/quotations/${at}`);
  const before = shown();
  assert(new Set(before).size > 10, String(before));
  put("/quotations/another");
  const after = shown();
  const changed = after.filter((text, at) => text !== before[at]);
  assert(
    changed.length <= 3 && changed.every((text) => text === "/quotations/another"),
    `${changed}`,
  );
});

describe("the home page", () => {
  it("shows the quotation of the site's day, which no cache keeps longer", async () => {
    const before = await home();
    assert.notEqual(before.day, "");
    assert.equal(before.caching, "public, max-age=0, s-maxage=300");
    assert.deepEqual(await home(), before);
    now = new Date("2026-11-21T23:55:01Z");
    const late = await home();
    assert.deepEqual(late, { ...before, caching: "public, max-age=0, no-cache" });
    now = new Date("2026-11-22T00:00:01Z");
    const next = await home();
    assert.notEqual(next.day, before.day);
    assert.notEqual(next.etag, before.etag);
    await changeSettings(
      site.record.content,
      OPERATOR,
      { timeZone: "America/New_York" },
      { now: NOW },
    );
    assert.equal((await home()).day, before.day, "it is still the day before in New York");
  });

  it("begins with its own text, and search follows, unless the settings say otherwise", async () => {
    const { html } = await home();
    const search = html.indexOf('class="search search-page"');
    const text = html.indexOf('class="text');
    assert(text > 0 && text < search, `text at ${text}, search at ${search}`);
  });

  it("shows nothing of what a new site says until its editors write", async () => {
    const before = (await home()).html;
    for (const known of [/class="lead"/, /id="when-to-use"/, /mailto:/])
      assert.match(before, known);
    const { description, purpose } = starterTexts("en").site;
    const contact = { email: PLACEHOLDER_EMAIL };
    const placeholder = { description, whenToUse: [purpose], whenNotToUse: [], contact };
    const content = site.record.content;
    await changeSettings(content, OPERATOR, placeholder, { now: NOW });
    const { html } = await home();
    for (const text of [description, 'id="when-to-use"']) {
      const visible = html.slice(html.indexOf("<body>"));
      assert(!visible.includes(text), text);
    }
    for (const path of ["/", "/contact", "/contact.md", "/.well-known/security.txt"]) {
      const text = await (await site.get(path)).text();
      assert(!text.includes(PLACEHOLDER_EMAIL), path);
    }
  });

  it("has the blocks that the settings name, in their order", async () => {
    const blocks = [
      { show: "items", title: "Begin with", paths: ["/topics/time", "/nothing"] },
      { show: "text", markdown: "*Our own words.*" },
      { show: "newest", type: "quotation", items: 2 },
      { show: "search" },
    ];
    await changeSettings(site.record.content, OPERATOR, { home: blocks }, { now: NOW });
    const { html, day } = await home();
    assert.equal(day, "");
    const places = [
      "Begin with</h2>",
      "<em>Our own words.",
      "Newest quotations</h2>",
      "search-page",
    ];
    const found = places.map((text) => html.indexOf(text));
    assert(!found.includes(-1), found.join());
    assert.deepEqual(
      found,
      [...found].sort((a, b) => a - b),
    );
    assert.equal(html.match(/<figure class="quote">/g)?.length, 2);
    const wrong = changeSettings(
      site.record.content,
      OPERATOR,
      { home: [{ show: "tricks" }] },
      { now: NOW },
    );
    await assert.rejects(wrong, /home.*introduction, quotation_of_the_day/);
  });

  it("has blocks of its own in another language, and keeps those of the site in the others", async () => {
    const own = [{ show: "text", markdown: "Eigene *Worte*." }];
    const { content } = site.record;
    const patch = { languages: ["de", "fr"], translations: { de: { home: own } } };
    await changeSettings(content, OPERATOR, patch, { now: NOW });
    const at = async (path: string) => await (await site.get(path)).text();
    const [main, german, french] = [await at("/"), await at("/de"), await at("/fr")];
    assert.match(german, /Eigene <em>Worte/);
    assert.doesNotMatch(german, /Our own words/);
    assert.match(main, /Our own words/);
    assert.match(french, /Our own words/);
    assert.doesNotMatch(main + french, /Eigene/);
  });
});

describe("/random", () => {
  it("leads to a quotation in the form that was asked for, and is kept nowhere", async () => {
    const response = await site.get("/random");
    assert.deepEqual([response.status, response.headers.get("cache-control")], [302, "no-store"]);
    const to = response.headers.get("location") ?? "";
    assert.match(to, /^\/quotations\//);
    assert.equal((await site.get(to)).status, 200);
    assert.match((await site.get("/random.md")).headers.get("location") ?? "", /\.md$/);
    assert.doesNotMatch(await (await site.get("/sitemap.xml")).text(), /random/);
  });

  const save = async (said: object) => {
    const input = itemInputSchema.parse({ status: "published", ...said });
    await saveItem(site.record.content, OPERATOR, input, NOW);
  };

  it("stays in the language of the edition, as feeds do", async () => {
    const at = async (path: string) => (await site.get(path)).headers.get("location");
    const text = async (path: string) => await (await site.get(path)).text();
    assert.equal(await at("/de/random"), "/de", "without a quotation");
    const eile = {
      type: "quotation",
      title: "Eile",
      path: "/de/quotations/eile",
      language: "de",
    };
    await save({ ...eile, body: "Eile mit Weile." });
    assert.equal(await at("/de/random"), "/de/quotations/eile");
    assert.equal(await at("/de/random.md"), "/de/quotations/eile.md");
    for (let at = 0; at < 5; at++) {
      assert.doesNotMatch((await site.get("/random")).headers.get("location") ?? "", /^\/de/);
    }
    const url = `${ORIGIN}/de/quotations/eile`;
    const german = JSON.parse(await text("/de/feed.json"));
    assert.deepEqual([german.items[0].url, german.feed_url], [url, `${ORIGIN}/de/feed.json`]);
    assert(!(await text("/feed.json")).includes(url));
    assert.match(await text("/de/feed.atom"), /<feed [^>]*xml:lang="de">/);
    const page = await text("/de/quotations/eile");
    assert.match(
      page,
      /<link rel="alternate" type="application\/atom\+xml" href="\/de\/feed.atom"/,
    );
    assert.match(page, /<li><a href="\/de\/feed.atom">/);
    const { edition } = splitEditionPrefix(site.reading, "/de");
    const ofTheDay = buildQuotationOfTheDayBlocks(site.reading, edition, "2026-11-22");
    assert.match(JSON.stringify(ofTheDay), /"to":"\/de\/random"/);
    assert.equal((await site.get("/xx/feed.atom")).status, 404);
  });

  it("has breadcrumbs that name the home page once, also for search engines", async () => {
    for (const [path, title] of [
      ["/de", "Start"],
      ["/de/about", "Über"],
      ["/de/about/board", "Vorstand"],
    ]) {
      await save({ type: "page", path, title, language: "de" });
    }
    const trailOf = async (path: string) => {
      const html = await (await site.get(path)).text();
      const [trail = ""] = /<nav class="trail".*?<\/nav>/s.exec(html) ?? [];
      const { itemListElement = [] } = JSON.parse(
        /\{"@type":"BreadcrumbList".*?\]\}/.exec(html)?.[0] ?? "{}",
      );
      return {
        shown: [...trail.matchAll(/href="([^"]+)"/g)].map(([, to]) => to),
        stated: itemListElement.map(({ item }: { item: string }) => item.slice(ORIGIN.length)),
      };
    };
    assert.deepEqual(await trailOf("/de/about/board"), {
      shown: ["/de", "/de/about"],
      stated: ["/de", "/de/about", "/de/about/board"],
    });
    assert.deepEqual((await trailOf("/de/about")).shown, ["/de"]);
    assert.deepEqual((await trailOf("/de/about/verification")).shown, ["/de", "/de/about"]);
    assert.deepEqual((await trailOf("/de/quotations")).stated, ["/de", "/de/quotations"]);
    const page = await (await site.get("/de/about")).text();
    assert.match(page, /href="\/de\/contact\?about=%2Fde%2Fabout"/);
    assert.doesNotMatch(await (await site.get("/de/contact")).text(), /href="[^"]*\?about=/);
  });
});
