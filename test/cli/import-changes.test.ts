import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CommandLine, openCommandLine, openSiteLine } from "../support/command-line.ts";
import { paragraph, wordOf } from "../support/word-bytes.ts";
import { wordPressExport } from "../support/wordpress-export.ts";

interface Change {
  file: string;
  line: number;
  title: string;
  path: string;
  changed: string[];
}

interface Report {
  updated: number;
  unchanged: number;
  created: number;
  failed: number;
  problems: { message: string; line: number }[];
  changes: Change[];
}

/** Tries an import, then runs it: both must report the same. */
async function imported(line: CommandLine, ...words: string[]): Promise<Report> {
  const tried = await line.run("import", "--json", "--dry-run", ...words);
  const done = await line.run("import", "--json", ...words);
  assert.equal(tried.out.replace('"dryRun":true', '"dryRun":false'), done.out);
  return JSON.parse(done.out);
}

function changesOf({ changes }: Report): [string, string][] {
  return changes.map(({ path, changed }) => [path, changed.join(", ")]);
}

function linesOf(...items: object[]): string {
  return items.map((item) => `${JSON.stringify(item)}\n`).join("");
}

const SITE =
  "name: A\nlanguage: en\ndescription: A\nwhenToUse: [A]\ncontact: { email: a@example.org }\n";
const PAGE = "---\ntitle: Trees\nsummary: Old ones\n---\n\nText.\n";

