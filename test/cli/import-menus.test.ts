import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";

type Files = Readonly<Record<string, string>>;

async function menusOf({ environment }: CommandLine) {
  await using record = await openRecordForCommand(readConfig(environment));
  return (await record.content.site())?.menus ?? {};
}

async function imported(line: CommandLine, name: string, files: Files) {
  for (const [file, text] of Object.entries(files)) line.file(`${name}/${file}`, text);
  const result = await line.run("import", join(line.folder, name), "--publish");
  return { ...result, menus: await menusOf(line) };
}

const page = (title: string, more = "") => `---\ntitle: ${title}\nlayout: page\n${more}---\nText`;

describe("the navigation of a folder of another program", () => {
  it("is that of Hugo: settings in TOML, pages, weights, parents, languages", async () => {
    using line = openCommandLine();
    const { code, out, err, menus } = await imported(line, "hugo", {
      "hugo.toml": `baseURL = "https://old.example"
defaultContentLanguage = "en"
[languages.en]
[languages.de]
[[languages.de.menu.main]]
name = "Verein"
pageRef = "/about"
[[menu.main]]
name = "Shop"
url = "https://shop.example/"
weight = 30
[[menu.main]]
name = "Us"
identifier = "us"
weight = 10
[[menu.main]]
name = "Gone"
url = "/gone/"
weight = 20
[[menu.footer]]
name = "Imprint"
url = "/imprint"
`,
      "content/_index.md": page("Home"),
      "content/about.md": page("About", "menu:\n  main:\n    parent: us\n    weight: 2\n"),
      "content/about.de.md": page("Über"),
      "content/people.md": page(
        "People",
        'menus:\n  main: {parent: us, weight: 1, name: "Who  we are"}\n',
      ),
      "content/join.md": page("Join us", "menu: main\n"),
    });
    assert.equal(code, 0, err);
    assert.deepEqual(menus, {
      en: [
        { label: "Us", entries: [{ label: "Who we are", to: "/people" }, { to: "/about" }] },
        { label: "Shop", to: "https://shop.example/", entries: [] },
        { to: "/join", entries: [] },
      ],
      de: [{ label: "Verein", to: "/de/about", entries: [] }],
    });
    assert.match(out, /^The navigation of the folder is now that of the site: 6 entries/m);
    assert.match(
      err,
      /hugo\.toml:16: warning: the navigation leads to "\/gone\/", which is not a page/,
    );
    assert.match(err, /hugo\.toml:20: warning: of the menu "footer" 1 entries are left out/);
    assert.doesNotMatch(out, /menus? \(\d\)/);
  });

  it("is that of Hugo in files of its own, and of Eleventy's pages", async () => {
    using line = openCommandLine();
    const hugo = await imported(line, "hugo", {
      "config/_default/hugo.yaml": "baseURL: https://old.example\n",
      "config/_default/menus.en.yaml":
        "main:\n  - name: B\n    url: /b/\n    weight: 2\n  - name: A\n    url: /a/#top\n    weight: 1\n",
      "config/_default/languages.yaml": "en: {}\npt-br: {}\n",
      "config/_default/menus.pt-br.yaml": "main:\n  - name: Um\n    url: /a/\n",
      "layouts/x.html": "",
      "content/a.md": page("First"),
      "content/b.md": page("Second"),
    });
    assert.deepEqual(hugo.menus, {
      en: [
        { label: "A", to: "/a#top", entries: [] },
        { label: "B", to: "/b", entries: [] },
      ],
      "pt-BR": [{ label: "Um", to: "/a", entries: [] }],
    });
    using other = openCommandLine();
    const eleventy = await imported(other, "eleventy", {
      "eleventy.config.js": "export default {};",
      "a.md": page("First", "eleventyNavigation: { key: a, order: 2 }\n"),
      "b.md": page("Second", "eleventyNavigation: { key: b, order: 1, title: Two }\n"),
      "c.md": page("Third", "eleventyNavigation: { key: c, parent: a }\n"),
    });
    assert.deepEqual(eleventy.menus, {
      en: [
        { label: "Two", to: "/b", entries: [] },
        { label: "a", to: "/a", entries: [{ label: "c", to: "/c" }] },
      ],
    });
  });

  it("is read in little time from settings that name themselves, or never end", async () => {
    using line = openCommandLine();
    const harmless = { "docusaurus.config.js": "", "docs/a.md": page("A") };
    const start = process.cpuUsage();
    await imported(line, "harmless", harmless);
    const { user: ordinary } = process.cpuUsage(start);
    const before = process.cpuUsage();
    const entries = Array.from({ length: 500 }, () => "  - {name: x, parent: x, url: /a}\n").join(
      "",
    );
    await imported(line, "hugo", {
      "hugo.yaml": `menu:\n  main:\n  - {name: y, identifier: x, url: /a}\n${entries.replaceAll(/^ {2}/gm, "  ")}`,
      "content/a.md": page("A"),
    });
    for (const [at, rest] of ["/* ", "`a\\", "[{a:", '"\\"', "a(", "/*/"].entries()) {
      await imported(line, `scripts-${at}`, {
        "docusaurus.config.js": `navbar: { items: [${rest.repeat(100_000)}`,
        "docs/a.md": page("A"),
      });
    }
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 8_000_000 + 7 * ordinary);
  });

  it("says which entries it leaves out because their parents form a circle", async () => {
    using line = openCommandLine();
    const { err, out, menus } = await imported(line, "circle", {
      "hugo.toml": `[[menu.main]]
name = "Egg"
url = "/about/"
parent = "Hen"
[[menu.main]]
name = "Hen"
url = "/about/"
parent = "Egg"
[[menu.main]]
name = "Us"
url = "/about/"
`,
      "content/about.md": page("About"),
    });
    assert.deepEqual(menus, { en: [{ label: "Us", to: "/about", entries: [] }] });
    assert.match(
      out + err,
      /hugo\.toml:\d+:.*whose parents form a circle are left out: 2, as "Egg"/,
    );
  });

  it("is that of Jekyll: its data file, or the pages of the header", async () => {
    using line = openCommandLine();
    const { err, menus } = await imported(line, "jekyll", {
      "_config.yml": "title: Old\n",
      "_data/navigation.yml":
        "# of minimal mistakes\nmain:\n  - title: About\n    url: /about/\n    children:\n      - title: People\n        url: '{{ site.baseurl }}/people.html'\n      - title: Old\n        url: /old/\n  - title: Blog\n    url: https://blog.example/\n",
      "about.md": page("About"),
      "people.md": page("People"),
    });
    assert.deepEqual(menus, {
      en: [
        { label: "About", to: "/about", entries: [{ label: "People", to: "/people" }] },
        { label: "Blog", to: "https://blog.example/", entries: [] },
      ],
    });
    assert.match(err, /_data\/navigation\.yml:8: warning: the navigation leads to "\/old\/"/);
    using other = openCommandLine();
    const minima = await imported(other, "minima", {
      "_config.yml": "title: Old\nheader_pages:\n  - people.md\n  - about.md\n",
      "about.md": page("About"),
      "people.md": page("People"),
    });
    assert.deepEqual(minima.menus, {
      en: [
        { to: "/people", entries: [] },
        { to: "/about", entries: [] },
      ],
    });
  });

  it("is that of a site.yaml that was put into the folder, which is read as before", async () => {
    using line = openCommandLine();
    const { code, err, out, menus } = await imported(line, "jekyll", {
      "site.yaml": `name: Society
description: We read.
whenToUse: [read]
contact: { email: a@example.org }
menus:
  en: [{ label: Us, to: /about }, { label: Shop, to: "https://shop.example/" }]
`,
      "types/event.yaml": "name: event\nlabel: Event\nplural: Events\nlistPath: /events\n",
      "_config.yml": "title: Old\nheader_pages:\n  - people.md\n",
      "about.md": page("About", "redirect_from: us.html\n"),
      "people.md": page("People"),
      "types/of-roses.md": page("Roses"),
      "redirects.csv": "from,to\n/feed.xml,/about\n",
    });
    assert.equal(code, 0, err);
    assert.match(err, /_config\.yml:3: warning: this navigation is not imported/);
    assert.match(out, /Jekyll/);
    assert.match(out, /2 created, 1 updated/);
    assert.match(out, /redirects: 1 created/i);
    assert.deepEqual(menus, {
      en: [
        { label: "Us", to: "/about", entries: [] },
        { label: "Shop", to: "https://shop.example/", entries: [] },
      ],
    });
  });

  it("is that of MkDocs, in the folder that its settings name, with two levels", async () => {
    using line = openCommandLine();
    const { err, menus } = await imported(line, "mkdocs", {
      "mkdocs.yml":
        "site_name: Old\ndocs_dir: texts/\nnav:\n  - index.md\n  - Guide:\n      - guide/start.md\n      - Setup:\n          - First: guide/a.md\n          - guide/b.md\n  - Project: https://code.example/\n  - Lost: lost.md\nplugins:\n  - x: !!python/name:a.b\n",
      "texts/index.md": "# Home",
      "texts/guide/start.md": "# Start",
      "texts/guide/a.md": "# A",
      "texts/guide/b.md": "# B",
      "README.md": "# Not for visitors",
    });
    assert.deepEqual(menus, {
      en: [
        { to: "/", entries: [] },
        {
          label: "Guide",
          entries: [{ to: "/guide/start" }, { label: "Setup", to: "/guide/a" }],
        },
        { label: "Project", to: "https://code.example/", entries: [] },
      ],
    });
    assert.match(err, /mkdocs\.yml:7: warning: .* entries below this one are left out: 1/);
    assert.match(err, /mkdocs\.yml:11: warning: the navigation leads to "lost\.md"/);
  });

  it("is what the scripts of Docusaurus and VitePress state literally; they are never run", async () => {
    using line = openCommandLine();
    const { err, menus } = await imported(line, "docusaurus", {
      "docusaurus.config.js": `process.exit(3); // never run
const more = require("./more");
module.exports = {
  themeConfig: {
    navbar: {
      title: "Old", // { not: "this" }
      items: [
        { type: "doc", docId: "intro", label: 'Read', position: "left" },
        ...more,
        { to: "/help", label: more.label },
        { label: "More", type: "dropdown", items: [
          { href: "https://code.example/a,b", label: "Code" },
          { to: \`/help\`, label: "Help" + "!" },
        ] },
        { type: "localeDropdown", position: "right" },
        { type: "docSidebar", sidebarId: "main", label: "Book" },
      ],
    },
  },
};`,
      "docs/intro.md": "# Intro",
      "src/pages/help.md": "# Help",
    });
    assert.deepEqual(menus, {
      en: [
        { label: "Read", to: "/docs/intro", entries: [] },
        { to: "/help", entries: [] },
        {
          label: "More",
          entries: [{ label: "Code", to: "https://code.example/a,b" }, { to: "/help" }],
        },
      ],
    });
    assert.match(
      err,
      /docusaurus\.config\.js:9: warning: .* computed by a script, which is not run/,
    );
    assert.match(err, /docusaurus\.config\.js:16: warning: .* computed by a script/);
    using other = openCommandLine();
    const vitepress = await imported(other, "vitepress", {
      ".vitepress/config.ts":
        "export default { themeConfig: { nav: [{ text: 'Guide', link: '/guide' }, { text: 'All', items: [{ text: 'A', link: '/a.html' }] }], sidebar: make() } };",
      "guide.md": "# Guide",
      "a.md": "# A",
    });
    assert.deepEqual(vitepress.menus, {
      en: [
        { label: "Guide", to: "/guide", entries: [] },
        { label: "All", entries: [{ label: "A", to: "/a" }] },
      ],
    });
    using computed = openCommandLine();
    const none = await imported(computed, "computed", {
      "docusaurus.config.js": "module.exports = { themeConfig: { navbar: { items: make() } } };",
      "docs/intro.md": "# Intro",
    });
    assert.deepEqual(none.menus, {});
    assert.match(none.err, /docusaurus\.config\.js:1: warning: .* computed by a script/);
  });

  it("never replaces what editors chose, and is the same when it comes again and in an export", async () => {
    using line = openCommandLine();
    const files = {
      "mkdocs.yml": "site_name: Old\nnav:\n  - About: about.md\n  - Team: team.md\n",
      "docs/about.md": "# About",
      "docs/team.md": "# Team",
    };
    const first = await imported(line, "old", files);
    const again = await imported(line, "old", files);
    assert.deepEqual(again.menus, first.menus);
    assert.doesNotMatch(again.out + again.err, /navigation/);
    const other = await imported(line, "old", {
      ...files,
      "mkdocs.yml": "site_name: Old\nnav:\n  - Team: team.md\n",
    });
    assert.deepEqual(other.menus, first.menus);
    assert.match(
      other.err,
      /mkdocs\.yml:3: warning: this navigation is not imported, since the site has one/,
    );
    const folder = join(line.folder, "out");
    assert.equal((await line.run("export", folder)).code, 0);
    assert.match(readFileSync(join(folder, "site.yaml"), "utf8"), /menus:/);
    using copy = openCommandLine();
    assert.equal((await copy.run("import", folder)).code, 0);
    assert.deepEqual(await menusOf(copy), first.menus);
  });
});
