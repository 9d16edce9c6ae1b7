import assert from "node:assert/strict";
import { dirname } from "node:path";
import { describe, it } from "node:test";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";

const POST = "---\ntitle: Walk\n---\nOn.";

async function typeAt(line: CommandLine, path: string): Promise<string | undefined> {
  const { out } = await line.run("api", "GET", `/content?path=${path}`);
  return JSON.parse(out).items[0]?.type;
}

describe("the choices of an import", () => {
  it("are saved with the site by the name of the folder, and count until others are made", async () => {
    using line = await openSiteLine();
    line.file("old/_config.yml", "title: Society\n");
    const folder = dirname(line.file("old/_posts/2020-01-02-walk.md", POST));
    const old = dirname(folder);
    const first = await line.run("import", old, "--as", "post=page");
    assert.equal(first.code, 0, first.out + first.err);
    assert.equal(await typeAt(line, "/2020/01/02/walk"), "page");

    const trial = await line.run("import", old, "--dry-run");
    const second = await line.run("import", old);
    for (const { out, err } of [trial, second]) {
      assert.match(out, /^As last time, "old" is read with post=page; choose anew/m, err);
      assert.match(out, /0 created, 0 updated, 1 unchanged/);
    }
    assert.equal(await typeAt(line, "/2020/01/02/walk"), "page");
    const types = JSON.parse((await line.run("api", "GET", "/settings/types")).out).types;
    assert.deepEqual(
      types.filter(({ name }: { name: string }) => name === "news"),
      [],
    );

    line.file("old/_posts/2020-01-03-talk.md", POST.replace("Walk", "Talk"));
    const forgotten = await line.run("import", old, "--as", "-");
    assert.doesNotMatch(forgotten.out, /As last time/);
    assert.equal(await typeAt(line, "/2020/01/03/talk"), "news");
    assert.doesNotMatch((await line.run("import", old)).out, /As last time/);
  });

  it("include the program of a folder, and survive an export", async () => {
    using line = await openSiteLine();
    line.file("notes/guide.md", "---\ntitle: Guide\ntags: [one]\n---\n\nText.\n");
    const notes = dirname(line.file("notes/more.md", "---\ntitle: More\n---\n\nText.\n"));
    await line.run("import", notes, "--generator", "hugo");
    const again = await line.run("import", notes);
    assert.match(again.out, /^As last time, "notes" is read with Hugo; choose anew/m);
    assert.match(again.out, /is read as a folder of Hugo/);
    assert.equal((await line.run("export", `${line.folder}/site`)).code, 0);
    using other = await openSiteLine();
    assert.equal((await other.run("import", `${line.folder}/site`)).code, 0);
    assert.match(
      (await other.run("import", notes)).out,
      /^As last time, "notes" is read with Hugo/m,
    );
    const detected = await other.run("import", notes, "--generator", "detect");
    assert.match(detected.out, /is read as a folder of Markdown/);
    assert.doesNotMatch((await other.run("import", notes)).out, /As last time/);
  });
});