describe("what an import changes", () => {
  it("is said of each page of a folder, in the dry run as in the run", async () => {
    using line = openCommandLine();
    const site = line.file("site/trees.md", PAGE).replace("/trees.md", "");
    line.file("site/same.md", "---\ntitle: Same\n---\n\nText.\n");
    assert.deepEqual((await imported(line, site)).changes, []);
    const changed = PAGE.replace("Trees", "Big trees").replace("Old ones", "Older ones");
    line.file("site/trees.md", changed.replace("Text.", "Another text."));
    const tried = await line.run("import", "--dry-run", site);
    assert.match(
      tried.out,
      /^Would import: 0 created, 1 updated, 1 unchanged, 0 failed\nChanges in \/trees \(.*site\/trees\.md:2\): title, summary, body$/m,
    );
    const report = await imported(line, site, "--publish");
    assert.deepEqual(changesOf(report), [
      ["/same", "status, publishedAt"],
      ["/trees", "title, summary, status, publishedAt, body"],
    ]);
    const { changed: _parts, ...place } = report.changes[1] ?? { changed: [] };
    const file = `${site}/trees.md`;
    assert.deepEqual(place, { file, line: 2, title: "Big trees", path: "/trees" });
    const again = await line.run("import", site);
    assert.doesNotMatch(again.out, /Changes/);
  });

  it("names fields, relations, addresses and dates of lines, and links to what comes later", async () => {
    using line = await openSiteLine();
    const work = { type: "work", sourceKey: "w", title: "Walden", path: "/works/walden" };
    const topic = { type: "topic", sourceKey: "t", title: "Time" };
    await imported(line, line.file("a.jsonl", linesOf(work, topic)));
    const later = { type: "topic", path: "/topics/later", title: "Later" };
    const author = { type: "author", path: "/authors/thoreau", title: "Thoreau" };
    const report = await imported(
      line,
      line.file(
        "b.jsonl",
        linesOf(
          {
            ...{ ...work, path: "/works/walden-pond", year: 1854, authors: author.path },
            expireAt: "2040-01-01",
          },
          { ...topic, broader: later.path },
          later,
          author,
        ),
      ),
    );
    assert.deepEqual(changesOf(report), [
      ["/works/walden-pond", "path, expireAt, fields.year, relations.authors"],
      ["/topics/time", "relations.broader"],
    ]);
    assert.deepEqual([report.created, report.updated, report.unchanged], [2, 2, 0]);
  });

  it("counts an item once whose links to later items cannot be kept", async () => {
    using line = await openSiteLine();
    const topic = { type: "topic", path: "/topics/a", title: "A", broader: "/late" };
    const page = { type: "page", path: "/late", title: "Late" };
    const report = await imported(line, line.file("a.jsonl", linesOf(topic, page)));
    assert.deepEqual([report.created, report.failed], [2, 0]);
    assert.match(report.problems[0]?.message ?? "", /^\/late is of the type page, not topic/);
    const unknown = { ...topic, path: "/topics/b", broader: "/nowhere" };
    const twice = [unknown, { ...unknown, title: "B" }, { ...unknown, title: "C" }];
    const second = await imported(line, line.file("b.jsonl", linesOf(...twice)));
    assert.deepEqual([second.created, second.updated, second.unchanged], [1, 2, 0]);
    assert.deepEqual(
      second.changes.map(({ line: at, changed }) => [at, changed]),
      [
        [3, ["title"]],
        [2, ["title"]],
      ],
    );
  });

  it("is said of tables, exports of WordPress, Word documents and bibliographies alike", async () => {
    using line = await openSiteLine();
    const word = (text: string) => line.file("Minutes.docx", wordOf({ body: paragraph(text) }));
    const table = (year: string) =>
      line.file("books.csv", `Nr,Title,Year\n1,Walden,${year}\n2,Essays,1841\n`);
    const post = (content: string) =>
      line.file(
        "export.xml",
        wordPressExport([
          { id: 1, title: "News", content, type: "post", status: "publish", slug: "news" },
        ]),
      );
    const references = (year: number) =>
      line.file("a.bib", `@book{a, title={Nature}, author={Emerson, Ralph}, year={${year}}}`);
    const columns = ["--type", "work", "--map", "Nr=key", "--map", "Title=title"];
    await imported(line, word("First"));
    await imported(line, table("1850"), ...columns, "--map", "Year=year");
    await imported(line, post("One"), "--as", "post=page");
    await imported(line, references(1836));
    assert.deepEqual(changesOf(await imported(line, word("Second"))), [["/minutes", "body"]]);
    assert.deepEqual(changesOf(await imported(line, table("1854"))), [
      ["/works/walden", "fields.year"],
    ]);
    assert.deepEqual(changesOf(await imported(line, post("Two"), "--as", "post=page")), [
      ["/news", "body"],
    ]);
    assert.deepEqual(changesOf(await imported(line, references(1837))), [
      ["/works/nature", "fields.year"],
    ]);
  });

  it("is listed for the first 1,000 items, and counted for the rest", async () => {
    using line = await openSiteLine();
    const topics = (summary: string) =>
      line.file(
        "topics.jsonl",
        linesOf(
          ...Array.from({ length: 1002 }, (_, n) => ({
            ...{ type: "topic", path: `/topics/t${n}`, title: `Topic ${n}`, summary },
          })),
        ),
      );
    await line.run("import", topics("One"));
    const tried = await line.run("import", "--dry-run", topics("Two"));
    const lines = tried.out.split("\n").filter((each) => each.startsWith("Changes in"));
    assert.equal(lines.length, 1001);
    assert.equal(lines.at(-1), "Changes in 2 more items");
  });

  it("names the group of a type in which more than twenty fields change", async () => {
    using line = openCommandLine();
    const names = Array.from({ length: 30 }, (_, n) => `field_${n}`);
    const fields = names.map((name) => `  ${name}: { kind: text, label: ${name} }\n`).join("");
    const site = line.file("site/site.yaml", SITE).replace("/site.yaml", "");
    line.file(
      "site/types/form.yaml",
      `name: form\nlabel: Form\nplural: Forms\ndescription: Forms.\nlistPath: /forms\nfields:\n${fields}`,
    );
    const form = (value: string, many: readonly string[]) =>
      line.file(
        "site/content/forms/a.md",
        `---\ntype: form\ntitle: A\n${many.map((name) => `${name}: ${value}\n`).join("")}---\n`,
      );
    form("one", names);
    const first = await line.run("import", site);
    assert.equal(first.code, 0, first.err + first.out);
    form("two", names);
    assert.deepEqual(changesOf(await imported(line, site)), [["/forms/a", "fields"]]);
  });
});
