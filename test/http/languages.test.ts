import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { Parser } from "htmlparser2";
import { findPage } from "../../src/content/pages/find-page.ts";
import { siteProfileSchema } from "../../src/content/site/site.ts";
import { pageHtml } from "../../src/render/page-html.ts";
import { openFixture } from "../support/open-fixture.ts";
import { ORIGIN, openReading, type ReadingStore } from "../support/reading-store.ts";

const DOCUMENTS = { origin: ORIGIN, feeds: [], version: "0.1.0", now: new Date() };

/** Content in Greek letters only, so that anything in Latin letters is a text of the service. */
const ITEMS = [
  { type: "page", path: "/about", title: "Περί", body: "Λόγος.", fields: { navigation: 1 } },
  { type: "page", path: "/privacy", title: "Ἰδιωτικά", body: "Λόγος." },
  { type: "topic", slug: "kairos", title: "Καιρός", fields: { aliases: ["Χρόνος"] } },
  { type: "topic", slug: "moira", title: "Μοῖρα", relations: { broader: ["/topics/kairos"] } },
  { type: "author", slug: "solon", title: "Σόλων", fields: { born: "-0638", died: "-0558-03" } },
  {
    type: "work",
    slug: "nomoi",
    title: "Νόμοι",
    fields: { kind: "poem", year: -590, licence: "Ἐλεύθερον" },
    relations: { authors: ["/authors/solon"] },
  },
  ...["verified", "attributed", "disputed", "misattributed"].flatMap((verification) =>
    Array.from({ length: 8 }, (_, at) => ({
      type: "quotation",
      slug: `${verification}-${at}`,
      title: `Γηράσκω ${at}`,
      body: "Γηράσκω δ’ αἰεὶ πολλὰ διδασκόμενος.",
      fields: { verification, year: -590, locator: "α΄" },
      relations: {
        authors: ["/authors/solon"],
        work: ["/works/nomoi"],
        topics: [{ to: "/topics/kairos", note: "χειρί" }],
      },
    })),
  ),
];

const PATHS = [
  "/",
  "/about",
  "/topics",
  "/topics/kairos",
  "/topics/moira",
  "/authors",
  "/authors/solon",
  "/works",
  "/works/nomoi",
  "/quotations",
  "/quotations?page=2",
  "/quotations/verified-1",
  "/quotations/disputed-1",
  "/quotations/misattributed-1",
  "/about/verification",
  "/search",
  "/search?q=%CE%B3%CE%B7%CF%81%CE%B1%CF%83%CE%BA%CF%89",
  "/search?q=%CF%88%CF%88%CF%88",
  "/search?type=quotation&language=all",
  "/search?count_by=topics",
  "/contact",
  "/contact/claim",
  "/contact/message-sent",
  "/contact/key-requested",
  "/topics/ouden",
];

/** Names that are the same in every language. */
const NAMES =
  /\b(?:AI|KI|MCP|Markdown|APA|MLA|Chicago|BibTeX|CSL-JSON|llms\.txt|Sitemap|Feed|Code|Name|cplc_|HTTP|Agent view|in|In)\b/g;

const sites = new Map<string, Awaited<ReturnType<typeof openSite>>>();
after(async () => {
  for (const { site, folder } of sites.values()) {
    await site.close();
    rmSync(folder, { recursive: true });
  }
});

async function openSite(language: string) {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-site-"));
  const site = {
    name: "Ἀνθολογία",
    description: "Λόγοι σοφῶν.",
    language,
    whenToUse: ["λόγος"],
    whenNotToUse: ["ἰατρική"],
    contact: { email: "a@b.example" },
    licence: { name: "Ἐλεύθερον" },
  };
  writeFileSync(join(folder, "site.yaml"), JSON.stringify(site));
  mkdirSync(join(folder, "content"));
  const lines = ITEMS.map((item) => JSON.stringify({ status: "published", ...item }));
  writeFileSync(join(folder, "content", "items.jsonl"), lines.join("\n"));
  return { site: await openFixture({ folder }), folder };
}

/** What a visitor of a page sees, or hears of labels and descriptions, with letters of Latin script. */
async function latinTexts(language: string, path: string): Promise<string[]> {
  const opened = sites.get(language) ?? (await openSite(language));
  sites.set(language, opened);
  const reply = await opened.site.get(path, { accept: "text/html" });
  return latinIn(await reply.text());
}

