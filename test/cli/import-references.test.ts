import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import type { Item } from "../../src/content/items/item.ts";
import { BIBTEX_FILES, BIBTEX_OF_DATABASES } from "../support/bibliography-files.ts";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";
import { CSL_FILES, RIS_FILES, RIS_OF_DATABASES } from "../support/reference-files.ts";
import { paragraph, wordOf } from "../support/word-bytes.ts";
import { zipOf } from "../support/workbook-bytes.ts";

interface Report {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  skipped: { file: string; reason: string }[];
  problems: { line: number; field: string; message: string; severity: string }[];
  keysLeftOut: Record<string, number>;
  notes: string[];
}

async function imported(
  line: CommandLine,
  ...words: string[]
): Promise<Report & { code: number | null }> {
  const { code, out, err } = await line.run("import", "--json", ...words);
  assert.notEqual(out, "", err);
  const report: Report = JSON.parse(out);
  return { ...report, code };
}

async function itemsOf(line: CommandLine, type: string): Promise<Item[]> {
  await using store = await openRecordForCommand(readConfig(line.environment));
  const { items } = await store.desk.list({
    ...{ types: [type], statuses: ["draft", "published"], sort: "created" },
    ...{ descending: false, limit: 500 },
  });
  const found = await Promise.all(items.map(({ id }) => store.content.item(id)));
  return found.filter((item) => item !== null);
}

/** Reads each file into a site of its own, and once more. */
function readsAll(files: typeof BIBTEX_FILES): void {
  for (const { file, bytes, works, authors, faults } of files) {
    it(`account for every entry: ${file}`, async () => {
      using line = await openSiteLine();
      const path = line.file(file, bytes);
      const dry = await imported(line, "--dry-run", path);
      const run = await imported(line, path);
      assert.deepEqual({ ...run, dryRun: true }, { ...dry, dryRun: true });
      const wrong = run.problems.filter(({ severity }) => severity === "error");
      assert.deepEqual(
        wrong.map((problem) => problem.line).sort((one, other) => one - other),
        faults,
        JSON.stringify(wrong),
      );
      assert.equal(run.code, faults.length === 0 ? 0 : 1);
      assert.deepEqual(
        (await itemsOf(line, "work")).map(({ title }) => title),
        works,
      );
      const names = (await itemsOf(line, "author")).map(({ title }) => title);
      assert.deepEqual(names, authors);
      const again = await imported(line, path);
      assert.deepEqual([again.created, again.updated, again.unchanged], [0, 0, works.length]);
    });
  }
}

describe("BibTeX and BibLaTeX", () => {
  readsAll(BIBTEX_FILES);

  it("become works with their details, authors and the book they are in", async () => {
    using line = await openSiteLine();
    for (const { file, bytes } of BIBTEX_FILES) await line.run("import", line.file(file, bytes));
    const works = new Map((await itemsOf(line, "work")).map((item) => [item.title, item]));
    const authors = new Map((await itemsOf(line, "author")).map((item) => [item.title, item]));
    const letters = works.get("Letters from a Stoic");
    assert.deepEqual(letters?.fields, {
      ...{ kind: "book", year: 1969, publisher: "Penguin", isbn: "978-0-14-044210-6" },
    });
    assert.match(letters?.body ?? "", /\*Letters from a Stoic\* \(R\. Campbell, Trans\.\)\./);
    const article = works.get("Spiritual exercises — “now”");
    assert.equal(article?.fields["source_url"], "https://doi.org/10.1000/182");
    assert.match(article?.body ?? "", /\*Journal of Ancient Philosophy\*, \*12\*\(3\), 45–67\./);
    assert.equal(works.get("The Whole")?.fields["year"], -43);
    assert.equal(works.get("On Time")?.relations["part_of"]?.[0]?.to, works.get("The Whole")?.id);
    assert.equal(works.get("Über die Vernunft")?.fields["publisher"], "C. H. Beck Verlag");
    assert.equal(works.get("Faust. Eine Tragödie")?.body, "Ein Gelehrter schließt einen Pakt.");
    assert.equal(authors.get("Jan van der Berg")?.fields["sort_name"], "van der Berg, Jan");
    assert.equal(authors.get("World Health Organization")?.fields["sort_name"], undefined);
  });
});

