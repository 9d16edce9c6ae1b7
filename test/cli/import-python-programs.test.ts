import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importedFolder } from "../support/imported-folder.ts";
import { png } from "../support/media-bytes.ts";

describe("folders of programs in Python", () => {
  it("of Pelican are read with their metadata, addresses and links; themes are no content", async () => {
    const { code, err, out, items } = await importedFolder(
      {
        "pelicanconf.py":
          'PATH = "content"\nARTICLE_URL = "{date:%Y}/{slug}/"\n# PAGE_URL = "never"\nPAGE_URL = "{slug}.html"\n',
        "content/news/spring.md":
          "Title: Spring: it is here\nDate: 2024-02-01 10:20\nTags: garden, open air\nSlug: spring\n\n[About]({filename}/pages/about.md) ![Tree]({static}/images/tree.png)",
        "content/pages/about.md":
          "---\nTitle: About us\nSummary: Who\n    we are\nModified: 2022-06-22\n---\n\nText",
        "content/images/tree.png": png(2, 2),
        "content/pages/old.rst": "Old\n===\n",
        "themes/own/templates/page.html": "<title>{{ page.title }}</title>",
      },
      ...["/2024/spring", "/about-us"],
    );
    assert.equal(code, 1);
    assert.match(out, /is read as a folder of Pelican/);
    assert.match(out, /page\.html is not content of Pelican/);
    assert.match(
      out,
      /^Left out: 1 files \(\.rst\): texts of this form are not read here; convert them to Markdown first, .*pandoc.*old\.rst\)$/m,
    );
    const spring = items.get("/2024/spring");
    assert.equal(spring?.title, "Spring: it is here", err);
    assert.equal(spring.type, "news");
    assert.equal(spring.publishedAt?.slice(0, 16), "2024-02-01T10:20");
    assert.match(spring.body.trim(), /^\[About\]\(\/about-us\) !\[Tree\]\(\/media\//);
    assert.equal(spring.relations["topics"]?.length, 2);
    const about = items.get("/about-us");
    assert.deepEqual([about?.summary, about?.body.trim()], ["Who we are", "Text"]);
  });

  it("of Nikola are read, texts in reStructuredText counted once for all, whatever their names", async () => {
    const { code, err, out, items } = await importedFolder(
      {
        "conf.py":
          'POSTS = (\n    ("posts/*.md", "blog", "post.tmpl"),\n)\nPAGES = (\n    ("stories/*.md", "", "story.tmpl"),\n)\nPRETTY_URLS = False\n',
        "posts/one.md":
          "<!--\n.. title: One: first\n.. slug: one\n.. date: 2015-09-03 14:01:57 UTC\n.. tags: a, b\n.. link:\n.. type: text\n-->\n\n[Two](/blog/two.html)",
        "posts/two.html":
          "<!--\n.. title: Two\n.. date: 2012/08/24 11:25:14\n.. category:\n-->\n<p>Second</p>",
        "posts/three.txt": ".. title: Three\n.. slug: three\n\nText",
        "posts/four.txt": "Text",
        "posts/four.meta": ".. title: Four\n",
        "posts/five.rst": ".. title: Five\n",
        "files/robots.txt": "User-agent: *\n",
        "stories/about.md": ".. title: About\n.. date: 2012-01-01\n\nText",
        "templates/base.html": "<title>None</title>",
      },
      ...["/blog/one", "/blog/two", "/about"],
    );
    assert.equal(code, 1);
    assert.match(out, /is read as a folder of Nikola/);
    assert.match(
      out,
      /^Left out: 3 files \(\.rst\): texts of this form are not read here; convert/m,
    );
    assert.doesNotMatch(out, /no content were left out: [^\n]*[2-9] \.txt/);
    const one = items.get("/blog/one");
    assert.equal(one?.title, "One: first", err);
    assert.equal(one.type, "news");
    assert.equal(one.publishedAt?.slice(0, 16), "2015-09-03T14:01");
    assert.equal(one.body.trim(), "[Two](/blog/two)");
    assert.equal(items.get("/blog/two")?.body.trim(), "Second");
    assert.equal(items.get("/about")?.type, "page");
  });
});
