import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importedFolder } from "../support/imported-folder.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("keys that mean something else to another program", () => {
  it("cost no page: the state of a project, a key twice, a language that is none", async () => {
    const { code, out, err, items } = await importedFolder(
      {
        "hugo.toml": 'baseURL = "https://old.example/"\n',
        "content/a.md": "---\ntitle: A\nstatus: In Progress\nfields: [maths]\n---\nText",
        "content/b.md": "---\ntitle: B\ntopic: x\ntopic: y\nlang: de_AT\n---\nText",
        "content/c.md": "---\ntitle: C\nstatus: Draft\n---\nText",
        "content/d.md": "---\ntitle: D\nlanguage: plain english\nstatus: private\n---\nText",
      },
      ..."/a /b /c /d".split(" "),
    );
    assert.equal(code, 0, err);
    assert.match(out, /^4 created, 0 updated, 0 unchanged, 0 failed$/m);
    assert.match(out, /^Keys without a meaning here were left out: .*status \(1\)/m);
    assert.match(out, /fields \(1\)/);
    assert.match(out, /language \(1\)/);
    assert.match(err, /b\.md:4: warning: this key occurs twice; the last one counts/);
    const states = [...items.values()].map(({ status, language }) => `${status} ${language}`);
    assert.deepEqual(states, ["published en", "published de-AT", "draft en", "draft en"]);
  });

  it("are shortened between characters where they are too long for a summary", async () => {
    const description = `a${"🌱".repeat(200)}`;
    const { code, err, items } = await importedFolder(
      { "hugo.toml": "", "content/a.md": `---\ntitle: A\ndescription: ${description}\n---\nText` },
      "/a",
    );
    assert.equal(code, 0, err);
    assert.match(err, /a\.md:3: description: warning: is longer than 300 characters/);
    assert.deepEqual([...items.values()][0]?.summary, `a${"🌱".repeat(149)}…`);
  });

  it("say the day of a page under many names", async () => {
    const { code, err, items } = await importedFolder(
      {
        "astro.config.mjs": "",
        "src/content/a.md": "---\ntitle: A\npubDate: Jul 08 2022\n---\nText",
        "src/content/b.md":
          "---\ntitle: B\npublishedAt: 2022-07-09\ncreated: 2020-01-01\n---\nText",
        "src/content/c.md": "---\ntitle: C\ndate:\n  created: 2022-07-10\n---\nText",
        "src/content/d.md": "---\ntitle: D\npublishDate: 2999-01-01\n---\nText",
      },
      ..."/a /b /c /d".split(" "),
    );
    assert.equal(code, 0, err);
    const days = [...items.values()].map(({ publishedAt, status }) => [
      publishedAt?.slice(0, 10),
      status,
    ]);
    assert.deepEqual(days.slice(0, 3), [
      ["2022-07-08", "published"],
      ["2022-07-09", "published"],
      ["2022-07-10", "published"],
    ]);
    assert.equal(days[3]?.[1], "draft");
  });

  it("are arguments of unknown tags that name a picture, wherever the site serves it from", async () => {
    const { code, err, items } = await importedFolder(
      {
        "config.toml": 'baseURL = "https://old.example/"\n',
        "assets/images/map.png": PNG,
        "content/a.md":
          '---\ntitle: A\n---\n{{< img src="images/map.png" alt="Map" width="9" >}}\n\n{{< iframe src="https://maps.example/x" >}}',
      },
      "/a",
    );
    assert.equal(code, 0, err);
    const { body = "" } = items.get("/a") ?? {};
    assert.match(
      body,
      /^!\[Map\]\(\/media\/\w+\/?[^)]*\.png\)\n\n\[https:\/\/maps\.example\/x\]\(/,
    );
    const jekyll = await importedFolder(
      {
        "_config.yml": "permalink: /blog/:year/:slug.html\n",
        "files/plan.png": PNG,
        "_posts/2024-02-01-Plan-Über-Alles+1.md":
          '---\ntitle: Plan\n---\n{% image 800x files/plan.png alt="Plan" %} ![again](../static//files/plan.png)',
      },
      "/blog/2024/plan-über-alles-1",
    );
    const [post] = jekyll.items.values();
    assert.match(post?.body ?? "", /^!\[Plan\]\(\/media\//, jekyll.err);
  });
});
