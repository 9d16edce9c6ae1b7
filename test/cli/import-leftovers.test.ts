import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { openCommandLine } from "../support/command-line.ts";
import { importedFolder } from "../support/imported-folder.ts";
import { redirectsOf } from "../support/redirects-of.ts";

describe("a file of another program whose front matter is broken", () => {
  const broken = "---\ntitle: [Spring\ndate: 2024-02-01\n---\n# In the garden\n\nWe sowed.";

  it("costs its details only: the text is a draft, and the message names file and line", async () => {
    const { code, out, err, items } = await importedFolder(
      {
        "_config.yml": "title: Old\n",
        "garden.md": broken,
        "toml.md": "+++\ntitle = \n+++\nText of TOML",
        "open.md": "---\ntitle: Never closed\n",
        "other.md": "---\ntitle: Other\n---\n[There](garden.md)",
      },
      "/garden",
      "/toml",
      "/other",
    );
    assert.equal(code, 1);
    const garden = items.get("/garden");
    assert.deepEqual([garden?.title, garden?.status], ["In the garden", "draft"]);
    assert.match(garden?.body ?? "", /We sowed/);
    assert.deepEqual([items.get("/toml")?.title, items.get("/toml")?.status], ["Toml", "draft"]);
    assert.equal(items.get("/other")?.status, "published");
    assert.match(
      err,
      /garden\.md:\d: is not YAML: .*; the text is a draft now, without the front matter/,
    );
    assert.match(err, /open\.md:1: the front matter has no end/);
    assert.match(out, /^3 created, 0 updated, 0 unchanged, 1 failed$/m);
  });

  it("includes front matter in code, which is in no text, and reads other languages", async () => {
    const { code, out, err, items } = await importedFolder(
      {
        "eleventy.config.js": "",
        "js.md": '---js\n{ title: "In code", draft: true }\n---\nWe sowed.',
        "njk.njk": "---javascript\nmodule.exports = { a: 1 }\n---\n<p>We dug.</p>",
        "json.md": '---json\n{ "title": "In JSON" }\n---\nWe sowed.',
        "toml.md": '---toml\ntitle = "In TOML"\n---\nWe sowed.',
        "yaml.md": "---yaml\ntitle: In YAML\n---\nWe sowed.",
        "rule.md": "--- jshint\n\nWe dug.\n\n---\n",
      },
      ..."/js /njk /json /toml /yaml /rule".split(" "),
    );
    assert.equal(code, 1);
    const js = items.get("/js");
    assert.deepEqual([js?.title, js?.status, js?.body], ["Js", "draft", "We sowed."]);
    assert.match(
      err,
      /js\.md:1: the front matter is code, which an import does not run: write it as YAML; the text is a draft now/,
    );
    assert.match(err, /njk\.njk:1: the front matter is code/);
    assert.equal(items.get("/njk"), undefined);
    for (const [path, title] of [
      ["/json", "In JSON"],
      ["/toml", "In TOML"],
      ["/yaml", "In YAML"],
    ] as const) {
      const item = items.get(path);
      assert.deepEqual([item?.title, item?.status, item?.body], [title, "published", "We sowed."]);
    }
    assert.match(items.get("/rule")?.body ?? "", /We dug/);
    assert.match(out, /^5 created, 0 updated, 0 unchanged, 1 failed$/m);
  });

  it("never changes a page that is there, and is mended by the file's next import", async () => {
    using line = openCommandLine();
    const whole = "---\ntitle: Garden\nlayout: page\n---\nWe sowed.";
    line.file("old/_config.yml", "title: Old\n");
    const folder = join(line.folder, "old");
    line.file("old/fresh.md", broken);
    line.file("old/garden.md", whole);
    assert.equal((await line.run("import", folder, "--publish")).code, 1);
    line.file("old/garden.md", broken);
    line.file("old/fresh.md", whole);
    const again = await line.run("import", folder, "--publish");
    assert.equal(again.code, 1);
    await using record = await openRecordForCommand(readConfig(line.environment));
    const states = ["/garden", "/fresh"].map(async (path) => {
      const item = await record.content.itemAt(path);
      return [item?.title, item?.status];
    });
    assert.deepEqual(await Promise.all(states), [
      ["Garden", "published"],
      ["Garden", "published"],
    ]);
    assert.match(again.err, /garden\.md:\d: is not YAML/);
    assert.doesNotMatch(again.err, /is a draft now/);
  });
});

