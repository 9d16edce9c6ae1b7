import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";
import { redirectsOf } from "../support/redirects-of.ts";
import { openWordPress, rendered, society } from "../support/wordpress-rest.ts";

function importFlags(line: CommandLine): string[] {
  return ["--publish", "--media", join(line.folder, "uploads"), "--fetch"];
}

function openLine(): CommandLine {
  return openCommandLine({ WEBHOOK_PRIVATE_NETWORKS: "true" });
}

async function fetched(line: CommandLine, address: string) {
  const folder = join(line.folder, "copy");
  const result = await line.run("fetch", address, folder, "--wordpress", "--pause", "0");
  return { ...result, folder, file: join(folder, "wordpress.xml") };
}

describe("copying a WordPress site by its interface", () => {
  for (const plain of [false, true]) {
    it(`brings texts, dates, topics, authors, pictures and addresses${plain ? ", with plain permalinks" : ""}`, async () => {
      await using site = await openWordPress(society, { plain });
      using line = openLine();
      const { code, out, err, file } = await fetched(line, site.origin);
      assert.equal(code, 0, out + err);
      assert.match(out, /^3 × post, 1 × page, 2 files, 3 categories and tags, 1 authors in /m);
      const imported = await line.run("import", file, ...importFlags(line));
      assert.match(imported.out, /7 created, 1 updated, 0 unchanged, 0 failed/, imported.err);
      await using record = await openRecordForCommand(readConfig(line.environment));
      const rose = await record.content.itemAt("/news/first-rose");
      assert.equal(rose?.title, "The first rose – a note");
      assert.equal(rose?.fields["date"], "2019-05-04");
      assert.equal(rose?.summary, "");
      assert.match(
        rose?.body ?? "",
        /^It opened, as one says \\?\[sic\\?\],\\\non a \*Monday\*\.\n\nSee \[us\]\(\/about\)\.\n\n!\[A rose\]\(\/media\//,
      );
      const second = await record.content.itemAt("/news/second");
      assert.equal(second?.summary, "Told by hand.");
      assert.equal(second?.body.trim().replace(/\s+/g, " "), "Hard wrapped.");
      assert.equal((await record.content.itemAt("/news/locked"))?.status, "draft");
      assert.equal((await record.content.itemAt("/topics/garden"))?.title, "Garden & land");
      assert.equal((await record.content.itemAt("/authors/ada-byron"))?.title, "Ada Byron");
      assert.match(
        (await record.content.itemAt("/about"))?.body ?? "",
        /\[here\]\(\/news\/first-rose\)/,
      );
      const redirects = await redirectsOf(line);
      assert.equal(redirects["/2019/05/first-rose"], "/news/first-rose");
      assert.match(redirects["/uploads/rose.png"] ?? "", /^\/media\//);
      const again = await line.run("import", file, ...importFlags(line));
      assert.match(again.out, /0 created, 0 updated, 8 unchanged, 0 failed/, again.err);
    });
  }

  it("reads lists of any length once, and asks for nothing twice", async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...{ id: at + 1, slug: `post-${at}`, title: rendered(`Post ${at}`) },
        content: rendered("<p>Text.</p>"),
      }));
    await using site = await openWordPress((origin) => ({
      ...society(origin),
      "wp/v2/posts": many(120),
      "wp/v2/pages": many(50),
      "wp/v2/media": [],
    }));
    using line = openLine();
    const { code, out } = await fetched(line, site.origin);
    assert.equal(code, 0, out);
    assert.match(out, /^120 × post, 50 × page/m);
    assert.equal(new Set(site.asked).size, site.asked.length);
    assert.equal(site.asked.filter((path) => path.includes("/posts?")).length, 3);
  });

  it("says what it did not get, and keeps the rest", async () => {
    await using site = await openWordPress((origin) => ({
      ...society(origin),
      "wp/v2/users": 401,
      "wp/v2/media": [{ id: "none" }],
    }));
    using line = openLine();
    const { code, out, file } = await fetched(line, site.origin);
    assert.equal(code, 1);
    assert.match(out, /^Not copied: \S+\/users\S*\. The host answers 401$/m);
    assert.match(out, /^Not copied: \S+\/media\S*\. The answer is not as WordPress writes it$/m);
    assert.match(out, /^3 × post, 1 × page, 0 files, 3 categories and tags, 0 authors in /m);
    assert.match(readFileSync(file, "utf8"), /<wp:post_name>first-rose<\/wp:post_name>/);
  });

  it("refuses a site without the interface, one that forbids it, and a folder with pages; leaves nothing", async () => {
    await using plainSite = await openWordPress(society, { head: "<title>Site</title>" });
    await using forbidding = await openWordPress(society, {
      robots: "User-agent: *\nDisallow: /wp-json/\n",
    });
    await using elsewhere = await openWordPress(society, {
      head: '<link rel="https://api.w.org/" href="http://10.0.0.7/wp-json/">',
    });
    using line = openLine();
    for (const [{ origin }, message] of [
      [plainSite, /does not name the REST interface of WordPress/],
      [forbidding, /robots\.txt forbids/],
      [elsewhere, /does not name the REST interface/],
    ] as const) {
      const { code, err, file, folder } = await fetched(line, origin);
      assert.equal(code, 2);
      assert.match(err, message);
      assert.ok(!existsSync(file) && !existsSync(join(folder, ".fetched.part")));
    }
    mkdirSync(join(line.folder, "copy"), { recursive: true });
    writeFileSync(join(line.folder, "copy/.fetched.jsonl"), "");
    assert.match((await fetched(line, plainSite.origin)).err, /name another folder/);
  });

  it("is suggested by a copy of the pages", async () => {
    await using site = await openWordPress(society);
    using line = openLine();
    const { out } = await line.run("fetch", site.origin, join(line.folder, "x"), "--pause", "0");
    assert.match(out, /^This is a WordPress site: with --wordpress/m);
  });
});
