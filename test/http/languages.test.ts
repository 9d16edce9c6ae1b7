import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { Parser } from "htmlparser2";
import { openFixture } from "../support/open-fixture.ts";

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