describe("the placeholders of a new site beside an imported one", () => {
  const imported = async (files: Readonly<Record<string, string>>) =>
    await importedFolder(
      { "_config.yml": "title: Old\n", ...files },
      "/",
      "/about",
      "/contact",
      "/privacy",
    );

  it("are withdrawn, and the report says so", async () => {
    const { out, items } = await imported({
      "index.md": "---\nlayout: home\ntitle: Old site\n---\nWelcome.",
      "about-us.md": "---\nlayout: page\ntitle: About us\n---\nWe garden.",
    });
    assert.equal(items.get("/about")?.status, "draft");
    assert.equal(items.get("/contact")?.status, "published");
    assert.equal(items.get("/privacy")?.status, "published");
    assert.match(
      out,
      /^The page "About us" \(\/about\) of the new site was a placeholder and is a draft now/m,
    );
  });

  it("stay while the home page is one, which links to them, and once they are written", async () => {
    const without = await imported({ "a.md": "---\nlayout: page\ntitle: A\n---\nText" });
    assert.equal(without.items.get("/about")?.status, "published");
    assert.match(
      without.out,
      /^The home page and "About us" \(\/about\) are still those of a new site/m,
    );
    const written = await imported({
      "index.md": "---\nlayout: home\ntitle: Old site\n---\nWelcome.",
      "about.md": "---\nlayout: page\ntitle: About us\n---\nWe garden.",
    });
    assert.equal(written.items.get("/about")?.status, "published");
    assert.doesNotMatch(written.out, /placeholder|still those/);
  });

  it("stay where a folder of this program is imported", async () => {
    const { items } = await importedFolder({ "a.md": "---\ntitle: A\n---\nText" }, "/about");
    assert.equal(items.get("/about")?.status, "published");
  });
});

it("categories of Hexo lead from the addresses they had, those within others too", async () => {
  using line = openCommandLine();
  line.file("old/_config.yml", "title: Old\n");
  line.file("old/scaffolds/post.md", "");
  line.file(
    "old/source/_posts/spring.md",
    "---\ntitle: Spring\ndate: 2024-02-01\ncategories:\n  - [Garden, Vegetables]\n  - News\n---\nText",
  );
  const result = await line.run("import", join(line.folder, "old"), "--publish");
  assert.equal(result.code, 0, result.err);
  const redirects = await redirectsOf(line);
  assert.equal(redirects["/categories/Garden/Vegetables/*"], "/topics/vegetables");
  assert.equal(redirects["/categories/Garden/*"], "/topics/garden");
  assert.equal(redirects["/categories/News/*"], "/topics/news");
});

it("pages in code are named as left out, with what to do, and parts of them are not", async () => {
  const text = "<p>We garden every day of the week.</p>";
  const pages = {
    "src/pages/index.astro": `---\nimport Base from "../Base.astro";\n---\n<Base>${text}</Base>`,
    "src/pages/about/team.tsx": `export default function Team() {\n  return (${text});\n}\n`,
    "pages/help.vue": `<template>${text}</template>`,
    "app/plan/page.jsx": `export default () => ${text};`,
    "src/routes/join/+page.svelte": text,
  };
  const parts = {
    "src/pages/[slug].astro": text,
    "src/pages/404.astro": text,
    "src/pages/_app.tsx": text,
    "src/pages/blog/index.astro": "<h1>Blog</h1><List posts={posts} />",
    "src/components/Card.astro": text,
    "src/routes/+layout.svelte": text,
    "app/layout.tsx": text,
  };
  const { code, out, err } = await importedFolder({
    "astro.config.mjs": "",
    "src/content/blog/spring.md": "---\ntitle: Spring\n---\nText",
    ...pages,
    ...parts,
  });
  assert.equal(code, 1, out + err);
  for (const name of Object.keys(pages)) assert(out.includes(name), `${name}: ${out}`);
  for (const name of Object.keys(parts)) assert(!out.includes(name), `${name}: ${out}`);
  assert.match(out, /^Left out: 1 files \(\.astro\): a program builds/m);
});

it("pages of Eleventy in code or Liquid are named as left out, and data, layouts and lists are not", async () => {
  const text = "<p>We garden every day of the week.</p>";
  const { code, out } = await importedFolder({
    "eleventy.config.js": "module.exports = {}",
    "a.md": "---\ntitle: A\n---\nText",
    "about.11ty.js": `module.exports = class { render() { return "${text}" } }`,
    "join.liquid": text,
    "a.11tydata.js": `module.exports = { note: "${text}" }`,
    "_includes/base.11ty.js": `module.exports = () => "${text}"`,
    "blog.11ty.js": "module.exports = () => `<h1>Blog</h1>`",
  });
  assert.equal(code, 1, out);
  assert.match(out, /^Left out: 1 files \(\.js\): a program builds .*about\.11ty\.js\)/m);
  assert.match(out, /^Left out: 1 files \(\.liquid\): a program builds .*join\.liquid\)/m);
  assert.doesNotMatch(out, /11tydata\.js|base\.11ty|blog\.11ty/);
});
