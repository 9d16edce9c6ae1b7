import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";
import { wordPressExport } from "../support/wordpress-export.ts";

/** The day of the last change of the item at each path. */
async function daysOfChange(line: CommandLine, ...paths: string[]): Promise<unknown[]> {
  await using store = await openRecordForCommand(readConfig(line.environment));
  const items = await Promise.all(paths.map((path) => store.content.itemAt(path)));
  return items.map((item) => item?.updatedAt.slice(0, "2024-02-01".length));
}

async function imported(line: CommandLine, name: string): Promise<string> {
  const { code, out, err } = await line.run("import", "--publish", join(line.folder, name));
  assert.equal(code, 0, err);
  return out;
}

const TODAY = new Date().toISOString().slice(0, "2024-02-01".length);

describe("the last change of imported content", () => {
  it("is what front matter says, unless that is no day or is still to come", async () => {
    using line = await openSiteLine();
    line.file("old/hugo.toml", 'title = "Old"\n');
    const pages = {
      day: "lastmod: 2024-02-01",
      time: "last_modified_at: 2024-03-01T23:30:00Z",
      nested: "last_update: { date: 2024-04-01, author: Ann }",
      words: "lastmod: some day",
      later: "lastmod: 2999-01-01",
      none: "weight: 1",
    };
    for (const [name, key] of Object.entries(pages)) {
      line.file(`old/content/${name}.md`, `---\ntitle: ${name}\n${key}\n---\nText\n`);
    }
    const out = await imported(line, "old");
    assert.match(out, /^6 created/m);
    assert.match(out, /^Keys without a meaning here were left out: weight \(1\), lastmod \(1\)$/m);
    const paths = Object.keys(pages).map((name) => `/${name}`);
    const expected = ["2024-02-01", "2024-03-01", "2024-04-01", TODAY, TODAY, TODAY];
    assert.deepEqual(await daysOfChange(line, ...paths), expected);
    assert.match(await imported(line, "old"), /^0 created, 0 updated, 6 unchanged/m);
    assert.deepEqual(await daysOfChange(line, ...paths), expected);
    line.file("old/content/day.md", "---\ntitle: day\nlastmod: 2024-05-01\n---\nAnother text\n");
    assert.match(await imported(line, "old"), /^0 created, 1 updated, 5 unchanged/m);
    assert.deepEqual(await daysOfChange(line, "/day"), [TODAY]);
  });

  it("may be a local time that clocks skip in the time zone of the site", async () => {
    using line = await openSiteLine();
    const zone = ["--data", '{"timeZone":"Europe/Vienna"}', "--header", "If-Match: *"];
    assert.equal((await line.run("api", "PATCH", "/settings", ...zone)).code, 0);
    line.file("old/astro.config.mjs", "");
    for (const [name, time] of [
      ["skipped", "2024-03-31T02:30:00"],
      ["midnight", "2024-03-31T24:00:00"],
      ["other", "2024-03-31T23:30:00Z"],
    ] as const) {
      const dates = `pubDate: 2024-02-01\nupdatedDate: ${time}`;
      line.file(`old/src/content/posts/${name}.md`, `---\ntitle: ${name}\n${dates}\n---\nText\n`);
    }
    assert.match(await imported(line, "old"), /^3 created, 0 updated, 0 unchanged, 0 failed/m);
    await using store = await openRecordForCommand(readConfig(line.environment));
    const updated = async (name: string) =>
      (await store.content.itemAt(`/posts/${name}`))?.fields["updated"];
    assert.equal(await updated("skipped"), "2024-03-31");
    assert.equal(await updated("midnight"), "2024-03-31");
    assert.equal(await updated("other"), "2024-04-01");
  });

  it("is what the head of an HTML page says", async () => {
    using line = await openSiteLine();
    const times =
      '<meta property="article:published_time" content="2019-01-02T03:04:05+00:00"><meta property="article:modified_time" content="2020-01-02T03:04:05+00:00">';
    line.file("old/a.html", `<title>A</title>${times}<main><h1>A</h1><p>Text</p></main>`);
    line.file(
      "old/b.html",
      '<title>B</title><meta property="article:modified_time" content="new"><main><h1>B</h1><p>Text</p></main>',
    );
    await imported(line, "old");
    assert.deepEqual(await daysOfChange(line, "/a", "/b"), ["2020-01-02", TODAY]);
    await using store = await openRecordForCommand(readConfig(line.environment));
    assert.equal((await store.content.itemAt("/a"))?.publishedAt, "2019-01-02T03:04:05.000Z");
  });

  it("is what a WordPress export says, unless the post was published after it", async () => {
    using line = await openSiteLine();
    const posts = [
      { id: 1, title: "Edited", modified: "2020-03-04 10:00:00" },
      { id: 2, title: "Waited", modified: "2019-05-01 10:00:00" },
      { id: 3, title: "Never dated", modified: "0000-00-00 00:00:00" },
    ].map((post) => ({ ...post, type: "page", slug: `page-${post.id}` }));
    line.file("old.xml", wordPressExport(posts));
    await imported(line, "old.xml");
    assert.deepEqual(await daysOfChange(line, "/page-1", "/page-2", "/page-3"), [
      "2020-03-04",
      TODAY,
      TODAY,
    ]);
  });

  it("is what a Ghost export says", async () => {
    using line = await openSiteLine();
    const page = { id: "1", slug: "page", title: "Page", html: "<p>Text</p>", type: "page" };
    const times = {
      published_at: "2019-01-02T03:04:05.000Z",
      updated_at: "2021-01-02T03:04:05.000Z",
    };
    const data = { posts: [{ ...page, ...times, status: "published", visibility: "public" }] };
    line.file("old.json", JSON.stringify({ db: [{ meta: { version: "5.80.0" }, data }] }));
    await imported(line, "old.json");
    assert.deepEqual(await daysOfChange(line, "/page"), ["2021-01-02"]);
  });

  it("is the latest version of a page of MediaWiki", async () => {
    using line = await openSiteLine();
    const versions = ["2020-05-06T07:08:09Z", "2021-05-06T07:08:09Z"].map(
      (at, number) =>
        `<revision><id>${number}</id><timestamp>${at}</timestamp><model>wikitext</model><text>Text ${number}</text></revision>`,
    );
    line.file(
      "old.xml",
      `<mediawiki version="0.11" xml:lang="en"><siteinfo><sitename>Old</sitename><base>https://old.example/wiki/Main_Page</base><namespaces><namespace key="0" case="first-letter" /></namespaces></siteinfo><page><title>Roses</title><id>1</id>${versions.join("")}</page></mediawiki>`,
    );
    await imported(line, "old.xml");
    assert.deepEqual(await daysOfChange(line, "/roses"), ["2021-05-06"]);
  });
});
