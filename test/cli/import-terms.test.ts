import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";
import { redirectsOf } from "../support/redirects-of.ts";

type Files = Readonly<Record<string, string>>;

function folderOf(line: CommandLine, files: Files): string {
  for (const [name, text] of Object.entries(files)) line.file(`old/${name}`, text);
  return line.file("old/.keep", "").replace(/\/\.keep$/, "");
}

/** The names that an item links, by relation, and the status of each. */
async function linksAt(line: CommandLine, path: string): Promise<Record<string, string[]>> {
  await using record = await openRecordForCommand(readConfig(line.environment));
  const item = await record.content.itemAt(path);
  const found: Record<string, string[]> = {};
  for (const [relation, links] of Object.entries(item?.relations ?? {})) {
    const items = await Promise.all(links.map(({ to }) => record.content.item(to)));
    found[relation] = items.map((each) => `${each?.title} ${each?.path} ${each?.status}`);
  }
  return found;
}

async function linksOf(files: Files, ...paths: string[]) {
  using line = await openSiteLine();
  const told = await line.run("import", folderOf(line, files), "--publish");
  const links = await Promise.all(paths.map((path) => linksAt(line, path)));
  return { ...told, links };
}

function page(...head: string[]): string {
  return `---\n${head.join("\n")}\n---\nText\n`;
}

