import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importedFolder } from "../support/imported-folder.ts";
import { PDF, png } from "../support/media-bytes.ts";

describe("an import of notes of Obsidian", () => {
  it("reports links and embedded files that are not in the folder, and comments", async () => {
    const { code, err, items } = await importedFolder(
      {
        ".obsidian/app.json": "{}",
        "walden.md": [
          "---\ntitle: Walden\n---\nText %%one%% and %%two\nlines%% more.",
          "![[missing.png]] ![[Nowhere]]",
          "[[Gone|a plan]] and [[other]]",
          "`[[ -f x ]]` stays.",
          Array.from({ length: 30 }, (_, at) => `[[Lost ${at}]]`).join(" "),
        ].join("\n\n"),
        "other.md": "# Other",
      },
      "/walden",
    );
    assert.equal(code, 0, err);
    const { body = "" } = items.get("/walden") ?? {};
    assert.match(body, /^Text {2}and\s+more\./);
    assert.match(body, /a plan and \[other\]\(\/other\)\n\n`\[\[ -f x \]\]` stays\./);
    for (const told of [
      /walden\.md:4: body: warning: comments of Obsidian \(%%\) are left out: 2$/m,
      /walden\.md:7: body: warning: "missing\.png" is shown here but is not in the folder; it is left out$/m,
      /walden\.md:7: body: warning: "Nowhere" is shown here/,
      /walden\.md:9: body: warning: the link to "Gone" became text: no such file is in the folder$/m,
      /walden\.md:13: body: warning: from here on, 13 more links lead to files that are not in the folder$/m,
    ])
      assert.match(err, told);
    assert.equal(err.match(/ became text/g)?.length, 18, err);
  });

  it("names a canvas with texts as left out, and no other", async () => {
    const { code, out } = await importedFolder({
      ".obsidian/app.json": "{}",
      "a.md": "# A",
      "Board.canvas": '{"nodes":[{"id":"1","type":"text","text":"We garden"}],"edges":[]}',
      "Map.canvas": '{"nodes":[{"id":"1","type":"file","file":"a.md"}],"edges":[]}',
    });
    assert.equal(code, 1, out);
    assert.match(out, /^Left out: 1 files \(\.canvas\): the texts on a canvas .*Board\.canvas\)/m);
    assert.doesNotMatch(out, /Map\.canvas/);
  });

  it("finds the files of links from the note's folder, from the top, and by the end of their paths", async () => {
    const { err, items } = await importedFolder(
      {
        ".obsidian/app.json": "{}",
        "notes/statutes.md": [
          "# Statutes\n\n[[Sub Folder/Plan#Part 2]] [[plan]] [[./sub folder/Plan.md|here]]",
          "[[../top]] [[archive/old/Minutes]] [[old/Minutes|end]] [[Minutes|near]] [[Größe]]",
        ].join("\n\n"),
        "notes/Sub Folder/Plan.md": "# Plan\n\n## Part 2",
        "notes/minutes.md": "# Minutes here",
        "archive/old/minutes.md": "# Minutes of old",
        "archive/old/Größe.md": "# Size",
        "top.md": "# Top\n\n[[minutes]]",
        "long name of a folder/notes/sub folder/plan.md": "# Another plan",
      },
      "/notes/statutes",
      "/top",
    );
    assert.doesNotMatch(err, /became text/);
    const plan = "(/notes/sub-folder/Plan";
    assert.equal(
      items.get("/notes/statutes")?.body,
      `[Sub Folder/Plan]${plan}#part-2) [plan]${plan}) [here]${plan})\n\n[../top](/top) [archive/old/Minutes](/archive/old/minutes) [end](/archive/old/minutes) [near](/notes/minutes) [Größe](/archive/old/Größe)`,
    );
    assert.equal(items.get("/top")?.body, "[minutes](/notes/minutes)");
  });

  it("calls an embedded document by its file's name, or as the note says", async () => {
    const { items } = await importedFolder(
      {
        ".obsidian/app.json": "{}",
        "files/Plan 1.pdf": PDF,
        "files/a.png": png(2, 2),
        "a.md":
          "# A\n\n![[Plan 1.pdf]] ![[files/Plan 1.pdf|300]] ![[Plan 1.pdf|The plan]] ![[a.png|300]] ![[b]]",
        "b.md": "# B",
      },
      "/a",
    );
    assert.equal(
      items.get("/a")?.body.replaceAll(/\/media\/\w+/g, "FILE"),
      "[Plan 1.pdf](FILE.pdf) [Plan 1.pdf](FILE.pdf) [The plan](FILE.pdf) ![](FILE.png) [b](/b)",
    );
  });

  it("makes topics of the tags within a text, as of those in front matter", async () => {
    const { items, err } = await importedFolder(
      {
        ".obsidian/app.json": "{}",
        "garden.md":
          "---\ntags: beans peas\n---\n# Garden\n\n#roses and #Beans in 2024, see #12 and a#b.\n\n`#code` %%#hidden%% [x](#top)\n\n```css\na { color: #fff }\n```\n\n#new/ideas",
      },
      ..."/topics/roses /topics/beans /topics/peas /topics/new-ideas /topics/code".split(" "),
      ..."/topics/12 /topics/hidden /topics/fff /topics/b /topics/top".split(" "),
    );
    const names = [...items.values()].map(({ title }) => title.toLowerCase());
    assert.deepEqual(names, ["roses", "beans", "peas", "new/ideas"], err);
  });

  it("keeps aliases where the type has them, and reports them elsewhere", async () => {
    const { items, out } = await importedFolder(
      {
        ".obsidian/app.json": "{}",
        "seneca.md": "---\ntype: author\naliases: Seneca the Younger\n---\nA stoic.",
        "stoa.md": "---\ntype: topic\naliases: [Stoicism, The Porch]\n---\nA school.",
        "walk.md": "---\naliases: [Promenade]\n---\nA walk.",
        "run.md": "---\naliases: []\n---\nA run.",
      },
      "/authors/seneca",
      "/topics/stoa",
    );
    assert.deepEqual(items.get("/authors/seneca")?.fields["aliases"], ["Seneca the Younger"]);
    assert.deepEqual(items.get("/topics/stoa")?.fields["aliases"], ["Stoicism", "The Porch"]);
    assert.match(out, /^Keys without a meaning here were left out: aliases \(1\)$/m);
  });
});
