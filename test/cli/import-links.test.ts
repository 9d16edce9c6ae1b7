import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import type { Item } from "../../src/content/items/item.ts";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";

/** Tries an import, then runs it: both must report the same. */
async function imported(line: CommandLine, ...words: string[]) {
  const tried = await line.run("import", "--json", "--dry-run", ...words);
  const done = await line.run("import", "--json", ...words);
  assert.equal(done.err, "");
  assert.equal(tried.out.replace('"dryRun":true', '"dryRun":false'), done.out);
  return JSON.parse(done.out);
}

async function itemsAt(line: CommandLine, ...paths: string[]): Promise<Item[]> {
  await using record = await openRecordForCommand(readConfig(line.environment));
  const found = await Promise.all(paths.map((path) => record.content.itemAt(path)));
  return found.filter((item) => item !== null);
}

function linesOf(...items: object[]): string {
  return items.map((item) => `${JSON.stringify(item)}\n`).join("");
}

/** Problems by file, line and field. */
function problemsOf({
  problems,
}: {
  problems: { file: string; line: number; field: string; message: string }[];
}) {
  return problems.map(
    ({ file, line, field, message }) => `${file.split("/").at(-1)}:${line} ${field}: ${message}`,
  );
}

describe("translations in an import", () => {
  it("may come before what they translate, and are reported where that is unknown", async () => {
    using line = await openSiteLine();
    const german = { type: "page", path: "/de/trees", title: "Bäume", language: "de" };
    const english = { type: "page", path: "/trees", title: "Trees", language: "en" };
    const french = { ...german, path: "/fr/arbres", title: "Arbres", language: "fr" };
    const file = line.file(
      "pages.jsonl",
      linesOf(
        { ...german, translationOf: "/trees" },
        { ...french, translationOf: "/trees" },
        english,
        { type: "page", path: "/lost", title: "Lost", translationOf: "/nowhere" },
        { type: "topic", path: "/topics/a", title: "A", translationOf: "/trees" },
      ),
    );
    const report = await imported(line, file);
    assert.deepEqual(problemsOf(report), [
      "pages.jsonl:5 translationOf: /trees is of the type page, not topic",
      'pages.jsonl:4 translationOf: there is no item "/nowhere"; the link is left out',
    ]);
    assert.deepEqual([report.created, report.failed], [4, 1]);
    const [original, ...others] = await itemsAt(line, "/trees", "/de/trees", "/fr/arbres", "/lost");
    const id = original?.id ?? "";
    assert.deepEqual(
      others.map(({ translationOf }) => translationOf),
      [id, id, null],
    );
    const again = await imported(line, file);
    assert.deepEqual([again.created, again.updated, again.unchanged], [0, 0, 4]);
  });
});

describe("a translation of a translation in a folder", () => {
  it("becomes one of the original, whatever comes first", async () => {
    using line = await openSiteLine();
    const pages = { "a-fr": ["fr", "/b-de"], "b-de": ["de", "/c-en"], "c-en": ["en", null] };
    for (const [name, [language, original]] of Object.entries(pages)) {
      const stated = original === null ? "" : `translationOf: ${original}\n`;
      const front = `type: page\npath: /${name}\ntitle: ${name}\nlanguage: ${language}\n${stated}`;
      line.file(`texts/${name}.md`, `---\n${front}---\n\nText.\n`);
    }
    const report = await imported(line, join(line.folder, "texts"));
    assert.deepEqual(problemsOf(report), []);
    const [french, german, english] = await itemsAt(line, "/a-fr", "/b-de", "/c-en");
    assert.deepEqual([french?.translationOf, german?.translationOf], [english?.id, english?.id]);
  });
});