describe("BibTeX of databases", () => {
  it("is read as Scopus, ADS, Web of Science, MathSciNet and BibDesk write it", async () => {
    using line = await openSiteLine();
    const run = await imported(line, line.file("databases.bib", BIBTEX_OF_DATABASES));
    assert.deepEqual(
      run.problems.map((problem) => [problem.line, problem.message]),
      [
        [28, 'the entry "Open:2020" has a value without an end, which begins in line 29'],
        [20, '"WOS:0003": "in press" is not a year; it is left out'],
      ],
    );
    const works = await itemsOf(line, "work");
    assert.deepEqual(
      works.map(({ title, fields }) => [title, fields["year"]]),
      [
        ["The best of all & more", 2020],
        ["Observation of Waves", 2016],
        ["A Title of the Paper Continued Here", undefined],
        ["Über Sätze", 1931],
        ["War diaries", 1914],
      ],
    );
    assert.deepEqual(
      (await itemsOf(line, "author")).map(({ title }) => title),
      ["J. Doe", "B. P. Abbott", "LIGO Collaboration", "John A. Smith", "Kurt Gödel"],
    );
    assert.match(works[3]?.body ?? "", /\*Monatsh\. Math\.\*, \*38\*, 173–198\./);
  });
});

describe("RIS", () => {
  readsAll(RIS_FILES);

  it("is read as JSTOR, EndNote and Scopus write it", async () => {
    using line = await openSiteLine();
    for (const title of ["health", "old age"]) {
      const topic = { type: "topic", path: `/topics/${title.replace(" ", "-")}`, title };
      await line.run("import", line.file(`${title}.jsonl`, JSON.stringify(topic)));
    }
    const run = await imported(line, line.file("databases.ris", RIS_OF_DATABASES));
    assert.deepEqual([run.code, run.created], [0, 3 + 3]);
    assert.deepEqual(run.keysLeftOut, { A2: 1, issn: 2, "keywords without a topic": 1 });
    const [article, book, news] = await itemsOf(line, "work");
    assert.match(article?.body ?? "", /\(1914\)\. On Time\. \*The Journal\*, 45–67\./);
    assert.equal(article?.relations["topics"]?.length, 2);
    assert.equal(book?.fields["isbn"], "9780140442106");
    assert.equal(book?.fields["year"], 1850);
    assert.match(book?.body ?? "", /E\. Editor/);
    assert.equal(news?.fields["year"], 2019);
  });
});

describe("CSL-JSON", () => {
  readsAll(CSL_FILES);

  it("says which year cannot be read, and keeps the entry", async () => {
    using line = await openSiteLine();
    const entries = [
      { type: "book", title: "Tom &amp; <mml:mi>x</mml:mi>", author: null, id: 1 },
      { type: "book", title: "Soon", issued: { "date-parts": [["soon"]] }, id: 2 },
      { type: "book", title: "Undated", issued: { "date-parts": [[""]] }, id: 3 },
      { type: "book", title: "War", issued: { "date-parts": [["1914"], ["1918"]] }, id: 4 },
      { type: "book", title: "By name", author: "Jane Doe", id: 5 },
    ];
    const text = entries.map((entry) => JSON.stringify(entry)).join(",\n");
    const run = await imported(line, line.file("years.json", `[${text}]`));
    assert.deepEqual(
      run.problems.map((problem) => [problem.line, problem.message]),
      [
        [2, '"2": "soon" is not a year; it is left out'],
        [5, '"author" is missing or has another form'],
      ],
    );
    const works = await itemsOf(line, "work");
    assert.deepEqual(
      works.map(({ title, fields }) => [title, fields["year"]]),
      [
        ["Tom & x", undefined],
        ["Soon", undefined],
        ["Undated", undefined],
        ["War", 1914],
      ],
    );
  });
});

