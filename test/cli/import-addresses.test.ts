import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importedFolder } from "../support/imported-folder.ts";

describe("addresses in folders of other programs", () => {
  it("are those that the settings of Jekyll make, without what these leave out", async () => {
    const { code, err, out, items } = await importedFolder(
      {
        "_config.yml":
          "repository: https://code.example/society\npermalink: /news/:year/:title/\nexclude: [notes]\ninclude: [CONTRIBUTING.md]\ncollections:\n  guides: { output: true, permalink: '/help/:path/' }\n  people: { output: false }\n",
        "README.md": "# Society",
        "CONTRIBUTING.md": "# Take part",
        "CODE_OF_CONDUCT.md": "# Be kind",
        "LICENSE.md": "# Free to share",
        "_guides/join.md":
          '---\ntitle: Join\n---\n<a href="/news/2024/spring/">Spring</a> {{ site.repository }}',
        "_people/ada.md": "---\ntitle: Ada\n---\n",
        "_posts/2024-02-01-spring.md": "---\ntitle: Spring is here\n---\n[All](/about.html)",
        "about.md":
          "---\ntitle: 2024\npermalink: about.html\nredirect_from: [/help/join/, /assets/, /feed.atom]\n---\nText",
        "feed.md": "---\npermalink: /feed.json\n---\n",
        "old.md": "---\ntitle: Old\nredirect_to: /older/\n---\n",
        "older.md": "---\ntitle: Older\nredirect_to: /about/\n---\n",
        "notes/secret.md": "---\ntitle: Secret\n---\n",
      },
      "/",
      "/help/join",
      "/news/2024/spring",
      "/about",
      "/LICENSE",
    );
    assert.equal(code, 0, err);
    assert.match(out, /^4 created, 2 updated, 0 unchanged, 0 failed, 6 skipped$/m);
    assert.match(out, /^Redirects: 5 created, 0 unchanged, 0 not needed, 0 failed$/m);
    assert.equal(items.get("/")?.title, "Society");
    assert.equal(
      items.get("/help/join")?.body,
      '<a href="/news/2024/spring">Spring</a> https://code.example/society',
    );
    assert.equal(items.get("/news/2024/spring")?.body, "[All](/about)");
    assert.equal(items.get("/about")?.title, "2024");
    assert.equal(items.get("/LICENSE")?.title, "Free to share");
    for (const former of ["/help/join", "/assets", "/feed.atom"]) {
      assert.ok(err.includes(`warning: ${former} is left out: another page has it`), err);
    }
  });

  it("are those of Jekyll's defaults for folders and kinds, as are languages and what is not public", async () => {
    const { code, err, items } = await importedFolder(
      {
        "_config.yml": `collections:
  guides: { output: true, permalink: "/:collection/:path/" }
defaults:
  - scope: { path: "" }
    values: { layout: page, description: About us }
  - scope: { path: "", type: posts }
    values: { permalink: "/:year/:i_month/:title" }
  - scope: { path: "_guides/book" }
    values: { permalink: "/book/:title.html", lang: de }
  - scope: { path: "_guides/b*k/s*r*t", type: guides }
    values: { published: false }
  - scope: { path: "_guides/b*k/x*" }
    values: { lang: fr }
  - scope: { path: "${"*a".repeat(100)}*b" }
    values: { lang: fr }
`,
        [`${"a".repeat(200)}/page.md`]: "---\ntitle: Deep\n---\nText",
        "_guides/start.md": "---\ntitle: Start\n---\nText",
        "_guides/book/one.md": "---\ntitle: Erstens\n---\nText",
        "_guides/book/two.md": "---\ntitle: Second\nlang: en\n---\nText",
        "_guides/book/secret/three.md": "---\ntitle: Third\n---\nText",
        "_posts/2024-02-01-spring.md":
          "---\ntitle: Spring is here\ndate: 2024-02-01 15:00 -04:00\n---\nText",
      },
      ..."/guides/start /book/one /book/two /book/three /2024/2/spring".split(" "),
    );
    assert.equal(code, 0, err);
    const found = [...items].map(([path, { language, status, summary }]) => {
      return [path, language, status, summary].join(" ");
    });
    assert.deepEqual(found, [
      "/guides/start en published About us",
      "/book/one de published About us",
      "/book/two en published About us",
      "/book/three de draft About us",
      "/2024/2/spring en published About us",
    ]);
    assert.equal(items.get("/2024/2/spring")?.publishedAt, "2024-02-01T19:00:00.000Z");
  });

  it("are found by files below the folders above a page, as Docusaurus reads links", async () => {
    const { code, err, items } = await importedFolder(
      {
        "docusaurus.config.js": "module.exports = {};\n",
        "docs/manual/start.md": "---\ntitle: Start\n---\nText",
        "docs/help/deep/page.md":
          "---\ntitle: Page\n---\n[a](manual/start.md#first) [b](docs/manual/start.md) [c](start.md)",
      },
      "/docs/help/deep/page",
    );
    assert.equal(code, 0, err);
    assert.match(err, /the link "start\.md" leads to no file/);
    assert.equal(
      items.get("/docs/help/deep/page")?.body,
      "[a](/docs/manual/start#first) [b](/docs/manual/start) [c](/docs/help/deep/start.md)",
    );
  });

  it("name the language once, and a wrong date costs no page", async () => {
    const { code, err, items } = await importedFolder(
      {
        "_config.yml": "permalink: pretty\n",
        "de/news/_posts/2024-02-01-spring.md":
          "---\ntitle: Mai\ndate: 2013-11-22 5:17:00 +0000\n---\nText",
        "de/named.md": '---\ntitle: Named\ndate: "May 3, 2024"\n---\nText',
        "en/news/_posts/2024-02-01-spring.md":
          "---\ntitle: May\ndate: 2024-02-01 25:00:00 +0000\n---\nText",
      },
      "/de/news/2013/11/22/spring",
      "/de/named",
      "/en/news/2024/02/01/spring",
    );
    assert.equal(code, 0, err);
    const days = [...items.values()].map(({ publishedAt }) => publishedAt?.slice(0, 16));
    assert.deepEqual(days.slice(0, 2), ["2013-11-22T05:17", "2024-05-03T00:00"]);
    assert.equal(items.size, 3, err);
    assert.equal(err.match(/date: warning: is not a date and is left out/g)?.length, 1, err);
  });

  it("take dates with dots for days of months, and say so where a date may be two", async () => {
    const page = (date: string) => `---\ntitle: A\n${date}\n---\nText`;
    const { code, err, items } = await importedFolder(
      {
        "hugo.toml": "",
        "content/a.md": page("date: 13.5.2024"),
        "content/b.md": page("date: 3.5.2024"),
        "content/c.md": page("date: 2024-02-30"),
        "content/d.md": page("date: 3/5/2024"),
        "content/e.md": page("date: 2020-01-01\npublishedAt: 2999-01-01"),
        "content/f.md": page("publishDate: next year"),
        "content/g.md": page("date: Chapter 5"),
      },
      ..."/a /b /c /d /e /f /g".split(" "),
    );
    assert.equal(code, 0, err);
    const states = [...items].map(([path, { publishedAt, status }]) => [
      ...[path, status, ...(/[abd]$/.test(path) ? [publishedAt?.slice(0, 10)] : [])],
    ]);
    assert.deepEqual(states, [
      ["/a", "published", "2024-05-13"],
      ["/b", "published", "2024-05-03"],
      ["/c", "published"],
      ["/d", "published", "2024-03-05"],
      ["/e", "draft"],
      ["/f", "draft"],
      ["/g", "published"],
    ]);
    assert.match(err, /c\.md:3: date: warning: is not a date and is left out/);
    assert.match(
      err,
      /d\.md:3: date: warning: may be two different days and is read as 2024-03-05/,
    );
    assert.match(
      err,
      /f\.md:3: publishDate: warning: is a date of publication that cannot be read/,
    );
    assert.match(err, /g\.md:3: date: warning: is not a date and is left out/);
  });

  it("follow the settings of Hugo: folders of languages, permalinks of a section", async () => {
    const { code, err, items } = await importedFolder(
      {
        "config/_default/hugo.toml":
          'baseURL = "https://old.example/"\ndefaultContentLanguage = "de"\n[permalinks]\nposts = "/:year/:month/:slug/"\n[languages.de]\ncontentDir = "content/deutsch"\n[languages.en]\ncontentDir = "content/english"\n',
        "content/deutsch/posts/Mai.md": '+++\ntitle = "Mai"\ndate = 2024-05-01\n+++\n[Wir](/Wir/)',
        "content/deutsch/Wir.md": "+++\ntitle = 'Wir'\n+++\nText",
        "content/english/Wir.md": "---\ntitle: We\n---\n[May](/en/posts/)",
        "layouts/index.html": "never",
      },
      "/2024/05/mai",
      "/wir",
      "/en/wir",
    );
    assert.equal(code, 0, err);
    assert.equal(items.get("/2024/05/mai")?.language, "de");
    const original = items.get("/wir");
    assert.equal(items.get("/en/wir")?.translationOf, original?.id);
    assert.equal(items.get("/en/wir")?.language, "en");
  });

  it("are found in folders of whole repositories, and begin where the program's content does", async () => {
    const docusaurus = await importedFolder(
      {
        "website/docusaurus.config.js":
          "presets: [{ docs: { routeBasePath: '/' } }, { path: 'people', routeBasePath: '/people' }]",
        "website/people/index.mdx": "# People",
        "website/static/img/a.svg":
          '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
        "docs/api/Start.md":
          "---\nid: begin\n---\n# Begin\n![A](/img/a.svg) [people](/people) [next](next)",
        "docs/api/next.md": "# Next",
        "CONTRIBUTING.md": "# Not for visitors",
      },
      "/pages/api/begin",
      "/people",
    );
    assert.equal(docusaurus.code, 0, docusaurus.err);
    assert.match(
      docusaurus.items.get("/pages/api/begin")?.body ?? "",
      /^!\[A\]\(\/media\/.*\[people\]\(\/people\) \[next\]\(\/pages\/api\/next\)$/,
    );
    assert.match(docusaurus.err, /warning: the service needs \/api\/begin itself; the page is at/);

    const eleventy = await importedFolder(
      {
        "eleventy.config.js": 'export const config = { dir: { input: "src" } };',
        "src/posts/2024-02-01-spring.md": "---\ntitle: Spring\n---\nText {# not shown #}",
        "src/docs/docs.md": "---\ntitle: Docs\n---\n",
      },
      "/posts/spring",
      "/docs",
    );
    assert.equal(eleventy.code, 0, eleventy.err);
    assert.equal(eleventy.items.get("/posts/spring")?.publishedAt, "2024-02-01T00:00:00.000Z");
    assert.equal(eleventy.items.get("/docs")?.title, "Docs");

    const zola = await importedFolder(
      {
        "config.toml": 'base_url = "https://old.example"\n',
        "content/blog/2024-02-01-spring.md":
          '+++\ntitle = "Spring"\naliases = ["old/spring"]\n+++\n[us](@/us.md#x) {{ youtube(id="abc") }}',
        "content/us.md": '+++\npath = "about/us-1.0"\ntitle = "Us"\n+++\n',
      },
      "/blog/spring",
      "/about/us-1.0",
    );
    assert.equal(zola.code, 0, zola.err);
    assert.match(
      zola.items.get("/blog/spring")?.body ?? "",
      /^\[us\]\(\/about\/us-1\.0#x\) \[http/,
    );
    assert.equal(zola.items.get("/about/us-1.0")?.title, "Us");
  });

  it("are those that templates of Eleventy make, or are reported", async () => {
    const page = (permalink: string, more = "") =>
      `---\ntitle: "Grüße & mehr, it's!"\nkind: Short Notes\npermalink: '${permalink.replaceAll("'", "''")}'\n${more}---\nText`;
    const pages = {
      "a.md": page("/journal/{{ title | slugify }}/"),
      "b.md": page('/y/{{ page.date | date: "%Y/%-m" }}/{{page.fileSlug}}/', "date: 2022-02-03\n"),
      "posts/2024-05-01-c.md": page("{{ page.filePathStem }}/"),
      "d.md": page("/d/{{ title | slug }}/index.html"),
      "e.njk": page(
        "{{ page.date.getFullYear() }}/{{ kind | lower | slug }}.html",
        "date: 2022-02-03\n",
      ),
      "f.md":
        "---\ntitle: F\neleventyComputed:\n  permalink: '/f/{{ kind | downcase }}'\nkind: K\n---\nText",
      "guide/index.md": page("/all/{{ page.fileSlug }}{{- 'x|y' | slugify -}}/"),
      "g.md": page("/g/{{ title | custom }}/"),
      "h.md": page('/h/{{ page.date | date: "%Y" }}/'),
      "i.md": page("{% if kind %}/i/{% endif %}"),
      "j.md": page("/j/{{ title }"),
      "k.md": page("/k/{{ nothing | slug }}/"),
      "l.md": page("/l/{{ page.date }}/", "date: 2022-02-03\n"),
      "m.md": page('/m/{{ "Приветы" | slugify }}/'),
    };
    const files = Object.entries(pages).map(([name, text]) => [`src/${name}`, text]);
    const { code, err, items } = await importedFolder(
      {
        ...Object.fromEntries(files),
        "eleventy.config.js": 'export const config = { dir: { input: "src" } };',
        "src/links.md": "---\ntitle: Links\n---\n[d](/d/grusse-and-mehr-it's!/)",
      },
      ..."/journal/gruesse-and-mehr-it-s /y/2022/2/b /posts/c /d/grusse-and-mehr-its".split(" "),
      ..."/2022/short-notes /f/k /all/guidex-y /g /h /i /j /k /l /m /links".split(" "),
    );
    assert.equal(code, 0, err);
    assert.equal(items.size, 15, err);
    assert.equal(items.get("/links")?.body, "[d](/d/grusse-and-mehr-its)");
    const reported = [...err.matchAll(/(\w)\.md:4: permalink: warning: the address/g)];
    assert.deepEqual(reported.map(([, name]) => name).join(""), "ghijklm", err);
  });

  it("are those of the site where a tag shows the address of a file", async () => {
    const hugo = await importedFolder(
      {
        "hugo.toml": "",
        "content/a.md":
          '---\ntitle: A\n---\nSee {{< ref "guide/other" >}}. [o]({{< relref "other.md#b" >}}) `{{< ref "other.md" >}}`',
        "content/guide/other.md": "---\ntitle: Other\nurl: /special/\n---\nText",
      },
      "/a",
    );
    assert.deepEqual([hugo.code, hugo.err], [0, ""]);
    assert.equal(hugo.items.get("/a")?.body, "See /special. [o](/special#b) `/special`");
    const jekyll = await importedFolder(
      {
        "_config.yml": "permalink: /:year/:title/\n",
        "_posts/2020-01-02-q.md": "---\ntitle: Q\n---\nText",
        "a.md":
          "---\ntitle: A\n---\n{% post_url 2020-01-02-q %} and {% link b.html %}\n\n{% post_url 2020-01-03-none %} [n]({% post_url 2020-01-04-none %})",
        "b.html": "---\ntitle: B\n---\n<p>See {% post_url 2020-01-02-q %}</p>",
      },
      "/a",
      "/b",
    );
    assert.match(jekyll.items.get("/a")?.body ?? "", /^\/2020\/q and \/b\n/);
    assert.equal(jekyll.items.get("/b")?.body, "See /2020/q");
    const reported = jekyll.err.match(/a\.md:6: body: warning: the link "\S+" leads to no file/g);
    assert.equal(reported?.length, 2, jekyll.err);
  });

  it("keep the language of all pages but those of Hugo, and fall back where a translation lacks", async () => {
    const { code, err, items } = await importedFolder(
      {
        "astro.config.mjs": "starlight({ defaultLocale: 'en' })",
        "src/content/docs/en/guide/start.mdx": "---\ntitle: Start\n---\n",
        "src/content/docs/de/index.mdx": "---\ntitle: Deutsch\n---\n[Start](/de/guide/start/)",
        "src/content/docs/en/index.mdx": "---\ntitle: English\n---\n",
      },
      "/en/guide/start",
      "/de",
    );
    assert.equal(code, 0, err);
    assert.equal(items.get("/de")?.body, "[Start](/en/guide/start)");
    assert.notEqual(items.get("/de")?.translationOf, null);
  });
});
