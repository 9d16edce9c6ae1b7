import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { openCommandLine } from "../support/command-line.ts";
import { importedFolder } from "../support/imported-folder.ts";
import { watchFiles } from "../support/watched-files.ts";

const page = (...keys: string[]) => ["---", "title: A page", ...keys, "---", "Text"].join("\n");

describe("what a former site hid, with --publish", () => {
  it("stays hidden by any key that says so, and is public by words for everybody", async () => {
    const hiding = [
      ...["isDraft: true", "protected: true", "public: false", "is_published: no"],
      ...["password: x", "visibility: members", "access: [members, staff]", "render: false"],
      ...["build: {render: link}", "status: intern", "status: Geplant"],
    ];
    const showing = [
      ...["isDraft: false", "public: true", "password: ''", "visibility: Public", "access: open"],
      ...["access: [everyone]", "access: Open Access", "render: true", "status: In Progress"],
    ];
    const files = [...hiding, ...showing].map((key, at) => [`p${at}.md`, page(key)]);
    const { err, items } = await importedFolder(
      { "_config.yml": "title: Old\n", ...Object.fromEntries(files) },
      ...files.map((_, at) => `/p${at}`),
    );
    const drafts = hiding.map((_, at) => items.get(`/p${at}`)?.status);
    assert.deepEqual(
      drafts,
      hiding.map(() => "draft"),
      err,
    );
    const published = showing.map((_, at) => items.get(`/p${at + hiding.length}`)?.status);
    assert.deepEqual(
      published,
      showing.map(() => "published"),
      err,
    );
    assert.match(err, /p4\.md:3: password: warning: says that this is not public/);
  });

  it("stays hidden with --lenient in a folder of this service, and is refused without", async () => {
    using line = openCommandLine();
    const folder = line
      .file("new/content/a.md", page("visibility: members"))
      .replace(/content.*/, "");
    const strict = await line.run("import", folder, "--publish");
    assert.match(strict.err, /a\.md:3: visibility: is not a key of pages/);
    assert.match(strict.out, /^0 created.* 1 failed/m);
    const lenient = await line.run("import", folder, "--publish", "--lenient");
    assert.match(lenient.err, /visibility: warning: says that this is not public/);
    assert.match(lenient.out, /^1 created/m);
    await using record = await openRecordForCommand(readConfig(line.environment));
    assert.equal((await record.content.itemAt("/content/a"))?.status, "draft");
  });

  it("is read from Eleventy's data files, of which deeper ones and front matter count more", async () => {
    const { out, err, items } = await importedFolder(
      {
        "eleventy.config.js": 'module.exports = () => ({ dir: { input: "src" } });\n',
        "src/internal/internal.json": '{ "permalink": false }',
        "src/internal/minutes.md": page(),
        "src/internal/open.md": page("permalink: /open/"),
        "src/ideas/ideas.11tydata.json": '{ "draft": true, "tags": ["Garden"] }',
        "src/ideas/a.md": page(),
        "src/ideas/done/done.json": '{ "draft": false }',
        "src/ideas/done/b.md": page(),
        "src/one.md": page(),
        "src/one.11tydata.json": '{ "visibility": "members" }',
        "src/js/js.11tydata.js": "module.exports = { permalink: false };",
        "src/js/c.md": page(),
        "src/computed/computed.11tydata.js":
          "// draft: true\nexport default { permalink: (data) => !data.hidden };",
        "src/computed/d.md": page(),
        "src/plain/plain.11tydata.js": 'export default { permalink: "/e/", layout: "a" };',
        "src/plain/e.md": page("permalink: /e/"),
      },
      ..."/internal/minutes /open /ideas/a /ideas/done/b /one /js/c /computed/d /e".split(" "),
    );
    const states = [...items].map(([path, { status }]) => `${path} ${status}`);
    assert.deepEqual(
      states,
      [
        ...["/open published", "/ideas/a draft", "/ideas/done/b published", "/one draft"],
        ...["/computed/d published", "/e published"],
      ],
      err,
    );
    assert.match(out, /internal\/minutes\.md says that it has no page of its own/);
    assert.match(
      out,
      /computed\.11tydata\.js cannot be read and may hide pages in "src\/computed"/,
    );
    assert.doesNotMatch(out, /plain\.11tydata\.js cannot/);
  });

  it("is read once from each of Eleventy's data files", async () => {
    using files = watchFiles([]);
    const { err, items } = await importedFolder(
      {
        "eleventy.config.js": 'export default { dir: { input: "src" } };',
        "src/js/js.11tydata.js": "module.exports = { draft: true };",
        "src/js/a.md": page(),
        "src/ideas/ideas.11tydata.json": '{ "draft": true }',
        "src/ideas/b.md": page(),
      },
      "/js/a",
      "/ideas/b",
    );
    const reads = files.outside.filter((use) => /^readFileSync .*\.11tydata\./.test(use));
    assert.equal(items.get("/js/a")?.status, "draft", err);
    assert.equal(items.get("/ideas/b")?.status, "draft", err);
    assert.equal(reads.length, 2, reads.join("\n"));
  });

  it("is read from Hugo's cascades, and from the files that its settings ignore", async () => {
    const { out, err, items } = await importedFolder(
      {
        "hugo.toml": `baseURL = "https://old.example/"
ignoreFiles = ["internal/.*", "\\\\.tmp\\\\.md$"]
[[cascade]]
  [cascade.build]
    render = "never"
  [cascade.target]
    path = "{/vault,/vault/**}"
[module]
[[module.mounts]]
source = "content"
target = "content"
excludeFiles = ["excluded/*"]
`,
        "content/members/_index.md":
          "---\ntitle: Members\ncascade:\n  - _target: {kind: page}\n    draft: true\n---\nText",
        "content/members/minutes.md": page(),
        "content/members/open.md": page("draft: false"),
        "content/toml/_index.md": '+++\ntitle = "Toml"\n[cascade]\nprivate = true\n+++\nText',
        "content/toml/deep/a.md": page(),
        "content/vault/b.md": page(),
        "content/vaults/c.md": page(),
        "content/internal/d.md": page(),
        "content/e.tmp.md": page(),
        "content/excluded/f.md": page(),
      },
      ..."/members /members/minutes /members/open /toml /toml/deep/a /vault/b /vaults/c".split(" "),
      ..."/internal/d /e.tmp /e-tmp /excluded/f".split(" "),
    );
    const states = [...items].map(([path, { status }]) => `${path} ${status}`);
    assert.deepEqual(
      states,
      [
        ...["/members published", "/members/minutes draft", "/members/open published"],
        ...["/toml draft", "/toml/deep/a draft", "/vault/b draft", "/vaults/c published"],
      ],
      err,
    );
    for (const file of ["internal/d.md", "e.tmp.md", "excluded/f.md"])
      assert.ok(out.includes(`content/${file} is not content of Hugo`), out);
  });

  it("is below a draft of a section of Zola, or not rendered by it", async () => {
    const { err, items } = await importedFolder(
      {
        "config.toml": 'base_url = "https://old.example"\n',
        "content/plans/_index.md": '+++\ntitle = "Plans"\ndraft = true\n+++\nText',
        "content/plans/a.md": page(),
        "content/list/_index.md": '+++\ntitle = "List"\nrender = false\n+++\nText',
        "content/list/b.md": page(),
      },
      ..."/plans /plans/a /list /list/b".split(" "),
    );
    const states = [...items.values()].map(({ status }) => status);
    assert.deepEqual(states, ["draft", "draft", "draft", "published"], err);
  });

  it("is left out by the patterns of Zola, Hexo, VuePress, MkDocs, VitePress, Docusaurus and Obsidian", async () => {
    const folders: [Record<string, string>, Record<string, string | undefined>][] = [
      [
        {
          "zola.toml": 'base_url = "https://old.example"\nignored_content = ["internal/*"]\n',
          "content/internal/deep/a.md": page(),
          "content/b.md": page(),
        },
        { "/internal/deep/a": undefined, "/b": "published" },
      ],
      [
        {
          "_config.yml": "source_dir: source\nexclude:\n  - internal/**\nignore:\n  - '**/old/*'\n",
          "source/internal/a.md": page(),
          "source/old/b.md": page(),
          "source/c.md": page(),
        },
        { "/internal/a": undefined, "/old/b": undefined, "/c": "published" },
      ],
      [
        {
          ".vuepress/config.js": 'module.exports = { pagePatterns: ["**/*.md", "!internal/**"] };',
          "internal/a.md": page(),
          "b.md": page(),
        },
        { "/internal/a": undefined, "/b": "published" },
      ],
      [
        {
          "mkdocs.yml":
            "site_name: A\nexclude_docs: |\n  internal/\n  *.tmp.md\n  !b.tmp.md\ndraft_docs: |\n  wip/\nplugins:\n  - search\n  - exclude:\n      glob: [old/*]\n",
          "docs/sub/internal/a.md": page(),
          "docs/sub/a.tmp.md": page("path: /a-tmp"),
          "docs/b.tmp.md": page("path: /b-tmp"),
          "docs/templates/t.md": page(),
          "docs/wip/c.md": page(),
          "docs/old/deep/d.md": page(),
          "docs/e.md": page(),
        },
        {
          ...{ "/sub/internal/a": undefined, "/a-tmp": undefined, "/b-tmp": "published" },
          ...{ "/templates/t": undefined, "/wip/c": "draft", "/old/deep/d": undefined },
          "/e": "published",
        },
      ],
      [
        {
          ".vitepress/config.ts":
            'export default defineConfig({ srcDir: "./src", srcExclude: ["**/internal/**", `**/*.wip.md`] })',
          "src/internal/a.md": page(),
          "src/b.wip.md": page("path: /b"),
          "src/c.md": page(),
        },
        { "/internal/a": undefined, "/b": undefined, "/c": "published" },
      ],
      [
        {
          "docusaurus.config.js":
            'module.exports = { presets: [["classic", { docs: { exclude: ["internal/**", "**/*.{wip,tmp}.md"] }, blog: { path: "news", exclude: ["secret.md"] } }]], plugins: [["docs", { path: "club", routeBasePath: "club", exclude: ["board/**"] }]] };',
          "docs/internal/a.md": page(),
          "docs/b.tmp.md": page("slug: /b"),
          "docs/secret.md": page(),
          "news/secret.md": page("date: 2024-01-01"),
          "club/board/d.md": page(),
          "club/internal/e.md": page(),
        },
        {
          ...{ "/docs/internal/a": undefined, "/docs/b": undefined, "/docs/secret": "published" },
          ...{ "/blog/secret": undefined },
          ...{ "/club/board/d": undefined, "/club/internal/e": "published" },
        },
      ],
      [
        {
          ".obsidian/app.json": '{ "userIgnoreFilters": ["Private/", "/\\\\.wip\\\\./"] }',
          "Private/a.md": page(),
          "b.wip.md": page("path: /b"),
          "c.md": page(),
        },
        { "/Private/a": undefined, "/b": undefined, "/c": "published" },
      ],
    ];
    for (const [files, statuses] of folders) {
      const { err, items } = await importedFolder(files, ...Object.keys(statuses));
      const found = Object.keys(statuses).map((path) => [path, items.get(path)?.status]);
      assert.deepEqual(Object.fromEntries(found), statuses, err);
    }
  });

  it("is a text of Nikola with a password, or with a tag for drafts that is no topic", async () => {
    const text = (...lines: string[]) => [".. title: A", ...lines, "", "Text"].join("\n");
    const { err, items } = await importedFolder(
      {
        "conf.py": 'POSTS = (("posts/*.md", "posts", "post.tmpl"),)\nPAGES = ()\n',
        "posts/a.md": text(".. tags: garden, draft"),
        "posts/b.md": text(".. tags: private"),
        "posts/c.md": text(".. password: x"),
        "posts/d.md": text(".. tags: garden"),
      },
      ..."/posts/a /posts/b /posts/c /posts/d /topics/draft".split(" "),
    );
    const states = [...items].map(([path, { status }]) => `${path} ${status}`);
    const drafts = ["/posts/a draft", "/posts/b draft", "/posts/c draft"];
    assert.deepEqual(states, [...drafts, "/posts/d published"], err);
  });
});
