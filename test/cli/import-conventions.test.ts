import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  resolveGeneratorChoice,
  SITE_GENERATORS,
  UNKNOWN_HTML_GENERATOR,
  UNKNOWN_MARKDOWN_GENERATOR,
} from "../../src/content/import/conventions/site-generators.ts";
import { GENERATOR_CHOICES } from "../../src/content/site/import-choices/generator-choices.ts";
import { openCommandLine } from "../support/command-line.ts";
import { importedFolder } from "../support/imported-folder.ts";

describe("importing folders of other programs", () => {
  it("calls plain texts by their names, unless a text of the folder has front matter", async () => {
    const plain = { "opening-hours.md": "Daily from nine.", "help/me.md": "# Ask us\n\nHere." };
    const { code, out, err, items } = await importedFolder(plain, "/opening-hours", "/help/me");
    assert.equal(code, 0, out + err);
    assert.match(out, /is read as a folder of Markdown/);
    const titles = [...items.values()].map(({ title }) => title);
    assert.deepEqual(titles, ["Opening hours", "Ask us"]);
    const stated = await importedFolder({ ...plain, "about.md": "---\ntitle: Us\n---\nUs." });
    assert.equal(stated.code, 1);
    assert.match(stated.err, /opening-hours\.md:1: title: is missing/);
  });

  it("reads a folder of Jekyll: posts by their day, former addresses, tags of Liquid, pages that lead on", async () => {
    const { code, out, err, items } = await importedFolder(
      {
        "_config.yml": "title: Old site\n",
        "_layouts/default.md": "never shown",
        "404.md": "---\nlayout: default\n---\nNot here",
        "_posts/2024-02-01-spring.md":
          "---\nlayout: post\ntitle: Spring\n---\nSee {% post_url 2024-02-01-spring %}",
        "help/index.md":
          "---\ntype: Guide\nredirect_from:\n  - ../old-help\n  - https://old.example/assistance.html\n  - '%%%'\n---\n# Help\n\n{% include box.html %}\n[Spring]({% post_url 2024-02-01-spring %}) at {{ site.url }}/help/{% comment %} a\nnote {% endcomment %} {% raw %}{{ shown }}{% endraw %}\n",
        "help/code-of-conduct.md": "---\nlayout: page\ndate: someday\n---\nBe kind.",
        "gone.md": "---\nredirect_to: https://elsewhere.example/\n---\n",
        "secret.md": "---\nlayout: page\npublished: false\n---\n# Secret",
      },
      "/2024/02/01/spring",
      "/help",
      "/help/code-of-conduct",
      "/secret",
    );
    assert.equal(code, 0, err);
    assert.match(out, /is read as a folder of Jekyll/);
    assert.match(out, /^4 created, 0 updated, 0 unchanged, 0 failed, 3 skipped$/m);
    assert.match(out, /^Drafts among the new ones: 1; what says that it is not public stays so$/m);
    assert.match(out, /gone\.md only redirects to https:\/\/elsewhere\.example\//);
    assert.match(out, /^Redirects: 5 created, 0 unchanged, 0 not needed, 0 failed$/m);
    assert.match(out, /type: "Guide" \(1\)/);
    const post = items.get("/2024/02/01/spring");
    assert.equal(post?.publishedAt, "2024-02-01T00:00:00.000Z");
    const help = items.get("/help");
    assert.equal(help?.title, "Help");
    assert.match(
      help?.body ?? "",
      /\[Spring\]\(\/2024\/02\/01\/spring\) at \/help\/\s+\{\{ shown \}\}/,
    );
    assert.match(
      err,
      /help\/index\.md:10: body: warning: \{% include box\.html %\} shows something/,
    );
    assert.match(err, /help\/index\.md:3: redirect_from: warning: .*%%%/);
    assert.equal(items.get("/help/code-of-conduct")?.title, "Code of conduct");
    assert.match(err, /code-of-conduct\.md:3: date: warning: is not a date and is left out/);
    assert.equal(items.get("/secret")?.status, "draft");
  });

  it("reads a folder of Hugo: languages by folder with their originals, shortcodes, addresses", async () => {
    const { code, out, err, items } = await importedFolder(
      {
        "README.md": "# Not for visitors",
        "content/de/docs/faq.md":
          '---\ntitle: Fragen\nslug: faq\n---\n[Start](/docs/) [Fehlt](/docs/missing/)\n{{% def id="x" name="Zertifikat" %}}Ein Nachweis{{% /def %}}',
        "content/en/docs/_index.md":
          "---\ntitle: Documentation\nmenu: main\n---\n{{< docs_index >}}",
        "content/en/docs/faq.md":
          '---\ntitle: Questions\nslug: faq\n---\n{{< figure src="a.png" alt="A" >}} [back](../)',
        "content/he/docs/faq.md": "---\ntitle: שאלות\nslug: faq\n---\nשלום",
        "content/en/docs/example-org.md": "---\ntitle: A domain\nslug: example.org\n---\nText",
      },
      "/docs",
      "/docs/faq",
      "/de/docs/faq",
      "/he/docs/faq",
      "/docs/example-org",
    );
    assert.equal(code, 0, err);
    assert.match(out, /^7 created, 0 updated, 0 unchanged, 0 failed, 1 skipped$/m);
    const original = items.get("/docs/faq");
    const german = items.get("/de/docs/faq");
    assert.equal(original?.language, "en");
    assert.match(original?.body ?? "", /!\[A\].* \[back\]\(\/docs\)/);
    assert.deepEqual([german?.language, german?.translationOf], ["de", original?.id]);
    assert.equal(items.get("/he/docs/faq")?.translationOf, original?.id);
    assert.match(german?.body ?? "", /\[Start\]\(\/docs\)/);
    assert.match(german?.body ?? "", /\*\*Zertifikat\*\* Ein Nachweis/);
    assert.match(
      err,
      /de\/docs\/faq\.md:5: body: warning: the link "\/docs\/missing\/" leads to no file/,
    );
    assert.match(err, /_index\.md:5: body: warning: \{\{< docs_index >\}\} shows something/);
    assert.equal(items.get("/docs/example-org")?.title, "A domain");
    for (const { body } of items.values()) assert.doesNotMatch(body, /\{\{[<%]/);
  });

  it("reads notes of Obsidian and the docs of Docusaurus", async () => {
    const notes = await importedFolder(
      {
        ".obsidian/app.json": "{}",
        "Reading/Walden Pond.md":
          "---\naliases: [Thoreau]\n---\nSee [[index|the start]], [[Nowhere]].",
        "index.md": "[[walden pond#Spring]]",
      },
      "/",
      "/reading/walden-pond",
      "/Reading/walden-pond",
    );
    assert.equal(notes.code, 0, notes.err);
    const note = notes.items.get("/reading/walden-pond") ?? notes.items.get("/Reading/walden-pond");
    assert.equal(note?.title, "Walden Pond");
    assert.match(note?.body ?? "", /\[the start\]\(\/\), Nowhere\./);
    assert.match(notes.items.get("/")?.body ?? "", /\[walden pond\]\(.*walden-pond#spring\)/);

    const docs = await importedFolder(
      {
        "docusaurus.config.js": "",
        "docs/02-setup/01-install.md": "---\nsidebar_position: 1\n---\n# Install",
        "docs/intro.md": "---\nslug: /\ntitle: Intro\n---\n[Install](./02-setup/01-install.md)",
        "blog/2023-05-04-news.md": "---\ntitle: News\n---\nText",
        "blog/2023-06-01-summer/index.md": "---\ntitle: Summer\nslug: warm\n---\nText",
        "blog/2023-07-01-late.md": "---\ntitle: Late\nslug: notes/late\n---\nText",
      },
      "/docs",
      "/docs/setup/install",
      "/blog/2023/05/04/news",
      "/blog/warm",
      "/blog/notes/late",
    );
    assert.equal(docs.code, 0, docs.err);
    assert.equal(docs.items.get("/docs/setup/install")?.title, "Install");
    assert.match(docs.items.get("/docs")?.body ?? "", /\[Install\]\(\/docs\/setup\/install\)/);
    assert.equal(docs.items.get("/blog/2023/05/04/news")?.title, "News");
    assert.equal(docs.items.get("/blog/warm")?.title, "Summer");
    assert.equal(docs.items.get("/blog/notes/late")?.title, "Late");
  });

  it("reads pages of HTML: their content without what stands around it, and their old addresses", async () => {
    const page = (body: string) =>
      `<!doctype html><html lang="en"><head><title>Home | Society</title><meta name="description" content="What we do"></head><body>${body}</body></html>`;
    const { code, out, err, items } = await importedFolder(
      {
        "index.html": page(
          '<nav><a href="about.html">Menu</a></nav><div class="sidebar">Aside</div><h1>Welcome</h1><p onclick="x()">We <b>read</b> <a href="help/me.html#top">more</a>.</p><table><tr><th>A</th></tr><tr><td>1</td></tr></table><script>alert(1)</script><footer>Imprint</footer>',
        ),
        "help/me.html": page("<header>Society</header><main><p>Text</p></main>"),
        "deep.html": page("<div>".repeat(5000)),
        "letter.docx": "",
      },
      "/",
      "/help/me",
    );
    assert.equal(code, 1);
    assert.match(out, /is read as a folder of HTML pages/);
    assert.match(out, /^1 created, 1 updated, 0 unchanged, 1 failed$/m);
    assert.match(err, /\.docx:1: .*is not a Word document/);
    assert.match(err, /deep\.html:1: nests too deep/);
    const home = items.get("/");
    assert.deepEqual([home?.title, home?.summary], ["Welcome", "What we do"]);
    assert.equal(home?.body, "We **read** [more](/help/me#top).\n\n| A |\n| - |\n| 1 |");
    assert.deepEqual([items.get("/help/me")?.title, items.get("/help/me")?.body], ["Home", "Text"]);
    assert.equal(
      (await importedFolder({ "a.html": page("<main>A</main>") }, "/a.html")).items.get("/a.html")
        ?.path,
      "/a",
    );
  });

  it("reads pages in the folder of a list as items of it, and leaves the list itself to the site", async () => {
    const { code, out, items } = await importedFolder(
      {
        "topics.html": "<main><h1>All topics</h1></main>",
        "topics/time.html": '<main><h1>Time</h1><p><a href="../topics.html">All</a></p></main>',
        "topics/old/more.html": "<main><h1>More</h1></main>",
        "topics/age.md": "---\ntype: page\npath: /age\n---\n# Age",
      },
      "/topics/time",
      "/age",
    );
    assert.match(out, /topics\.html has the address of the list of Topics here/);
    assert.match(out, /^2 created, 0 updated, 0 unchanged, 1 failed, 1 skipped$/m);
    assert.equal(code, 1);
    const time = items.get("/topics/time");
    assert.deepEqual([time?.type, time?.body], ["topic", "[All](/topics)"]);
    assert.equal(items.get("/age")?.type, "page");
  });

  it("publishes nothing that Jekyll keeps back, and takes no name for a part of the language", async () => {
    const { code, out, err, items } = await importedFolder(
      {
        "_config.yml":
          "permalink: constructor\nexclude: ['private*', '*/secret.md', '/hidden/']\ncollections:\n  toString:\n    output: true\n",
        "_drafts/idea.md": "---\nlayout: post\ndraft: false\n---\nNot yet",
        "_posts/2024-02-01-spring.md":
          "---\nlayout: post\npermalink: /:valueOf/x\n---\nA{% __defineSetter__ a %}{% constructor b %}B",
        "hidden/a.md": "---\nlayout: page\n---\nA",
        "notes/secret.md": "---\nlayout: page\n---\nA",
        "private-notes/a.md": "---\nlayout: page\n---\nA",
      },
      "/idea",
      "/hidden/a",
      "/notes/secret",
      "/private-notes/a",
    );
    assert.equal(code, 0, err);
    assert.match(out, /^2 created/m);
    assert.deepEqual(
      [...items].map(([path, { status }]) => [path, status]),
      [["/idea", "draft"]],
    );
    assert.match(err, /\{% __defineSetter__ a %\} shows something/);
  });

  it("reads lines that begin like a box in little time", async () => {
    const before = process.cpuUsage();
    const name = "a".repeat(150_000);
    const files = {
      "mkdocs.yml": "site_name: A\n",
      "docs/a.md": `# A\n\n!!! ${name}!\n\n:::note ${"* ".repeat(75_000)}x\n`,
    };
    const { items } = await importedFolder(files, "/a");
    assert(items.get("/a")?.body.includes(name));
    const { user, system } = process.cpuUsage(before);
    assert(user + system < 15_000_000);
  });

  it("reads no settings outside the folder, nor a folder that is named like them", async () => {
    using line = openCommandLine();
    const page = "---\nlayout: page\n---\nThe key is {{ site.key }}.\n";
    const old = line.file("old/page.md", page).replace(/\/page\.md$/, "");
    symlinkSync(line.file("outside.yml", "key: s3cret\n"), join(old, "_config.yml"));
    const linked = await line.run("import", old, "--publish");
    assert.equal(linked.code, 0, linked.err);
    const other = line.file("other/page.md", page).replace(/\/page\.md$/, "");
    mkdirSync(join(other, "_config.yml"));
    const named = await line.run("import", other, "--publish");
    assert.equal(named.code, 0, named.err);
    const all = join(line.folder, "all.jsonl");
    await line.run("export", all);
    assert.match(readFileSync(all, "utf8"), /The key is \./);
  });
});

describe("the site generator of a folder", () => {
  const FOLDER = { "site/content/about.md": "---\ntitle: About\ntags: [one]\n---\n\nText.\n" };

  async function imported(...flags: string[]) {
    const line = openCommandLine();
    for (const [name, text] of Object.entries(FOLDER)) line.file(name, text);
    const { code, out, err } = await line.run("import", join(line.folder, "site"), ...flags);
    return { line, code, out, err };
  }

  it("is the one that a person chose, where another one is recognised", async () => {
    const recognised = await imported();
    using _one = recognised.line;
    assert.match(recognised.out, /is read as a folder of Markdown/);
    const chosen = await imported("--generator", "hugo");
    using _other = chosen.line;
    assert.equal(chosen.code, 0, chosen.err);
    assert.match(chosen.out, /is read as a folder of Hugo/);
    const { out } = await chosen.line.run("api", "GET", "/content?path=/about");
    assert.equal(JSON.parse(out).items.length, 1, out);
    const none = await imported("--generator", "none");
    using _third = none.line;
    assert.doesNotMatch(none.out, /is read as a folder/);
    const wrong = await imported("--generator", "hogo");
    using _fourth = wrong.line;
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /Allowed choices are detect, zola, hugo/);
  });

  it("can be any that is recognised", () => {
    const chosen = GENERATOR_CHOICES.map((choice) => resolveGeneratorChoice(choice));
    assert.deepEqual(
      new Set(chosen),
      new Set([...SITE_GENERATORS, UNKNOWN_HTML_GENERATOR, UNKNOWN_MARKDOWN_GENERATOR, null]),
    );
  });
});
