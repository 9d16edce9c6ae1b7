import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { openApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import { type CommandLine, openCommandLine, openSiteLine } from "../support/command-line.ts";
import { redirectsOf } from "../support/redirects-of.ts";
import { sendTo } from "../support/send-to.ts";

type Files = Readonly<Record<string, string>>;

function folderOf(line: CommandLine, files: Files): string {
  for (const [name, text] of Object.entries(files)) line.file(`old/${name}`, text);
  return line.file("old/.keep", "").replace(/\/\.keep$/, "");
}

function page(...head: string[]): string {
  return `---\n${head.join("\n")}\n---\nText\n`;
}

/** Type and day by path, of all but the pages that every site has. */
async function postsOn(line: CommandLine): Promise<Record<string, string>> {
  const file = join(line.folder, "all.jsonl");
  const { code, err } = await line.run("export", file);
  assert.equal(code, 0, err);
  const items = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((each) => JSON.parse(each))
    .filter(({ type, path }) => type !== "topic" && type !== "author" && !STARTERS.has(path));
  return Object.fromEntries(
    items.map(({ path, type, fields }) => [path, [type, fields?.date ?? ""].join(" ").trim()]),
  );
}

const STARTERS = new Set([
  ..."/ /about /accessibility /contact /imprint /privacy /legal-notice".split(" "),
]);

async function imported(files: Files, ...flags: string[]) {
  using line = await openSiteLine();
  const before = new Set(Object.keys(await redirectsOf(line)));
  const told = await line.run("import", folderOf(line, files), "--publish", ...flags);
  const redirects = Object.entries(await redirectsOf(line)).filter(([from]) => !before.has(from));
  return { ...told, posts: await postsOn(line), redirects: Object.fromEntries(redirects) };
}

/** Folders of programs, their items, and some of the redirects. */
const FOLDERS: readonly [string, Files, Record<string, string>, Record<string, string>][] = [
  [
    "Hugo",
    {
      "hugo.yaml": "params:\n  mainSections: [stories]\n",
      "content/stories/a.md": page("title: A", "date: 2024-02-01"),
      "content/blog/b.md": page("title: B", "date: 2024-02-01"),
    },
    { "/stories/a": "news 2024-02-01", "/blog": "page", "/blog/b": "page" },
    { "/stories": "/news", "/stories/index.xml": "/news/feed.atom" },
  ],
  [
    "Docusaurus",
    {
      "docusaurus.config.js": "blog: { path: 'journal', routeBasePath: 'diary' }",
      "journal/2024-02-01-a.md": page("title: A"),
      "journal/2024-02-02-b.md": page("title: B", "slug: bee"),
      "journal/undated.md": page("title: Undated"),
      "docs/2024-02-01-c.md": page("title: C", "date: 2024-02-01"),
    },
    {
      "/diary/2024/02/01/a": "news 2024-02-01",
      "/diary/bee": "news 2024-02-02",
      "/diary/undated": "page",
      "/docs/2024-02-01-c": "page",
    },
    {
      "/diary": "/news",
      "/diary/archive": "/news",
      "/diary/rss.xml": "/news/feed.atom",
    },
  ],
  [
    "Hexo",
    {
      "_config.yml": "permalink: :title/\n",
      "scaffolds/post.md": "",
      "source/_posts/a.md": page("title: A", "date: 2024-02-01 10:00:00"),
      "source/about/us.md": page("title: Us", "date: 2024-02-01"),
    },
    { "/a": "news 2024-02-01", "/about/us": "page" },
    { "/archives/*": "/news", "/atom.xml": "/news/feed.atom" },
  ],
  [
    "Eleventy",
    {
      "eleventy.config.js": "",
      "content/blog/a.md": page("title: A", "date: 2024-02-01"),
      "content/blog/b/b.md": page("title: B", "date: 2024-02-02"),
    },
    { "/content/blog/a": "news 2024-02-01", "/content/blog/b": "news 2024-02-02" },
    { "/content/blog": "/news", "/feed/feed.xml": "/news/feed.atom" },
  ],
  [
    "Astro",
    {
      "astro.config.mjs": "",
      "src/content/posts/a.md": page("title: A", "pubDate: Feb 01 2024", "updatedDate: 2024-03-01"),
    },
    { "/posts/a": "news 2024-02-01" },
    { "/posts": "/news", "/rss.xml": "/news/feed.atom" },
  ],
  [
    "Zola",
    {
      "config.toml": 'base_url = "https://x.example"\n',
      "content/articles/2024-02-01-a.md": '+++\ntitle = "A"\n+++\nText',
      "content/articles/_index.md": '+++\ntitle = "Articles"\n+++\n',
    },
    { "/articles/a": "news 2024-02-01" },
    { "/articles": "/news", "/articles/atom.xml": "/news/feed.atom" },
  ],
];

describe("posts in folders of other programs", () => {
  it("of Jekyll are news with their addresses, days, topics, authors and links", async () => {
    using line = await openSiteLine();
    const folder = folderOf(line, {
      "_config.yml": "feed:\n  path: /posts.atom.xml\n",
      "_posts/2024-02-01-spring.md":
        "---\nlayout: post\ntitle: Spring\ndate: 2024-02-01 23:30:00 -0800\ntags: [trees]\nauthor: Ann Lee\nexcerpt: It is here.\nlast_modified_at: 2024-03-05\n---\n![A]({{ site.baseurl }}/a.svg) [next]({% post_url 2024-05-01-may %}) [all](/feed.xml)",
      "_posts/2024-05-01-may.md": page("title: May", "type: post", "categories: [club]"),
      "_posts/2024-06-01-hidden.md": page("title: Hidden", "published: false"),
      "_posts/2099-01-01-later.md": page("title: Later"),
      "_posts/someday.md": page("title: Someday"),
      "a.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
      "blog/index.html":
        "---\ntitle: Blog\nlayout: default\n---\n<ul>{% for post in paginator.posts %}<li>{{ post.title }}</li>{% endfor %}</ul>",
      "about/team.md": page("title: Team", "date: 2024-01-01"),
    });
    const tried = await line.run("import", folder, "--publish", "--dry-run");
    const { code, out, err } = await line.run("import", folder, "--publish");
    assert.equal(code, 0, err);
    const counts = /^(?:Would import: )?(\d+ created.*)$/m;
    assert.equal(counts.exec(tried.out)?.[1], counts.exec(out)?.[1]);
    assert.match(
      out,
      /^The type "news" was added to the site for the posts; for pages instead, choose .* post=page$/m,
    );
    assert.match(out, /^Dated posts: 4, listed at \/news \(News\)$/m);
    assert.match(out, /blog\/index\.html is the list of posts, which the site makes here/);
    assert.deepEqual(await postsOn(line), {
      "/2024/02/01/spring": "news 2024-02-01",
      "/club/2024/05/01/may": "news 2024-05-01",
      "/2024/06/01/hidden": "news 2024-06-01",
      "/2099/01/01/later": "news 2099-01-01",
      "/someday": "page",
      "/about/team": "page",
    });
    await using record = await openRecordForCommand(readConfig(line.environment));
    const spring = await record.content.itemAt("/2024/02/01/spring");
    assert.deepEqual(spring?.fields, { date: "2024-02-01", updated: "2024-03-05" });
    assert.equal(spring?.publishedAt, "2024-02-02T07:30:00.000Z");
    assert.equal(spring?.summary, "It is here.");
    assert.match(
      spring?.body ?? "",
      /^!\[A\]\(\/media\/\w+\.svg\) \[next\]\(\/club\/2024\/05\/01\/may\) \[all\]\(\/news\/feed\.atom\)$/,
    );
    assert.deepEqual(Object.keys(spring?.relations ?? {}).sort(), ["authors", "topics"]);
    for (const path of ["/2024/06/01/hidden", "/2099/01/01/later"]) {
      assert.equal((await record.content.itemAt(path))?.status, "draft", path);
    }
    assert.match(err, /2099-01-01-later\.md:\d+: date: warning: is in the future/);
    const redirects = await redirectsOf(line);
    assert.equal(redirects["/blog"], "/news");
    for (const feed of ["/feed.xml", "/atom.xml", "/posts.atom.xml"]) {
      assert.equal(redirects[feed], "/news/feed.atom", feed);
    }
  });

  it("are served at their addresses, in the list, in the feed, and former lists lead there", async () => {
    using line = await openSiteLine();
    const folder = folderOf(line, {
      "hugo.toml": "title = 'Old'\n[[menu.main]]\nname = 'Our blog'\nurl = '/blog/'\n",
      "content/blog/_index.md": "---\ntitle: Blog\n---\n",
      "content/blog/spring.md": page("title: Spring", "date: 2024-02-01", "tags: [trees]"),
      "content/blog/may/index.md": page("title: May", "date: 2024-05-01"),
    });
    assert.equal((await line.run("import", folder, "--publish")).code, 0);
    await using app = await openApp(readConfig(line.environment), { log: createLog("silent") });
    const get = (path: string) => sendTo(app.http, path);
    const list = await (await get("/news")).text();
    assert.match(list, /<a [^>]*href="\/blog\/may"[\s\S]*<a [^>]*href="\/blog\/spring"/);
    assert.match(list, /<nav class="main-links"[^>]*><ul><li><a href="\/news"[^>]*>Our blog</);
    const feed = await (await get("/news/feed.atom")).text();
    assert.match(feed, /\/blog\/may"[\s\S]*\/blog\/spring"/);
    const post = await get("/blog/spring");
    assert.equal(post.status, 200);
    assert.match(await post.text(), /<p class="byline">1 February 2024</);
    for (const [from, to] of [
      ["/blog", "/news"],
      ["/blog/page/2", "/news"],
      ["/index.xml", "/news/feed.atom"],
      ["/blog/index.xml", "/news/feed.atom"],
    ] as const) {
      const { status, headers } = await get(from);
      const location = headers.get("location")?.replace(/^https?:\/\/[^/]+/, "");
      assert.deepEqual([status, location], [308, to], from);
    }
    const sitemap = await (await get("/sitemap.xml")).text();
    assert.match(sitemap, /\/blog\/spring</);
  });

  for (const [program, files, posts, redirects] of FOLDERS) {
    it(`are found by the folders and settings of ${program}, and only where they have a date`, async () => {
      const found = await imported(files);
      assert.equal(found.code, 0, found.err);
      assert.deepEqual(found.posts, posts);
      for (const [from, to] of Object.entries(redirects)) {
        assert.equal(found.redirects[from], to, `${from} ${JSON.stringify(found.redirects)}`);
      }
    });
  }

  it("keep the text above their list, as a page with a link to it, and pages beside them", async () => {
    const found = await imported({
      "hugo.toml": "",
      "content/news/_index.md":
        "---\ntitle: Our news\ndate: 2020-01-01\n---\nWe write **monthly**.\n",
      "content/news/a.md": page("title: A", "date: 2024-02-01"),
      "content/news/press.md": page("title: For the press"),
      "content/b.md": "---\ntitle: B\n---\n[news](/news/) [feed](/news/index.xml) [list](/posts)",
    });
    assert.equal(found.code, 0, found.err);
    assert.equal(found.err, "");
    assert.match(found.out, /^Dated posts: 1, listed at \/posts \(News\)$/m);
    assert.deepEqual(found.posts, {
      "/news": "page",
      "/news/a": "news 2024-02-01",
      "/news/press": "page",
      "/b": "page",
    });
    assert.equal(found.redirects["/news"], undefined);
    assert.equal(found.redirects["/news/index.xml"], "/posts/feed.atom");

    using line = await openSiteLine();
    const first = folderOf(line, { "_config.yml": "", "_posts/2024-01-01-a.md": page("title: A") });
    assert.equal((await line.run("import", first, "--publish")).code, 0);
    line.file("new/hugo.toml", "");
    line.file("new/content/news/b.md", page("title: B", "date: 2024-02-01"));
    const index = line.file("new/content/news/_index.md", "---\ntitle: Ours\n---\nWe write.\n");
    const told = await line.run("import", index.replace(/\/content.*/, ""), "--publish");
    assert.equal(told.code, 0, told.err);
    assert.match(told.err, /the service needs \/news itself; the page is at \/pages\/news/);
    await using record = await openRecordForCommand(readConfig(line.environment));
    const kept = await record.content.itemAt("/pages/news");
    assert.equal(kept?.body.trim(), "We write.\n\n[News](/news)");
  });

  it("stay pages, or become another type, where that is stated", async () => {
    const files = {
      "_config.yml": "",
      "_posts/2024-02-01-a.md": page("title: A"),
      "_posts/2024-02-02-b.md": page("title: B", "type: page"),
    };
    const pages = await imported(files, "--as", "post=page");
    assert.equal(pages.code, 0, pages.err);
    assert.deepEqual(pages.posts, { "/2024/02/01/a": "page", "/2024/02/02/b": "page" });
    assert.deepEqual(pages.redirects, {
      "/2024/02/01/a.html": "/2024/02/01/a",
      "/2024/02/02/b.html": "/2024/02/02/b",
    });
    const news = await imported(files);
    assert.deepEqual(news.posts, { "/2024/02/01/a": "news 2024-02-01", "/2024/02/02/b": "page" });
    const wrong = await imported(files, "--as", "post=diary");
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /Cannot read "post=diary": say which type takes which posts/);
  });

  it("keep the type that the site has them in, and use the site's own type, extended where it lacks places", async () => {
    using line = await openSiteLine();
    const folder = folderOf(line, {
      "_config.yml": "permalink: pretty\n",
      "_posts/2024-02-01-a.md": page("title: A", "author: Ann Lee", "tags: [trees]"),
    });
    await line.run("import", folder, "--publish", "--as", "post=page");
    const again = await line.run("import", folder, "--publish", "--as", "-");
    assert.equal(again.code, 0, again.err);
    assert.match(again.out, /^0 created, 0 updated, 1 unchanged/m);
    assert.match(again.out, /^Posts that the site has as items of another type: 1; they keep it/m);
    assert.deepEqual(await postsOn(line), { "/2024/02/01/a": "page" });

    using other = openCommandLine();
    other.file("site/site.yaml", readFileSync("demo/site.yaml", "utf8"));
    const type =
      "name: article\nlabel: Article\nplural: Articles\ndescription: What we write.\nlistPath: /writing\nfields:\n  day: {kind: date, label: Day, filter: true, sort: true}\ndefaultSort: day\ndated: {by: day}\n";
    other.file("site/types/article.yaml", type);
    other.file("site/content/a.md", "---\ntitle: A\n---\n");
    assert.equal((await other.run("import", join(other.folder, "site"))).code, 0);
    const told = await other.run(
      "import",
      folderOf(other, {
        "_config.yml": "permalink: pretty\n",
        "_posts/2024-02-01-a.md": page(
          "title: A",
          "author: Ann Lee",
          "tags: [trees]",
          "lastmod: 2024-03-01",
        ),
      }),
      "--publish",
    );
    assert.equal(told.code, 0, told.err);
    assert.match(
      told.out,
      /^The type "article" was extended for the posts: updated, topics, authors$/m,
    );
    await using record = await openRecordForCommand(readConfig(other.environment));
    const item = await record.content.itemAt("/2024/02/01/a");
    assert.deepEqual(item?.fields, { day: "2024-02-01", updated: "2024-03-01" });
    assert.deepEqual(Object.keys(item?.relations ?? {}).sort(), ["authors", "topics"]);
  });

  it("lead former lists of each language to the list in that language, and give way to redirects that are there", async () => {
    using line = openCommandLine();
    const site = "name: S\ndescription: D.\nlanguage: en\nlanguages: [de]\nwhenToUse: [x]\n";
    line.file("site/site.yaml", `${site}contact: { email: a@b.example }\n`);
    line.file("site/content/x.md", "---\ntitle: X\nredirectFrom: [/index.xml]\n---\n");
    const first = await line.run("import", join(line.folder, "site"), "--publish");
    assert.equal(first.code, 0, first.err);
    const folder = folderOf(line, {
      "hugo.toml": "defaultContentLanguage = 'en'\n[languages.en]\n[languages.de]\n",
      "content/en/blog/a.md": page("title: A", "date: 2024-02-01"),
      "content/de/blog/a.md": page("title: Ah", "date: 2024-02-01"),
      "content/en/blog/b.md": page("title: B", "date: 2024-02-02"),
      "content/de/blog/b.md": page("title: Beh"),
      "content/de/articles/_index.md": "---\ntitle: Artikel\nurl: /de/artikel/\n---\n",
      "static/_redirects": "/blog/index.xml /x\n/feed /blog/index.xml\n/old /de/blog/\n",
    });
    const { code, err } = await line.run("import", folder, "--publish");
    assert.equal(code, 0, err);
    const redirects = await redirectsOf(line);
    assert.equal(redirects["/blog"], "/news");
    assert.equal(redirects["/de/blog"], "/de/news");
    assert.equal(redirects["/old"], "/de/news");
    assert.equal(redirects["/de/artikel"], "/de/news");
    assert.equal(redirects["/de/artikel/index.xml"], "/de/news/feed.atom");
    assert.equal(redirects["/de/blog/index.xml"], "/de/news/feed.atom");
    assert.equal(redirects["/index.xml"], "/x");
    assert.equal(redirects["/blog/index.xml"], "/x");
    assert.equal(redirects["/feed"], "/x");
    assert.match(
      err,
      /de\/blog\/b\.md:\d+: date: warning: is not linked to \/blog\/b, which it translates/,
    );
    await using record = await openRecordForCommand(readConfig(line.environment));
    const original = await record.content.itemAt("/blog/a");
    assert.equal((await record.content.itemAt("/de/blog/a"))?.translationOf, original?.id);
  });

  it("come through an export and an import unchanged, and again from their folder", async () => {
    using line = await openSiteLine();
    const folder = folderOf(line, {
      "_config.yml": "",
      "_posts/2024-02-01-a.md": page(
        "title: A",
        "tags: [trees]",
        "author: Bo",
        "lastmod: 2024-02-09",
      ),
      "_posts/2024-02-03-b.md": page("title: B", "draft: true"),
    });
    await line.run("import", folder, "--publish");
    const again = await line.run("import", folder, "--publish");
    assert.match(again.out, /^0 created, 0 updated, 2 unchanged, 0 failed/m);
    assert.match(again.out, /^Redirects: 0 created, \d+ unchanged, 0 not needed, 0 failed$/m);
    const site = join(line.folder, "site");
    assert.equal((await line.run("export", site)).code, 0);
    using other = openCommandLine();
    const told = await other.run("import", site);
    assert.equal(told.code, 0, told.err);
    const lines = async (from: CommandLine) => {
      const file = join(from.folder, "items.jsonl");
      assert.equal((await from.run("export", file)).code, 0);
      return readFileSync(file, "utf8").trim().split("\n").sort();
    };
    assert.deepEqual(await lines(other), await lines(line));
    assert.deepEqual(await redirectsOf(other), await redirectsOf(line));
  });
});
