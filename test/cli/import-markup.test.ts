import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { importedFolder } from "../support/imported-folder.ts";

async function bodyOf(files: Readonly<Record<string, string>>, path: string) {
  const { code, err, items } = await importedFolder(files, path);
  assert.equal(code, 0, err);
  return { body: items.get(path)?.body ?? "", err };
}

describe("texts in other encodings than UTF-8", () => {
  it("are read as they say or look like, and say so where that is a guess", async () => {
    const latin = (text: string) => Buffer.from(text, "latin1");
    const { code, out, err, items } = await importedFolder(
      {
        "index.html": "<h1>Start</h1>",
        "a.html": latin("<meta charset=iso-8859-1><h1>Übung</h1><p>schön"),
        "b.md": Buffer.concat([latin("# Übung\n\nschön\n"), Buffer.from("grün – und\n")]),
        "c.md": Buffer.from("\ufeff# Übung\n\nschön", "utf16le"),
        "d.md": Buffer.from("# Übung\n\nand more English text", "utf16le"),
        "e.html": Buffer.from('<meta charset="shift_jis"><h1>\x83e\x83X\x83g</h1>', "latin1"),
        "f.md": Buffer.from([0x23, 0x20, 0xff, 0x00, 0x01, 0xfe, 0x03]),
      },
      ..."/a /b /c /d /e".split(" "),
    );
    assert.equal(code, 1);
    assert.match(out, /^5 created, 1 updated, 0 unchanged, 1 failed/m);
    const titles = [...items.values()].map(({ title }) => title);
    assert.deepEqual(titles, ["Übung", "Übung", "Übung", "Übung", "テスト"]);
    assert.equal(items.get("/b")?.body.trim(), "schön\ngrün – und");
    assert.match(err, /b\.md:1: warning: is not UTF-8 and was read as Windows-1252/);
    assert.equal(err.match(/Windows-1252/g)?.length, 1, err);
    assert.match(err, /f\.md:1: is not UTF-8$/m);
  });
});

