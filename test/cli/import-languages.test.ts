import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importedFolder } from "../support/imported-folder.ts";

const PERSIAN =
  "این انجمن کتاب‌های قدیمی را گرد می‌آورد و چاپ می‌کند تا همه بتوانند آن‌ها را رایگان بخوانند. هر کسی می‌تواند عضو شود و یک کتاب پیشنهاد دهد.\n";
const GERMAN =
  "Der Verein sammelt alte Bücher und gibt sie neu heraus, damit alle sie lesen können. Wer mitmachen will, schreibt uns, und wir melden uns bei ihm. Die Treffen sind immer am ersten Tag des Monats in der Bücherei, und es gibt dort auch etwas zu essen. Wir freuen uns über alle, die mit uns lesen, und über jedes Buch, das wir noch nicht haben.\n";

describe("the languages of an imported folder", () => {
  it("are found in folders within a collection, and translations lead to their originals", async () => {
    const { code, err, items } = await importedFolder(
      {
        "_config.yml": "collections:\n  articles:\n    output: true\n    permalink: /:path/\n",
        "_articles/start.md": "---\ntitle: Start\n---\nHello.",
        "_articles/help.md": "---\ntitle: Help\n---\nHelp.",
        "_articles/ar/start.md": "---\ntitle: البداية\nlang: ar\n---\nمرحبا.",
        "_articles/ar/help.md": "---\ntitle: مساعدة\n---\nمساعدة.",
        "_articles/it/networks.md": "---\ntitle: Networks\n---\nOf computers.",
      },
      "/start",
      "/ar/start",
      "/ar/help",
      "/it/networks",
    );
    assert.equal(code, 0, err);
    const original = items.get("/start")?.id;
    assert.ok(original);
    assert.equal(items.get("/ar/start")?.translationOf, original);
    assert.equal(items.get("/ar/help")?.language, "ar");
    assert.equal(items.get("/it/networks")?.language, "en");
  });

  it("are those that the settings state", async () => {
    const jekyll = await importedFolder(
      { "_config.yml": "title: Alt\nlang: de_AT\n", "about.md": "---\ntitle: Verein\n---\nJa." },
      "/about",
    );
    assert.equal(jekyll.items.get("/about")?.language, "de-AT");
    const mkdocs = await importedFolder(
      { "mkdocs.yml": "site_name: A\ntheme:\n  language: he\n", "docs/about.md": "# עלינו" },
      "/about",
    );
    assert.equal(mkdocs.items.get("/about")?.language, "he");
  });

  it("are those of the texts where nothing states one and the texts are clear", async () => {
    const persian = await importedFolder(
      { ".obsidian/app.json": "{}", "about.md": `# درباره\n\n${PERSIAN}`, "join.md": PERSIAN },
      "/about",
    );
    assert.equal(persian.items.get("/about")?.language, "fa");
    const german = await importedFolder(
      {
        "_config.yml": "title: Alt\n",
        "_includes/box.html": "The box of the site, which is not for its readers.",
        "about.md": `---\ntitle: Verein\n---\n${GERMAN}`,
        "join.md": `---\ntitle: Mitmachen\n---\n${GERMAN}`,
        "short.md": "---\ntitle: OK\nlang: en\n---\nWell.",
      },
      "/about",
      "/short",
    );
    assert.equal(german.items.get("/about")?.language, "de");
    assert.equal(german.items.get("/short")?.language, "en");
    const unclear = await importedFolder(
      { "_config.yml": "title: Alt\n", "about.md": "---\ntitle: Verein\n---\nDer Verein." },
      "/about",
    );
    assert.equal(unclear.items.get("/about")?.language, "en");
  });
});