describe("names in an import", () => {
  it("lead to what has that title or other name, on the site or later in the folder", async () => {
    using line = await openSiteLine();
    await imported(
      line,
      line.file(
        "site.jsonl",
        linesOf(
          {
            type: "author",
            path: "/authors/twain",
            title: "Mark Twain",
            aliases: ["S. L. Clemens"],
          },
          { type: "topic", path: "/topics/a", title: "Rivers" },
          { type: "topic", path: "/topics/b", title: "rivers" },
        ),
      ),
    );
    const folder = line
      .file(
        "folder/book.md",
        [
          "---",
          "type: work",
          "title: Life on the Mississippi",
          "authors: [s. l. clemens, Jane Later, Nobody]",
          "topics: [Rivers, Steam]",
          "part_of: Collected works",
          "---",
        ].join("\n"),
      )
      .replace("/book.md", "");
    const page = (head: string) => `---\n${head}\n---\n\nText.\n`;
    line.file("folder/c.md", page("type: work\ntitle: Collected Works"));
    line.file("folder/jane.md", page("type: author\ntitle: Jane Later"));
    line.file("folder/steam.md", page("type: topic\ntitle: Engines\naliases: [Steam]"));
    line.file("folder/arbres.md", page("title: Arbres\nlanguage: fr\ntranslationOf: Trees"));
    line.file("folder/trees.md", page("title: Trees"));
    line.file("folder/trees-de.md", page("title: Trees\nlanguage: de\ntranslationOf: trees"));
    const report = await imported(line, folder);
    assert.deepEqual(problemsOf(report), [
      'book.md:5 topics[0]: several are called "Rivers": /topics/a and /topics/b; name one by its address; the link is left out',
      'book.md:4 authors: there is no item "Nobody"; the link is left out',
    ]);
    assert.equal(report.created, 7);
    const paths = ["/authors/twain", "/authors/jane", "/topics/steam", "/works/c", "/trees"];
    const [twain, jane, steam, collected, trees] = await itemsAt(line, ...paths);
    const [book, ...translations] = await itemsAt(line, "/works/book", "/arbres", "/trees-de");
    const idsOf = (relation: string) => book?.relations[relation]?.map(({ to }) => to);
    assert.deepEqual(idsOf("authors"), [twain?.id, jane?.id]);
    assert.deepEqual(idsOf("topics"), [steam?.id]);
    assert.deepEqual(idsOf("part_of"), [collected?.id]);
    assert.deepEqual(
      translations.map(({ translationOf }) => translationOf),
      [trees?.id, trees?.id],
    );
    const again = await imported(line, folder);
    assert.deepEqual([again.created, again.updated, again.unchanged], [0, 0, 7]);
  });

  it("are found in tables and bibliographies too, where several have one nothing is guessed", async () => {
    using line = await openSiteLine();
    const authors = [
      { type: "author", path: "/authors/twain", title: "Mark Twain", aliases: ["Samuel Clemens"] },
      { type: "author", path: "/authors/smith", title: "John Smith" },
      { type: "author", path: "/authors/smith-2", title: "John Smith" },
    ];
    await imported(line, line.file("site.jsonl", linesOf(...authors)));
    line.file("folder/ann.md", "---\ntype: author\ntitle: Ann Other\n---\n\nWho she was.\n");
    const table = line.file(
      "works.csv",
      "Title,By,Translation of,Language\nOne,Samuel Clemens,,en\nTwo,John Smith;Ann Other,,en\nEins,,One,de\n",
    );
    const references = line.file(
      "b.bib",
      "@book{x, title={Three}, author={Smith, John and Clemens, Samuel}, year={1900}}",
    );
    const columns = ["By=authors", "Translation of=translationOf"].flatMap((pair) => [
      "--map",
      pair,
    ]);
    const folder = `${line.folder}/folder`;
    const report = await imported(line, folder, table, references, "--type", "work", ...columns);
    const several = 'several are called "John Smith": /authors/smith and /authors/smith-2';
    assert.deepEqual(problemsOf(report), [
      `works.csv:3 By: ${several}; name one by its address; the link is left out`,
      `b.bib:1 author: "x": ${several}; name one by its address; the link is left out`,
    ]);
    assert.deepEqual([report.created, report.updated], [5, 0]);
    const [twain, ann, one, two, eins, three] = await itemsAt(
      line,
      ...["/authors/twain", "/authors/ann", "/works/one", "/works/two", "/works/eins"],
      "/works/three",
    );
    const authorsOf = (item: Item | undefined) => item?.relations["authors"]?.map(({ to }) => to);
    assert.deepEqual([one, two, three].map(authorsOf), [[twain?.id], [ann?.id], [twain?.id]]);
    assert.equal(eins?.translationOf, one?.id);
    assert.match(ann?.body ?? "", /Who she was/);
  });
});