describe("topics and authors of folders of other programs", () => {
  it("makes each name once, as first written, and a draft where only drafts have it", async () => {
    using line = await openSiteLine();
    const folder = folderOf(line, {
      "hugo.toml": '[taxonomies]\ntag = "tags"\nseries = "series"\n',
      "content/a.md": page(
        "title: A",
        "tags: [Open Source, C++]",
        "series: [C]",
        "authors: [Ann Lee and Son]",
      ),
      "content/b.md": page(
        "title: B",
        "tags: [open-source, OPEN SOURCE]",
        "author: ann lee and son",
      ),
      "content/c.md": page("title: C", "draft: true", "tags: [Secret, C]"),
    });
    const tried = await line.run("import", folder, "--publish", "--dry-run");
    const done = await line.run("import", folder, "--publish");
    assert.equal(done.code, 0, done.err);
    assert.match(tried.out, /^Would import: 8 created/m);
    assert.match(done.out, /^8 created, 0 updated, 0 unchanged, 0 failed/m);
    assert.match(tried.out, /new topics: 4, new authors: 1/);
    const openSource = "Open Source /topics/open-source published";
    const authors = ["Ann Lee and Son /authors/ann-lee-and-son published"];
    assert.deepEqual(await linksAt(line, "/a"), {
      authors,
      topics: [openSource, "C++ /topics/c-plus-plus published", "C /topics/c published"],
    });
    assert.deepEqual(await linksAt(line, "/b"), { authors, topics: [openSource] });
    assert.deepEqual(await linksAt(line, "/c"), {
      topics: ["Secret /topics/secret draft", "C /topics/c published"],
    });
    const again = await line.run("import", folder, "--publish");
    assert.match(again.out, /^0 created, 0 updated, 3 unchanged, 0 failed/m);
  });

  it("finds topics of the site, keeps drafts until a run publishes, and keeps what editors changed", async () => {
    using line = await openSiteLine();
    const known = line.file(
      "known.jsonl",
      `${JSON.stringify({ type: "topic", title: "Libre software", path: "/topics/libre", aliases: ["Open source"] })}\n`,
    );
    await line.run("import", known, "--publish");
    const folder = folderOf(line, {
      "_config.yml": "",
      "a.md": page("layout: page", "title: A", "tags: [open source, Trees]"),
    });
    await line.run("import", folder);
    const libre = "Libre software /topics/libre published";
    assert.deepEqual((await linksAt(line, "/a"))["topics"], [libre, "Trees /topics/trees draft"]);
    await line.run("import", folder, "--publish");
    assert.deepEqual((await linksAt(line, "/a"))["topics"], [
      libre,
      "Trees /topics/trees published",
    ]);
  });

  it("reads lists in text and technical names as each program does", async () => {
    const head = ['tags: "red, green tree"', "category: uncategorized"];
    const jekyll = await linksOf({ "_config.yml": "", "a.md": page("title: A", ...head) }, "/a");
    const titles = ({ links }: typeof jekyll) =>
      links.map(({ topics = [] }) => topics.map((each) => each.replace(/ \/.*/, "")));
    assert.deepEqual(titles(jekyll), [["red", "green", "tree"]]);
    const hugo = await linksOf(
      { "hugo.toml": "", "content/a.md": page("title: A", ...head) },
      "/a",
    );
    assert.deepEqual(titles(hugo), [["red, green tree"]]);
    const mkdocs = await linksOf(
      { "mkdocs.yml": "", "docs/a.md": page("title: A", ...head) },
      "/a",
    );
    assert.deepEqual(titles(mkdocs), [["red", "green tree"]]);
    const eleventy = await linksOf(
      {
        "eleventy.config.js": "",
        "a.md": page(
          "title: A",
          "layout: layouts/recipe.njk",
          "tags: [posts, all, recipes, bread]",
        ),
      },
      "/a",
    );
    assert.deepEqual(titles(eleventy), [["bread"]]);
    const zola = await linksOf(
      {
        "config.toml": 'base_url = "https://x.example"\n',
        "content/a.md": '+++\ntitle = "A"\n[taxonomies]\ntags = ["rust"]\nauthors = ["Bo"]\n+++\n',
      },
      "/a",
    );
    assert.deepEqual(zola.links, [
      { authors: ["Bo /authors/bo published"], topics: ["rust /topics/rust published"] },
    ]);
  });

  it("knows authors by what data files say of them", async () => {
    const jane = "Jane Doe /authors/jane-doe published";
    const data = "jdoe:\n  name: Jane Doe\n  url: https://jane.example/\n";
    const jekyll = await linksOf(
      { "_config.yml": "", "_data/authors.yml": data, "a.md": page("title: A", "author: jdoe") },
      "/a",
    );
    assert.deepEqual(jekyll.links, [{ authors: [jane] }]);
    const docusaurus = await linksOf(
      {
        "docusaurus.config.js": "",
        "blog/authors.yml": data,
        "blog/2024-01-02-a.md": page(
          "title: A",
          "authors:",
          "  - jdoe",
          "  - {name: Bo Li, url: 'https://bo.example', title: Member}",
        ),
      },
      "/blog/2024/01/02/a",
    );
    assert.deepEqual(docusaurus.links, [{ authors: [jane, "Bo Li /authors/bo-li published"] }]);
  });

  it("leads the former site's lists to topics and authors, except where a page of the folder is", async () => {
    const blog = "blog/2024-01-02-a.md";
    const folders: [Files, string[]][] = [
      [
        {
          "hugo.toml": "defaultContentLanguage = 'en'\n",
          "content/a.md": page("title: A", "tags: [Open Source, Real]", "categories: [News]"),
          "content/tags/real.md": page("title: Real"),
          "content/de/b.md": page("title: B", "draft: true", "tags: [Hidden]"),
        },
        ["/categories/news/* /topics/news", "/tags/open-source/* /topics/open-source"],
      ],
      [
        {
          "docusaurus.config.js": "",
          "blog/authors.yml": "jdoe:\n  name: Jane Doe\n",
          [blog]: page("title: A", "tags: [Open Source]", "authors: jdoe"),
        },
        [
          "/blog/authors/jdoe/* /authors/jane-doe",
          "/blog/page/* /news",
          "/blog/tags/open-source/* /topics/open-source",
          "/docs/tags/open-source/* /topics/open-source",
        ],
      ],
      [
        {
          "_config.yml":
            "plugins: [jekyll-archives]\njekyll-archives:\n  permalinks:\n    tag: /about/:name/\n",
          "a.md": page("title: A", "tags: red", "category: News"),
        },
        ["/about/red/* /topics/red", "/category/news/* /topics/news"],
      ],
      [{ "_config.yml": "", "a.md": page("title: A", "tags: red") }, []],
      [
        {
          "_config.yml": "tag_dir: t\n",
          "scaffolds/post.md": "",
          "source/_posts/a.md": page("title: A", "date: 2024-01-02", "tags: [Open Source]"),
        },
        ["/archives/* /news", "/page/* /news", "/t/Open-Source/* /topics/open-source"],
      ],
    ];
    for (const [files, expected] of folders) {
      using line = await openSiteLine();
      const folder = folderOf(line, files);
      const { code, err, out } = await line.run("import", folder, "--publish");
      assert.equal(code, 0, err);
      const redirects = Object.entries(await redirectsOf(line)).map((each) => each.join(" "));
      assert.deepEqual(redirects.filter((each) => each.includes("*")).sort(), expected);
      if (expected.length === 0) continue;
      const [, all] =
        /^Redirects: (\d+) created, 0 unchanged, 0 not needed, 0 failed$/m.exec(out) ?? [];
      const again = await line.run("import", folder, "--publish");
      assert.match(again.out, /^0 created, 0 updated/m);
      assert.match(again.out, new RegExp(`^Redirects: 0 created, ${all} unchanged`, "m"));
    }
  });

  it("loses no page to names that cannot be used, and reports them", async () => {
    const many = Array.from({ length: 2000 }, (_, at) => `t${at}`).join(", ");
    const { code, err, links } = await linksOf(
      {
        "hugo.toml": "",
        "content/a.md": page("title: A", "tags: [2024, null, '', {a: 1}, [deep], true]"),
        "content/b.md": page(
          "title: B",
          `tags: ['${"x".repeat(10_000)}', y]`,
          "author: me@x.example",
        ),
        "content/c.md": page("title: C", `tags: [${many}]`, "categories:", "authors: []"),
      },
      "/a",
      "/b",
      "/c",
    );
    assert.equal(code, 0, err);
    const [a, b, c] = links.map(({ topics = [] }) => topics.map((each) => each.split(" ")[0]));
    assert.deepEqual(a, ["2024", "deep"]);
    assert.deepEqual(b, ["y"]);
    assert.equal(c?.length, 1000);
    assert.match(err, /a\.md:3: tags: warning: is not a name and is left out/);
    assert.match(err, /b\.md:3: tags: warning: a name of more than 300 characters is left out/);
    assert.match(err, /b\.md:4: author: warning: an e-mail address is not a name/);
    assert.match(err, /c\.md:3: tags: warning: more than 1000 names; the rest is left out/);
  });

  it("gives way to a type of the site that states pages of topics or authors of pages", async () => {
    using line = await openSiteLine();
    line.file("site/site.yaml", readFileSync("demo/site.yaml", "utf8"));
    const relation = (target: string, inverse: string) =>
      `${inverse}_of: {label: L, target: ${target}, many: true, inverse: {name: ${inverse}, label: Own}}`;
    const type = `name: folio\nlabel: Folio\nplural: Folios\ndescription: A leaf.\nlistPath: /folios\nrelations:\n  ${relation("topic", "pages")}\n  ${relation("page", "authors")}\n`;
    line.file("site/types/folio.yaml", type);
    line.file("site/content/trees.md", "---\ntitle: Trees\n---\n");
    const { code, err } = await line.run("import", `${line.folder}/site`, "--publish");
    assert.equal(code, 0, err);
  });
});
