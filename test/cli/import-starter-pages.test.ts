import assert from "node:assert/strict";
import { dirname } from "node:path";
import { describe, it } from "node:test";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";
import { publicAnswers } from "../support/public-answers.ts";
import { wordPressExport } from "../support/wordpress-export.ts";

function folderOf(line: CommandLine, files: Record<string, string>): string {
  line.file("old/_config.yml", "title: Society\n");
  const [first = ""] = Object.entries(files).map(([name, text]) => line.file(`old/${name}`, text));
  return dirname(first);
}

async function statusAt(line: CommandLine, path: string): Promise<string> {
  const { out } = await line.run("api", "GET", `/content?path=${path}`);
  return JSON.parse(out).items[0]?.status;
}

describe("a page at the address of a page of the new site", () => {
  it("takes its place as a draft, if it is not public", async () => {
    using line = await openSiteLine();
    const folder = folderOf(line, {
      "about.md": "---\ntitle: Secret\ndraft: true\n---\nNot yet.",
      "index.md": "---\ntitle: Hidden\npublished: false\n---\nNot yet.",
    });
    const trial = await line.run("import", folder, "--dry-run");
    const { code, out, err } = await line.run("import", folder, "--publish");
    for (const said of [trial.out, out]) {
      assert.match(said, /^(?:Would import: )?0 created, 2 updated, 0 unchanged, 0 failed$/m, err);
      assert.match(said, /^Drafts among the new ones: 2/m);
      assert.match(said, /^Drafts in place of pages of the new site, .*: \/about, \/;/m);
      assert.doesNotMatch(said, /Public now/);
    }
    assert.equal(code, 0, err);
    assert.deepEqual(
      [await statusAt(line, "/about"), await statusAt(line, "/")],
      ["draft", "draft"],
    );
    const answers = await publicAnswers(line, ["/about", "/"]);
    assert.equal(answers.get("/about")?.slice(0, 3), "404");
    assert.equal(answers.get("/")?.slice(0, 3), "200");
    for (const answer of answers.values()) assert.doesNotMatch(answer, /Not yet/);
    assert.match((await line.run("import", folder)).out, /^0 created, 0 updated, 2 unchanged/m);
  });

  it("takes its place as a draft from WordPress too, unless editors have written it", async () => {
    using line = await openSiteLine();
    const about = { id: 1, type: "page", title: "About", link: "/about/", slug: "about" };
    const file = line.file("export.xml", wordPressExport([{ ...about, status: "private" }]));
    const { code, out, err } = await line.run("import", file);
    assert.equal(code, 0, out + err);
    assert.equal(await statusAt(line, "/about"), "draft");

    using other = await openSiteLine();
    const written = other.file("written/about.md", "---\ntitle: We\nstatus: published\n---\nOurs.");
    assert.equal((await other.run("import", dirname(written))).code, 0);
    const refused = await other.run("import", file);
    assert.match(refused.err, /path: a page is published at "\/about"/);
    assert.equal(await statusAt(other, "/about"), "published");
  });

  it("is public at once, if nothing says otherwise, and the report says so", async () => {
    using line = await openSiteLine();
    const folder = folderOf(line, {
      "about.md": "---\ntitle: We\n---\nOurs.",
      "more.md": "---\ntitle: More\n---\nOurs.",
    });
    for (const words of [["--dry-run"], []]) {
      const { out } = await line.run("import", folder, ...words);
      assert.match(out, /^Public now: \/about$/m);
      assert.match(out, /^Drafts among the new ones: 1/m);
    }
    const published = await line.run("import", folder, "--publish");
    assert.match(published.out, /^Public now: \/more$/m);
    assert.doesNotMatch((await line.run("import", folder)).out, /Public now/);
  });
});