describe("bibliographies in an import", () => {
  it("find authors and works that are on the site, and leave them as they are", async () => {
    using line = await openSiteLine();
    const seneca = {
      type: "author",
      path: "/authors/seneca-the-younger",
      title: "Seneca",
      body: "A life.",
    };
    const letters = {
      type: "work",
      path: "/works/letters",
      title: "Letters from a Stoic",
      authors: [seneca.path],
    };
    const tolkien = {
      type: "author",
      path: "/authors/j-r-r-tolkien",
      title: "J. R. R. Tolkien",
      body: "Oxford.",
    };
    const lines = [seneca, letters, tolkien].map((item) => JSON.stringify(item)).join("\n");
    await line.run("import", "--publish", line.file("site.jsonl", lines));
    const [zotero] = BIBTEX_FILES;
    const hand = BIBTEX_FILES.find(({ file }) => file === "by hand.bib");
    const report = await imported(line, line.file("zotero.bib", zotero?.bytes ?? ""));
    assert.deepEqual(
      report.skipped.map(({ reason }) => reason),
      ["is on the site already: /works/letters"],
    );
    await imported(line, line.file("hand.bib", hand?.bytes ?? ""));
    const authors = await itemsOf(line, "author");
    assert.deepEqual(
      authors.map(({ title }) => title),
      [
        "Seneca",
        "J. R. R. Tolkien",
        "Pierre Hadot",
        "Arnold I. Davidson",
        "Donald E. Knuth",
        "C. S. Lewis",
      ],
    );
    assert.equal(authors[0]?.body, "A life.");
    assert.equal(authors[1]?.body, "Oxford.");
    const moved = await imported(line, line.file("copy.bib", zotero?.bytes ?? ""));
    assert.deepEqual([moved.created, moved.skipped.length], [0, 2]);
  });

  it("create the authors of accepted entries, and none that only refused or skipped ones name", async () => {
    using line = await openSiteLine();
    const letters = {
      type: "work",
      path: "/works/letters",
      title: "Letters",
      isbn: "9780140442106",
    };
    await line.run("import", line.file("site.jsonl", JSON.stringify(letters)));
    const bibtex = [
      "@book{one, author = {Seneca}, title = {On Time}}",
      "@book{one, author = {Plato}, title = {The key again}}",
      "@book{two, author = {Hesiod}, title = {With a \u0007 bell}}",
      "@book{three, author = {Homer}}",
      "@book{four, author = {Ovid}, title = {Letters}, isbn = {9780140442106}}",
    ].join("\n");
    const ris = [
      "TY  - BOOK\nID  - one\nAU  - Sappho\nTI  - Odes\nER  - ",
      "TY  - BOOK\nID  - one\nAU  - Alcaeus\nTI  - The key again\nER  - ",
    ].join("\n");
    const csl = [
      { id: "one", type: "book", title: "Lives", author: [{ literal: "Plutarch" }] },
      { id: "one", type: "book", title: "The key again", author: [{ literal: "Livy" }] },
    ];
    const files = [
      line.file("one.bib", bibtex),
      line.file("two.ris", ris),
      line.file("three.json", JSON.stringify(csl)),
    ];
    const dry = await imported(line, "--dry-run", ...files);
    assert.deepEqual([dry.created, dry.failed, dry.skipped.length], [6, 5, 1]);
    assert.match(dry.notes[0] ?? "", /new authors: 1$/);
    const run = await imported(line, ...files);
    assert.deepEqual([run.created, run.failed, run.skipped.length], [6, 5, 1]);
    assert.deepEqual(
      (await itemsOf(line, "author")).map(({ title }) => title),
      ["Seneca", "Sappho", "Plutarch"],
    );
  });

  it("take back what the site says of its works", async () => {
    using line = await openSiteLine();
    const text = (path: string) =>
      `@book{faust, author = {Goethe, Johann Wolfgang}, title = {Faust}, date = {1808}, url = {http://127.0.0.1:8080${path}}}`;
    const first = await imported(line, line.file("faust.bib", text("/works/faust-one")));
    assert.equal(first.created, 2);
    const [work] = await itemsOf(line, "work");
    assert.equal(work?.path, "/works/faust-one");
    assert.equal(work?.fields["source_url"], undefined);
    const other = await imported(line, line.file("cited.bib", text("/works/faust-one")));
    assert.deepEqual(
      [other.created, other.skipped.map(({ reason }) => reason)],
      [0, ["is on the site already: /works/faust-one"]],
    );
    const odd = text("/works/%E0%A4%A").replace("title = {Faust}", "title = {Urfaust}");
    assert.equal((await imported(line, line.file("odd.bib", odd))).failed, 0);
  });

  it("say what has no place here, and link topics that there are", async () => {
    using line = await openSiteLine();
    const topic = { type: "topic", path: "/topics/stoicism", title: "Stoicism" };
    await line.run("import", line.file("topics.jsonl", JSON.stringify(topic)));
    const [zotero] = BIBTEX_FILES;
    const report = await imported(line, line.file("zotero.bib", zotero?.bytes ?? ""));
    assert.deepEqual(report.keysLeftOut, { place: 1, series: 1, "keywords without a topic": 1 });
    const [work] = await itemsOf(line, "work");
    assert.equal(work?.relations["topics"]?.length, 1);
    assert.match(report.notes.join(), /BibTeX, 2 entries as work; new authors: 3/);
  });

  it("publish the authors with their works, also those of an earlier import", async () => {
    using line = await openSiteLine();
    const [zotero] = BIBTEX_FILES;
    const path = line.file("zotero.bib", zotero?.bytes ?? "");
    await imported(line, path);
    await imported(line, "--publish", path);
    const all = [...(await itemsOf(line, "work")), ...(await itemsOf(line, "author"))];
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set(["published"]));
  });

  it("stay within bounds whatever the file holds", async () => {
    using line = await openSiteLine();
    const deep = `@book{a, title = ${"{".repeat(100_000)}x${"}".repeat(100_000)}}`;
    const open = "@comment{ ".repeat(100_000);
    const list = `[{"type": "book", "author": ${"[".repeat(100_000)}`;
    const files = [
      line.file("deep.bib", `${deep}\n@book{b, title = {B}}`),
      line.file("open.bib", `${open}\n@book{c, title = {C}}`),
      line.file("spaces.bib", `@book{${" ".repeat(200_000)}\n@book{d, title = {D}}`),
      line.file("deep.json", list),
      line.file("names.bib", `@book{e, title = {E}, author = {${"a and ".repeat(50_000)}b}}`),
      line.file(
        "accents.bib",
        `@book{f, title = {${"\\'".repeat(100_000)}}}\n@book{f, title = {F}}`,
      ),
      line.file(
        "abbreviations.bib",
        `@string{x = "${"x".repeat(9999)}"}\n@book{g, title = {G}, note = {}, abstract = ${"x#".repeat(60_000)}x}`,
      ),
    ];
    const run = await imported(line, ...files);
    assert.equal(run.code, 1);
    const left = run.problems.filter(({ message }) => /than 200000 characters/.test(message));
    assert.deepEqual([...new Set(left.map(({ field }) => field))], ["author", "abstract"]);
    const titles = (await itemsOf(line, "work")).map(({ title }) => title);
    assert.deepEqual(titles, ["B", "C", "D", "E", "F", "G"]);
    const settings = line.file("settings.json", '{"type": "x", "name": "y"}');
    assert.match((await line.run("import", settings)).err, /give a folder/);
  });

  it("inherit from the first of two entries with the same key, as only that one is imported", async () => {
    using line = await openSiteLine();
    const book = (fields: string) => `@book{a1, ${fields}}`;
    const file = line.file(
      "lib.bib",
      `${book("title={First}, publisher={X}, year=1999")}
@misc{untitled, year=2003}
@inbook{a4, title={Chapter}, crossref={A1}}
${book("title={Second}, publisher={Y}, year=2001")}`,
    );
    const { notes, failed } = await imported(line, file);
    assert.equal(failed, 2);
    assert.match(notes.join("\n"), /4 entries as work, 2 of them refused/);
    const works = await itemsOf(line, "work");
    const chapter = works.find(({ title }) => title === "Chapter");
    assert.match(JSON.stringify(chapter?.fields), /1999/);
    assert.doesNotMatch(JSON.stringify(chapter), /2001|Second/);
  });

  it("are read in time that grows with their length", async () => {
    using line = await openSiteLine();
    const book = { type: "book", author: [] };
    const dots = { ...book, title: "H", DOI: `10.1234/${".".repeat(200_000)}x` };
    const spaces = { ...book, title: "I", keyword: " ".repeat(200_000) };
    const children = Array.from(
      { length: 400 },
      (_, at) => `@book{c${at}, title={J}, crossref={p}}`,
    );
    const files = [
      line.file("quotes.json", `[{"type":"book","author":[],"x":${'\\"'.repeat(200_000)}`),
      line.file("runs.json", JSON.stringify([dots, spaces])),
      line.file(
        "crossref.bib",
        `@book{p, title={${"\\x-".repeat(120_000)}}}\n${children.join("\n")}`,
      ),
    ];
    const begun = performance.now();
    const run = await imported(line, "--dry-run", ...files);
    const tooLong = run.problems.filter(({ message }) => /longer than 1000/.test(message));
    assert.deepEqual([tooLong.length, tooLong[0]?.field], [400, "booktitle"]);
    assert.ok(performance.now() - begun < 10_000, "took longer than 10 seconds");
  });

  it("are taken from folders and ZIPs, with Word documents; what is broken costs only itself", async () => {
    using line = await openSiteLine();
    const files: [string, string | Buffer][] = [
      ["page.md", "# Page\n\nRead the [statutes](old/statutes%20of%201990.docx).\n"],
      ["old/statutes of 1990.docx", wordOf({ body: paragraph("To be downloaded") })],
      ["a/papers.bib", "@book{a, title={Nature}}\n@book{a, title={\n"],
      ["b/papers.bib", "@book{a, title={Essays}}"],
      ["list.ris", "TY  - BOOK\nID  - r\nTI  - Walden\nER  - \n"],
      ["csl.json", '[{"id":"c","type":"book","title":"Emma","author":[{"family":"Austen"}]}]'],
      ["package.json", '{"name":"x","type":"module"}'],
      ["old/Minutes 1.docx", wordOf({ body: paragraph("Who was there") })],
      ["old/cut.docx", "no document"],
      ["page.docx", wordOf({ body: paragraph("Another page") })],
    ];
    for (const [name, bytes] of files) line.file(`folder/${name}`, bytes);
    const zip = zipOf(files.map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes) })));
    const folder = `${line.folder}/folder`;
    for (const source of [line.file("folder.zip", zip), folder]) {
      const tried = await line.run("import", "--dry-run", "--json", source);
      const { code, out } = await line.run("import", "--json", source);
      assert.equal(tried.out.replace('"dryRun":true', '"dryRun":false'), out);
      assert.equal(code, 1);
      const report = JSON.parse(out);
      const isFirst = source !== folder;
      const { created, updated, unchanged, failed, leftOut } = report;
      assert.deepEqual(
        [created, updated, unchanged, failed, leftOut],
        isFirst ? [7, 0, 0, 1, { ".json": 1 }] : [0, 0, 6, 1, { ".json": 1 }],
      );
      assert.deepEqual(
        report.problems
          .map(({ file, line: at }: { file: string; line: number }) => `${file}:${at}`)
          .sort(),
        ["a/papers.bib:2", "old/cut.docx:1", "page.docx:1"].map((place) => `${source}/${place}`),
      );
    }
    const titles = (await itemsOf(line, "work")).map(({ title }) => title).sort();
    assert.deepEqual(titles, ["Emma", "Essays", "Nature", "Walden"]);
    const pages = (await itemsOf(line, "page")).map(({ path }) => path);
    assert.ok(pages.includes("/old/minutes-1"), pages.join(" "));
    assert.ok(!pages.includes("/old/statutes-of-1990"), pages.join(" "));
    const page = (await itemsOf(line, "page")).find(({ path }) => path === "/page");
    assert.match(page?.body ?? "", /\[statutes\]\(\/media\/[^)]+\)/);
  });
});
