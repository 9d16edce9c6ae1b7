import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importedFolder } from "../support/imported-folder.ts";

const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=",
  "base64",
);

describe("importing what programs make of their folders", () => {
  it("reads Hugo's front matter in JSON, and sections of addresses", async () => {
    const { code, err, items } = await importedFolder(
      {
        "hugo.yaml":
          'baseURL: "https://old.example/"\npermalinks:\n  posts: "/:sections[1:]/:filename"\n',
        "content/rights.md":
          '{\n  "title": "Your rights",\n  "slug": "all rights",\n  "type": "law", "aliases": ["recht", "/rights-old"],\n  "tags": [ "law", "data" ]\n}\n\nAsk.\n\n{ "shown": true }\n',
        "content/posts/maths/plots/index.md":
          '---\ntitle: Plots\ndate: 2024-01-02\ndescription: "How to\nplot."\naliases: [\n\tgraphs,\n]\n---\n[A]({{< relref "RIGHTS#ask" >}}) [B]({{< ref "/rights.md" >}})',
      },
      "/all-rights",
      "/maths/plots",
    );
    assert.equal(code, 0, err);
    const rights = items.get("/all-rights");
    assert.equal(rights?.title, "Your rights");
    assert.match(rights?.body ?? "", /^\s*Ask\.\n\n\{ "shown": true \}/);
    const plots = items.get("/maths/plots");
    assert.equal(plots?.title, "Plots");
    assert.equal(plots?.summary, "How to plot.");
    assert.equal(plots?.body.trim(), "[A](/all-rights#ask) [B](/all-rights)");
  });

  it("makes links and pictures of a theme's shortcodes, in the language of the page", async () => {
    const { code, err, items } = await importedFolder(
      {
        "config.toml":
          'baseURL = "https://old.example/"\ndefaultContentLanguage = "de"\n[languages.de]\nweight = 1\n[languages.en]\nweight = 2\n',
        "content/de/rights.md": "---\ntitle: Rechte\n---\nFragen.",
        "content/en/rights.md": "---\ntitle: Rights\n---\nAsk.",
        "content/en/user/Signing-Up.md": "---\ntitle: Signing up\n---\nJoin.",
        "content/en/act/index.md":
          '---\ntitle: Act\n---\nYour {{< link slug="/rights#ask" text="**rights**" >}}.\n\n{{< page-ref page="user/Signing-Up.md" >}}\n\n{{< img name="bees" alt="Bees" >}}\n\n{{< button href="https://join.example/" >}}Join us{{< /button >}}\n\n{{< tweet user="a" id="1" >}}\n',
        "content/en/act/bees.png": PICTURE,
      },
      "/en/act",
    );
    assert.equal(code, 0, err);
    const body = items.get("/en/act")?.body ?? "";
    assert.match(body, /^Your \[\*\*rights\*\*\]\(\/en\/rights#ask\)\.$/m);
    assert.match(body, /^\[Signing Up\]\(\/en\/user\/signing-up\)$/m);
    assert.match(body, /^!\[Bees\]\(\/media\/[0-9a-f]{32}\.png\)$/m);
    assert.match(body, /^\[Join us\]\(https:\/\/join\.example\/\)$/m);
    assert.equal(err.match(/is left out|leads to no file/g)?.length, 1, err);
    assert.match(err, /\{\{< tweet user="a" id="1" >\}\} shows something that Hugo made/);
  });

  it("reads pages that Eleventy makes of Nunjucks, and no other files of its templates", async () => {
    const { code, out, err, items } = await importedFolder(
      {
        ".eleventy.js": 'module.exports = () => ({ dir: { input: "./src" } });\n',
        "src/_includes/base.njk": "never shown",
        "src/feed/feed.njk": "---\npermalink: /feed.xml\n---\n<feed></feed>",
        "src/sitemap.xml.njk": "<urlset></urlset>",
        "src/team.njk":
          '---\ntitle: Our team\n---\n{% set x = 1 %}{% extends "base.njk" %}{% block content %}<h1>{{ title }}</h1><p>We are <a href="/about/">five</a>.</p>{% for p in people %}<p>{{ p.name }}</p>{% endfor %}{% endblock %}{% macro card(x) %}<p>hidden</p>{% endmacro %}',
        "src/about.md": "# About\n\n[Team](/team/)",
      },
      "/team",
      "/about",
    );
    assert.equal(code, 0, err);
    assert.match(out, /^1 created, 1 updated|^2 created/m);
    assert.match(out, /_includes\/base\.njk is not content of Eleventy/);
    assert.match(out, /feed\/feed\.njk makes a file that is not a page/);
    assert.match(out, /sitemap\.xml\.njk makes a file that is not a page/);
    const team = items.get("/team");
    assert.equal(team?.title, "Our team");
    assert.equal(team?.body.trim(), "We are [five](/about).");
    assert.match(items.get("/about")?.body ?? "", /\[Team\]\(\/team\)/);
    assert.doesNotMatch(err, /leads to no file/);
  });

  it("takes in a page whose navigation is no position but a list of pages", async () => {
    const { code, out, err, items } = await importedFolder(
      {
        "_config.yml": "title: A\n",
        "tips.md": "---\ntitle: Tips\nnavigation:\n  previous: /start/\n---\nHere.",
      },
      "/tips",
    );
    assert.equal(code, 0, err);
    assert.equal(items.get("/tips")?.title, "Tips");
    assert.match(out, /Keys without a meaning here were left out: navigation \(1\)/);
  });

  it("fails if every file is skipped, and says what to try", async () => {
    const { code, out } = await importedFolder({
      "mkdocs.yml": "site_name: A\n",
      "texts/about.md": "# About\n\nWe.",
    });
    assert.equal(code, 1);
    assert.match(out, /^0 created, 0 updated, 0 unchanged, 0 failed, 1 skipped$/m);
    assert.match(
      out,
      /^Nothing was taken in, as every file was skipped .* import the folder that has them$/m,
    );
  });

  it("knows Hexo by its settings, which say where its texts are", async () => {
    const { code, out, err, items } = await importedFolder(
      {
        "_config.yml": "title: A\nsource_dir: src\nnew_post_name: :title.md\n",
        "README.md": "About the repository",
        "src/guide/start.md": "---\ntitle: Start\n---\nHere.",
      },
      "/guide/start",
    );
    assert.equal(code, 0, err);
    assert.match(out, /is read as a folder of Hexo/);
    assert.equal(items.get("/guide/start")?.title, "Start");
  });

  it("reads Eleventy's pages in the folder of its settings, in a language whose words it searches", async () => {
    const { code, out, err, items } = await importedFolder(
      {
        "eleventy.config.js": 'export default () => ({ dir: { input: "./" } });\n',
        "bg/index.html": "---\ntitle: Начало\n---\n<p>Отворен код за всички.</p>",
        "en/index.html": "---\ntitle: Start\n---\n<p>Open code for everybody.</p>",
      },
      "/bg",
      "/en",
    );
    assert.equal(code, 0, err);
    assert.match(out, /^2 created/m);
    assert.equal(items.get("/bg")?.language, "bg");
    assert.equal(items.get("/en")?.title, "Start");
  });

  it("finds the addresses of Astro's collections by the pages that show them", async () => {
    const { code, err, items } = await importedFolder(
      {
        "astro.config.mjs": "export default {};\n",
        "src/pages/[...slug].astro": '---\nconst all = await getCollection("pages");\n---\n',
        "src/pages/journal/[slug].astro": "---\nconst all = await getCollection('blog');\n---\n",
        "src/content/pages/where.mdx": "---\ntitle: Where\n---\n[First](/journal/first/)",
        "src/content/dates/1.md": "---\ntitle: Date\nslug: /where\nurl: /where\n---\nSoon.",
        "src/content/blog/first.md": "---\ntitle: First\n---\n[Where](/where)",
      },
      "/where",
      "/journal/first",
      "/dates/where",
    );
    assert.equal(code, 0, err);
    assert.equal(items.get("/where")?.title, "Where");
    assert.equal(items.get("/dates/where")?.title, "Date");
    assert.equal(items.get("/journal/first")?.title, "First");
    assert.doesNotMatch(err, /leads to no file/);
  });

  it("reads VitePress' texts where its settings say, and pictures of MkDocs' own theme", async () => {
    const vitepress = await importedFolder(
      {
        ".vitepress/config.ts": "export default { srcDir: './src/' };\n",
        "src/guide/start.md": "# Start\n\n[API](/api/)",
        "src/api/index.md": "# API\n\n![Logo](/logo.png)",
        "src/public/logo.png": PICTURE,
      },
      "/guide/start",
    );
    assert.equal(vitepress.code, 0, vitepress.err);
    assert.equal(vitepress.items.get("/guide/start")?.title, "Start");
    assert.doesNotMatch(vitepress.err, /leads to no file/);
    const mkdocs = await importedFolder(
      {
        "mkdocs.yml":
          "site_name: Old\ndocs_dir: !ENV [DOCS, 'docs']\nnav:\n  - !ENV [FIRST, 'Start']: help/start.md\ntheme:\n  name: material\n  custom_dir: ./theme\n",
        "docs/help/start.md": "# Start\n\n![Logo](../assets/logo.png)",
        "theme/assets/logo.png": PICTURE,
      },
      "/help/start",
    );
    assert.equal(mkdocs.code, 0, mkdocs.err);
    assert.match(mkdocs.items.get("/help/start")?.body ?? "", /!\[Logo\]\(\/media\//);
  });

  it("puts the last version of Docusaurus' documents at their address", async () => {
    const { code, out, err, items } = await importedFolder(
      {
        "docusaurus.config.js":
          'export default { "presets": [["classic", { "docs": { "routeBasePath": "/" } }]] };\n',
        "versions.json": '["2.x", "1.x"]',
        "docs/start.md": "# Start, next",
        "versioned_docs/version-2.x/start.md": "# Start",
        "versioned_docs/version-1.x/start.md": "# Start, old",
        "blog/2024-02-01-first.md": "---\ntitle: First\n---\n[Start](/start)",
      },
      "/start",
      "/next/start",
    );
    assert.equal(code, 0, err);
    assert.equal(items.get("/start")?.title, "Start");
    assert.equal(items.get("/next/start")?.title, "Start, next");
    assert.match(out, /version-1\.x\/start\.md is not content of Docusaurus/);
    assert.doesNotMatch(err, /leads to no file/);
  });
});