describe("what other programs add to Markdown", () => {
  it("goes from MDX: statements, comments, expressions, and components but for their texts", async () => {
    const { body, err } = await bodyOf(
      {
        "docusaurus.config.js": "",
        "docs/a.mdx": [
          "---\ntitle: A\n---",
          "import Tabs from '@theme/Tabs';\nexport const x = {\n  a: 1,\n};",
          '{/* a note */}\n\n<Tabs>\n  <TabItem label="npm">\n\n    Run `{this}`:\n\n    ```js\n    import a from "a";\n    ```\n\n  </TabItem>\n</Tabs>',
          '<Chart data={[1]} />\n\n<div style={{ color: "red" }}>{"Said"} {frontMatter.title} \\{kept\\}</div>',
          '<Link to="/docs/a">here</Link> 1 < 2',
        ].join("\n\n"),
      },
      "/docs/a",
    );
    assert.doesNotMatch(body, /Tabs|export|note|style|Chart/);
    assert.match(body, /^\*\*npm\*\*$/m);
    assert.match(body, /^Run `\{this\}`:\n\n```js\nimport a from "a";\n```$/m);
    assert.match(body, /<div>Said A \{kept\}<\/div>/);
    assert.match(body, /<a href="\/docs\/a">here<\/a> 1 < 2/);
    assert.match(err, /a\.mdx:2\d: body: warning: <Chart data=\{\[1\]\} \/> shows something/);
  });

  it("keeps the caption of a table in a page of HTML, and what stands in blocks within its cells", async () => {
    const table = `<table><caption>Who pays</caption><tr><th>Who</th><th>When</th></tr><tr><td><p>Ana</p><p>Ben</p></td><td><ul><li>May</li><li>June</li></ul></td></tr></table>`;
    const html = `<html><head><title>Fees</title></head><body><main><h1>Fees</h1>${table}</main></body></html>`;
    const { body } = await bodyOf({ "fees.html": html }, "/fees");
    assert.match(
      body,
      /^Who pays\n\n\| Who \| When \|\n\| - \| - \|\n\| Ana Ben \| <ul><li>May<\/li> <li>June<\/li><\/ul> \|$/m,
    );
  });

  it("becomes quotations where it is a box, and goes where it only adds attributes", async () => {
    const { body } = await bodyOf(
      {
        "mkdocs.yml": "site_name: A",
        "docs/a.md":
          '# A {#top}\n\n:::note[Mind]\n\nOne\n\n```\n:::\n```\n:::\n\n!!! warning "Take care"\n    Two\n\n> [!TIP]\n> Three\n\n* TOC\n{:toc}\n\nFour{: .wide}\n{: .lead }\n\n[TOC]\n\n## The `b` option {: #option-b .wide }\n\n### C {.wide}\n',
      },
      "/a",
    );
    assert.equal(
      body.trim().replaceAll(/\n{2,}/g, "\n"),
      "> **Mind:**\n>\n> One\n>\n> ```\n> :::\n> ```\n> **Take care:**\n> Two\n> **Tip:**\n> Three\nFour\n## The `b` option {#option-b}\n### C",
    );
  });

  it("becomes what it stands for: tabs, marked words, icons, names of paragraphs, attributes in tables", async () => {
    const { body } = await bodyOf(
      {
        "mkdocs.yml": "site_name: A\n",
        "docs/about.md":
          '# About\n\n:material-check:{ .lg } We are ==not far==, if a==b.\n\n=== "By mail"\n\n    Write to **us**.\n\n    `:material-check:`\n\n=== "By phone"\n\n    Call.\n\nThe end [here](https://a.example/){:rel="nofollow"}{: hreflang="en"}.\n\n| A | B |\n| - | - |\n| {:.yes} Yes | No |\n',
      },
      "/about",
    );
    assert.match(body, /^\s*We are <mark>not far<\/mark>, if a==b\.$/m);
    assert.match(body, /^\*\*By mail\*\*\n\nWrite to \*\*us\*\*\.\n\n`:material-check:`$/m);
    assert.match(
      body,
      /^\*\*By phone\*\*\n\nCall\.\n\nThe end \[here\]\(https:\/\/a\.example\/\)\.$/m,
    );
    assert.match(body, /^\| *Yes \| No \|$/m);
    const note = await bodyOf(
      {
        ".obsidian/app.json": "{}",
        "about.md": "# About\n\nFirst. ^4f2a\n\n^note-2\n\nLast ==words==.",
      },
      "/about",
    );
    assert.equal(note.body.replaceAll(/\n+/g, "\n").trim(), "First.\nLast <mark>words</mark>.");
  });

  it("keeps the branch of a Liquid condition that the page decides, and says what it cannot", async () => {
    const { body, err } = await bodyOf(
      {
        "_config.yml": "title: Old\n",
        "a.md": [
          "---\ntitle: A\nlong: true\nkind: news\n---",
          "{% if page.long %}One{% else %}no{% endif %}",
          "{% if page.kind == \"blog\" %}no{% elsif page.kind == 'news' %}Two{% else %}no{% endif %}",
          '{% unless page.long %}no{% endunless %}{% if jekyll.environment != "production" %}no{% endif %}',
          "{% if site.pages.size > 3 %}Many{% else %}Few{% endif %}",
          "{% if page.long %}{% if page.kind == 'blog' %}no{% else %}Three{% endif %}{% endif %}",
        ].join("\n\n"),
      },
      "/a",
    );
    assert.equal(body.trim().replaceAll(/\n{2,}/g, "\n"), "One\nTwo\nManyFew\nThree");
    assert.equal(err.match(/warning: /g)?.length, 1, err);
    assert.match(err, /a\.md:13: body: warning: \{% if site\.pages\.size > 3 %\}/);
  });

  it("shows the parts that a page includes with what it states, and reports those that show more", async () => {
    const { body, err } = await bodyOf(
      {
        "_config.yml": "title: A\n",
        "_includes/badge.html":
          '<span class="badge">\n  Since {{ include.version }}{% if include.beta %} (beta){% endif %}\n</span>\n',
        "_includes/all.html": "{% for page in site.pages %}{{ page.title }}{% endfor %}",
        "about.md":
          '---\ntitle: About\n---\n{% include badge.html version="1.2" %} here.\n\n{% include badge.html version=\'2 of 2\' beta="true" %}\n\n{% include badge.html version=page.title %}{% include all.html %}{% include ../secret.html %}\n\n[Gone](gone.md)\n',
      },
      "/about",
    );
    assert.match(body, /^<span class="badge"> Since 1\.2 <\/span> here\.$/m);
    assert.match(body, /^<span class="badge"> Since 2 of 2 \(beta\) <\/span>$/m);
    assert.doesNotMatch(body, /\{%|include\.|Since About/);
    assert.equal(err.match(/shows something that Jekyll made/g)?.length, 3, err);
    assert.match(err, /about\.md:10: body: warning: the link "gone\.md" leads to no file/);
  });

  it("goes with a report where it shows another file, and stays in code", async () => {
    const { body, err } = await bodyOf(
      {
        "mkdocs.yml": "site_name: A\n",
        "docs/about.md":
          '# About\n\nWe.\n\n--8<-- "members.md"\n\n```\n--8<-- "shown.md"\n```\n\n<!-- @include: ./a.md -->\n',
      },
      "/about",
    );
    assert.equal(body.replaceAll(/\n+/g, "\n").trim(), 'We.\n```\n--8<-- "shown.md"\n```');
    assert.match(err, /about\.md:5: body: warning: --8<-- "members\.md" shows something/);
    assert.match(err, /about\.md:11: body: warning: <!-- @include: \.\/a\.md --> shows something/);
    assert.equal(err.match(/shows something that MkDocs made/g)?.length, 2, err);
  });

  it("keeps the places that links within a text lead to", async () => {
    const { code, err, items } = await importedFolder(
      {
        "hugo.toml": 'title = "Old"\n',
        "content/own-heading.md": "# Its own {#its-own}\n\nText\n",
        "content/named-heading.md": '# <a name="named"></a>Named\n\nText\n',
        "content/words.md":
          '---\ntitle: Words\n---\n{{% def id="CA" name="Authority" %}} Issues [roots](#def-root). {{% /def %}}\n\n{{% def id="root" name="Root" %}} From a [CA](#def-CA). {{% /def %}}\n\n{{< box id="rules" >}}Be kind.{{< /box >}}\n\nA paragraph {#last .wide}\n',
      },
      "/words",
      "/own-heading",
      "/named-heading",
    );
    assert.equal(code, 0, err);
    const titles = ["/own-heading", "/named-heading"].map((path) => items.get(path)?.title);
    assert.deepEqual(titles, ["Its own", "Named"]);
    assert.equal(
      items.get("/words")?.body,
      '<a id="def-CA"></a>**Authority**  Issues [roots](#def-root). \n\n<a id="def-root"></a>**Root**  From a [CA](#def-CA). \n\n<a id="rules"></a>Be kind.\n\nA paragraph<a id="last"></a>',
    );
  });

  it("has the values of Hugo's parameters, of the page before those of the site", async () => {
    const { body, err } = await bodyOf(
      {
        "hugo.yaml":
          "baseURL: https://old.example/\nparams:\n  teamEmail: team@example.org\n  year: 2020\n",
        "content/about.md":
          "---\ntitle: About\nparams:\n  year: 2024\n---\nWrite to [us](mailto:{{< param teamemail >}}), {{% param year %}}.{{< param none >}}\n",
      },
      "/about",
    );
    assert.match(body, /^\s*Write to \[us\]\(mailto:team@example\.org\), 2024\.$/m);
    assert.equal(err.match(/shows something that Hugo made/g)?.length, 1, err);
  });

  it("goes from Liquid with a percent sign in it, and leaves the names of tabs", async () => {
    const { code, err, items } = await importedFolder(
      {
        "_config.yml": "title: Old\n",
        "tabs.md":
          '---\ntitle: Tabs\n---\n{% tabs both %}\n{% tab \'Scala 2\' for=both %}\n`one`\n{% endtab %}\n{% tab both php %}\n`two`\n{% endtab %}\n{% endtabs %}\n{% include wheel.html unit="%" height="50" %}\nEnd.',
      },
      "/tabs",
    );
    assert.equal(code, 0, err);
    assert.match(err, /\{% include wheel\.html unit="%" height="50" %\} shows something/);
    assert.equal(
      items.get("/tabs")?.body?.trim(),
      "**Scala 2**\n`one`\n\n**php**\n`two`\n\n\n\nEnd.",
    );
  });

  it("goes from Liquid with what a loop would have shown, and stays where it is quoted", async () => {
    const { body, err } = await bodyOf(
      {
        "_config.yml": "title: A\n",
        "a.md":
          "---\ntitle: A\n---\n{% for x in site.posts %}- {{ x.title }}{% endfor %}{% if\nsite.open %}Open{% else %}Shut{% endif %}{% assign y = 1 %}\n\n{% raw %}{% for x in y %}{{ x }}{% endfor %}{% endraw %}",
      },
      "/a",
    );
    assert.equal(body, "OpenShut\n\n{% for x in y %}{{ x }}{% endfor %}");
    assert.match(err, /^.*a\.md:4: body: warning: \{% if site\.open %\} shows something/m);
    assert.equal(err.match(/shows something/g)?.length, 2, err);
  });

  it("is read in notes and Markdown without settings, whatever their keys", async () => {
    const notes = await bodyOf(
      {
        "a.md":
          "---\npublish: true\n---\n[[#Right here!]] ![[b]] [[b#Two#Three|so]] [[b#^one]] %%hidden%%",
        "b.md": "Text",
      },
      "/a",
    );
    assert.equal(notes.body, "[Right here!](#right-here) [b](/b) [so](/b#three) [b](/b) ");
    const plain = await bodyOf(
      { "guide/README.md": "---\nid: 7\ntags: [x]\n---\n# Guide\nText" },
      "/guide",
    );
    assert.equal(plain.body, "Text");
  });
});