function latinIn(html: string): string[] {
  const texts: string[] = [];
  const hidden: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const isData = ["script", "style", "code", "pre", "svg"].includes(name);
      if (isData || attributes["class"] === "cite") hidden.push(name);
      for (const label of ["aria-label", "title", "placeholder", "alt"]) {
        if (name !== "link") texts.push(attributes[label] ?? "");
      }
      if (name === "meta" && attributes["name"] === "description") {
        texts.push(attributes["content"] ?? "");
      }
    },
    ontext(text) {
      if (hidden.length === 0) texts.push(text);
    },
    onclosetag(name) {
      if (hidden.at(-1) === name) hidden.pop();
    },
  });
  parser.end(html);
  return texts
    .map((text) =>
      text
        .replaceAll(/\S*[/@]\S*/g, "")
        .replaceAll(NAMES, "")
        .trim(),
    )
    .filter((text) => /[a-z]{2,}/i.test(text));
}

describe("a site in Arabic", () => {
  for (const path of PATHS) {
    it(`says nothing in another language on ${path}`, async () => {
      assert.deepEqual(await latinTexts("ar", path), []);
    });
  }

  it("runs from right to left", async () => {
    const page = await (
      await sites.get("ar")?.site.get("/topics", { accept: "text/html" })
    )?.text();
    assert.match(page ?? "", /<html lang="ar" dir="rtl">/);
  });
});

describe("an edition in Arabic of a site in English, of which nothing is translated", () => {
  const english = ' lang="en" dir="ltr"';

  it("marks each text that it shows in English", async () => {
    using store = openReading();
    const { reading } = store;
    const home = [
      { show: "items", title: "Begin here.", paths: ["/topics/time"] },
      { show: "purpose" },
      { show: "text", markdown: "Our own text." },
    ];
    const slots = { header: "Supported by the town.", footer: "Below.", home: "At home." };
    const profile = { ...reading.site(), languages: ["ar"], home, look: { slots } };
    store.writer.saveSite(siteProfileSchema.parse(profile), store.types);
    store.flush();
    store.put("topic", "/topics/time", { title: "Time", summary: "It flies." });
    const html = await pageAt(reading, "/ar");
    for (const shown of [
      `<a href="/ar"><span${english}>Quotations</span></a>`,
      `<aside class="site-note"><div${english}><p>Supported by the town.</p></div></aside>`,
      `<h1 class="visually-hidden"${english}>Quotations</h1>`,
      `<p class="lead"${english}>A society that keeps quotations.</p>`,
      `<h2 id="chosen-begin-here"><span${english}>Begin here.</span></h2>`,
      `<p class="note"><span${english}>It flies.</span></p>`,
      `<p${english}>To to find a quotation.</p>`,
      `<div class="text"${english}><p>Our own text.</p></div>`,
      `<div class="text"${english}><p>At home.</p></div>`,
      `<div class="text"><div${english}><p>Below.</p></div></div>`,
    ]) {
      assert(html.includes(shown), `${shown} is not in ${html}`);
    }
    assert.doesNotMatch(await pageAt(reading, "/"), /<main[\s\S]* lang="en"/);
  });

  it("marks none that has a translation", async () => {
    using store = openReading();
    const { reading } = store;
    const ar = { name: "اقتباسات", description: "جمعية.", slots: { header: "البلدة." } };
    const look = { slots: { header: "The town." } };
    const profile = { ...reading.site(), languages: ["ar"], translations: { ar }, look };
    store.writer.saveSite(siteProfileSchema.parse(profile), store.types);
    store.flush();
    const html = await pageAt(reading, "/ar");
    assert.match(html, /<aside class="site-note"><p>البلدة\.<\/p><\/aside>/);
    assert.match(html, /<p class="lead">جمعية\.<\/p>/);
    assert.match(html, /<a href="\/ar"><span>اقتباسات<\/span><\/a>/);
  });
});

async function pageAt(reading: ReadingStore["reading"], path: string): Promise<string> {
  const answer = await findPage(reading, path, { parameter: () => undefined });
  assert(answer.kind === "page");
  return pageHtml(answer.view, { ...DOCUMENTS, reading });
}

describe("a site in German", () => {
  for (const path of PATHS) {
    it(`says nothing in English on ${path}`, async () => {
      const english = new Set(await latinTexts("en", path));
      assert.deepEqual(
        (await latinTexts("de", path)).filter((text) => english.has(text)),
        [],
      );
    });
  }
});

it("would find a text outside the catalogue", () => {
  const html = '<p aria-label="Pages">Σόλων</p><p>Not translated</p><code>llms.txt</code>';
  assert.deepEqual(latinIn(html), ["Pages", "Not translated"]);
});
