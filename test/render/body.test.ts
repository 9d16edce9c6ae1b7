import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { renderBody } from "../../src/render/body/body.ts";

const origin = "https://quotations.example";
const render = (body: string) => renderBody(body, { origin });

describe("a body as HTML", () => {
  it("renders CommonMark with tables, strikethrough and autolinks", () => {
    const { html } = render("| a | b |\n|---|--:|\n| 1 | 2 |\n\n~~no~~ https://example.org/x\n");
    assert.match(
      html,
      /<th scope="col" class="align-right">b<\/th>|<th class="align-right" scope="col">b/,
    );
    assert.match(html, /<s>no<\/s>/);
    assert.match(html, /<a href="https:\/\/example.org\/x">https:\/\/example.org\/x<\/a>/);
  });

  it("starts headings at h2 and skips no level", () => {
    const levels = (body: string) =>
      [...render(body).html.matchAll(/<h(\d)/g)].map(([, n]) => Number(n));
    assert.deepEqual(levels("# A\n\n### B\n\n### C\n\n## D\n\n#### E\n\n# F"), [2, 3, 3, 3, 4, 2]);
    assert.deepEqual(levels("#### A\n\n## B"), [2, 2]);
    assert.deepEqual(levels("Title\n===\n\nSub\n---"), [2, 3]);
    assert.deepEqual(levels("#\n\n## A"), [2]);
  });

  it("gives headings unique ids", () => {
    const ids = (body: string) =>
      [...render(body).html.matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id);
    assert.deepEqual(ids("## Über uns\n\n## Über uns\n\n## Über uns"), [
      "über-uns",
      "über-uns-1",
      "über-uns-2",
    ]);
    assert.deepEqual(ids("## What's new? (2024)\n\n## `a_b` & *c*\n\n## ???"), [
      "whats-new-2024",
      "a_b--c",
      "section",
    ]);
    assert.deepEqual(ids("## Context\n\n## Main content\n\n## fn1\n\n## A-1\n\n## A\n\n## A"), [
      "s-context",
      "s-main-content",
      "s-fn1",
      "a-1",
      "a",
      "a-2",
    ]);
  });

  it("takes the ids that headings state", () => {
    const { html, markdown } = render(
      "## Our `past` {#history}\n\n## History\n\n## {#none}\n\nText {#x}",
    );
    assert.equal(
      html.trim(),
      '<h2 id="history">Our <code>past</code></h2>\n<h2 id="history-1">History</h2>\n<p>Text {#x}</p>',
    );
    assert.match(markdown, /^## Our `past`$/m);
  });

  it("writes links within the site root-relative and to the page itself", () => {
    const hrefs = (body: string) =>
      [...render(body).html.matchAll(/href="([^"]*)"/g)].map(([, h]) => h);
    assert.deepEqual(
      hrefs(
        `[a](/topics/time.md) [b](${origin}/about#x) [c](/index.md) [d](#s) [e](https://e.org/x.md)`,
      ),
      ["/topics/time", "/about#x", "/", "#s", "https://e.org/x.md"],
    );
  });

  it("loads images lazily and keeps their alternative text", () => {
    assert.equal(
      render("![A “b”](/media/x.png)").html,
      '<p><img src="/media/x.png" alt="A “b”" loading="lazy" decoding="async" /></p>',
    );
    const { html, markdown } = render("![A <map>](data:image/png;base64,AAAA)");
    assert.match(html, /^<p>(?:<span>)?A &lt;map&gt;(?:<\/span>)?<\/p>$/m);
    assert.match(markdown, /A .*map/);
  });

  it("links to embedded pages instead of showing them", () => {
    const talk = 'src="https://video.example/embed/1?a=1&amp;b=2" title="A talk &lt;on&gt; time"';
    const links = {
      [`<iframe ${talk} width="5" onload="alert(1)" allowfullscreen></iframe>`]:
        '<a href="https://video.example/embed/1?a=1&amp;b=2">A talk &lt;on&gt; time</a>',
      '<iframe src="//e.org/a"></iframe>': '<a href="https://e.org/a">https://e.org/a</a>',
      '<iframe src="/about" title="About"></iframe>': '<a href="/about">About</a>',
      '<iframe src="javascript:alert(1)" title="x"></iframe>': "<span>x</span>",
      '<iframe srcdoc="<b>x</b>"></iframe>': "<span></span>",
      'a <iframe src="https://e.org/a" title="t"></iframe> b':
        '<p>a <a href="https://e.org/a">t</a> b</p>',
      '<a href="https://e.org/" data-embedded="<img src=x>">b</a>':
        '<p><a href="https://e.org/">&lt;img src=x&gt;b</a></p>',
    };
    for (const [body, html] of Object.entries(links)) assert.equal(render(body).html, html, body);
  });

  it("links to videos and recordings, by their posters if they have any", () => {
    const old = "Your browser is <b>old</b>.";
    const links = {
      'See <video src="https://e.org/a%20talk.mp4?a=1" controls autoplay></video> now':
        '<p>See <a href="https://e.org/a%20talk.mp4?a=1">a talk.mp4</a> now</p>',
      [`<video controls title="A &lt;talk&gt;">\n<source src="/media/a.webm"><source src="/b.mp4">${old}\n</video>`]:
        '<a href="/media/a.webm">A &lt;talk&gt;</a>',
      [`<div><audio src="/media/a.mp3">${old}</audio> after</div>`]:
        '<a href="/media/a.mp3">a.mp3</a> after',
      '<video src="/a.mp4" poster="/p.jpg" title="Talk"></video>':
        '<p><span class="recording"><a href="/a.mp4"><img src="/p.jpg" alt="Talk" loading="lazy" decoding="async" /></a></span></p>',
      '<video src="/a.mp4" poster="javascript:alert(1)"></video>':
        '<p><span class="recording"><a href="/a.mp4"><span>a.mp4</span></a></span></p>',
      '<video src="javascript:alert(1)" title="x"></video>': "<p><span>x</span></p>",
      '<video src="/100%.mp4">': '<a href="/100%.mp4">100%.mp4</a>',
      '<video src="/a.mp4">\n\nWhat follows': '<a href="/a.mp4">a.mp4</a>\n<p>What follows</p>',
      "<audio>Only words</audio>": "<p>Only words</p>",
    };
    for (const [body, html] of Object.entries(links)) assert.equal(render(body).html, html, body);
  });

  it("has the links to embedded pages and recordings in Markdown too", () => {
    const links = {
      '<video src="https://e.org/v.mp4" poster="https://e.org/p.jpg" title="The film"></video>':
        "[The film](https://e.org/v.mp4)",
      'Hear!<audio src="/media/a.mp3" title="A *song*">No *player*</audio> now': `Hear\\![A \\*song\\*](${origin}/media/a.mp3) now`,
      "<video><source src=https://e.org/w.webm>Old</video>": "[w.webm](https://e.org/w.webm)",
      '<video controls title="Talk">\n<source src="/a.webm">\n</video>': `[Talk](${origin}/a.webm)`,
      '<iframe src="https://e.org/talk" title="A talk"></iframe>': "[A talk](https://e.org/talk)",
      'a <iframe src="/about" title="t"></iframe> b': `a [t](${origin}/about.md) b`,
      '<ol><li><a href="/about"><b>About</b> us</a>, well</li></ol>': `1\\. [About us](${origin}/about.md), well`,
      '<p>See <a href="/a"></a>!<a href="javascript:x()">b</a></p>': "See !b",
      '<div><a href="/a">b<pre>c</pre></a></div>': `[b](${origin}/a.md)\n\n\`\`\`\nc\n\`\`\``,
      "<audio>Only *words*</audio>": "Only *words*",
      '<video src="javascript:alert(1)" title="x"></video>': "x",
      'x <video src="/a.mp4"> y': `x [a.mp4](${origin}/a.mp4) y`,
    };
    for (const [body, markdown] of Object.entries(links)) {
      assert.equal(render(body).markdown, markdown, body);
    }
  });

  it("has the links and pictures of raw HTML within a paragraph in Markdown too", () => {
    const links = {
      'See <a href="https://example.org/x">this</a> now.': "See [this](https://example.org/x) now.",
      'See!<b><A\nHREF=/about title="A &quot;b&quot;">*this* one</A></b>': `See\\![*this* one](${origin}/about.md "A \\"b\\"")`,
      'a <a href="javascript:alert(1)">b</a> <a name="c">c</a> <a href="/d"> </a>d': "a b c  d",
      'a <a href="/b">b [c](/c) d</a> e': `a [b ](${origin}/b.md)[c](${origin}/c.md) d e`,
      'a [b <a href="/c">c</a>](/b)': `a [b c](${origin}/b.md)`,
      'a <a href="/b">b <a href="/c">c': `a [b ](${origin}/b.md)[c](${origin}/c.md)`,
      'a</a> <a href="/b"><iframe src="/c" title="c"></iframe></a>': `a [c](${origin}/c.md)`,
      '- <a href="/b(">b]</a>\n- # <a href="#c">c</a>': `- [b\\]](<${origin}/b(.md>)\n- ## [c](#c)`,
      'a <img src="/media/b.png" alt="b *c*" title="d" onerror=x()> e': `a ![b \\*c\\*](${origin}/media/b.png "d") e`,
      'a <img src="data:image/png;base64,AA" alt="b"> <img alt="c"> d': "a b c d",
      'a <a href="/b"><img src="/media/b.png" alt=""></a>': `a [![](${origin}/media/b.png)](${origin}/b.md)`,
      'The <abbr title="World Wide Web">WWW</abbr> is': "The WWW is",
    };
    for (const [body, markdown] of Object.entries(links)) {
      assert.equal(render(body).markdown, markdown, body);
    }
  });

  it("has the pictures of a block of raw HTML in Markdown, with those of a link as its words", () => {
    const blocks = {
      '<p>A!<img src="/media/b.png" alt="b *c*">d</p>': `A\\!![b \\*c\\*](${origin}/media/b.png)d`,
      '<ol><li><img src="/media/b.png" alt=""> One</li></ol>': `1\\. ![](${origin}/media/b.png) One`,
      '<p><a href="/c"><img src="/media/b.png" alt="b"></a></p>': `[b](${origin}/c.md)`,
      '<div><img src="data:image/png;base64,AA" alt="b"> c</div>': "b c",
    };
    for (const [body, markdown] of Object.entries(blocks)) {
      assert.equal(render(body).markdown, markdown, body);
    }
  });

  it("refuses videos in elements that nest too deep", () => {
    const deep = `<div><video src="/a.mp4">${"<i>".repeat(300)}</video></div>`;
    assert.throws(() => render(deep), /nests deeper than 250 elements/);
  });

  it("keeps what an abbreviation is short for", () => {
    const { html } = render('The <abbr title="World Wide Web" onclick="x()">WWW</abbr>');
    assert.equal(html, '<p>The <abbr title="World Wide Web">WWW</abbr></p>');
  });

  it("keeps marks around short quotations where no browser adds them", () => {
    const { html, markdown, text } = render(
      '1. <q>Ja</q>, sprach <q lang="fr">qui</q>.\n\n<p><q>So</q></p>',
    );
    assert.match(html, /<q>Ja<\/q>, sprach <q lang="fr">qui<\/q>\.[\s\S]*<p><q>So<\/q><\/p>/);
    assert.equal(markdown, '1. "Ja", sprach "qui".\n\n"So"');
    assert.equal(text, '1. "Ja", sprach "qui".\n\n"So"');
  });

  it("keeps small capitals, and no other class of a span", () => {
    const { html, markdown, text } = render(
      'The <span class="smallcaps other">Lord</span>, <span class="menu">x</span>',
    );
    assert.equal(html, '<p>The <span class="smallcaps">Lord</span>, <span>x</span></p>');
    assert.equal(markdown, "The Lord, x");
    assert.equal(text, "The Lord, x");
  });

  it("removes scripts, embeds, styles and names", () => {
    const hostile = [
      "<script>alert(1)</script>",
      "a <script>alert(1)</script> b",
      "<img src=x onerror=alert(1)>",
      "<a href='javascript:alert(1)'>x</a>",
      "[x](javascript:alert(1))",
      "[x](JaVaScRiPt:alert(1))",
      "<a href='&#106;avascript:alert(1)'>x</a>",
      "[x](data:text/html;base64,PHNjcmlwdD4=)",
      '<https://e.org/"onmouseover=alert(1)>',
      "<svg><script>alert(1)</script></svg>",
      "<math><mtext></math><img src=x onerror=alert(1)>",
      "<iframe src=//e.org></iframe><object data=x></object><embed src=x>",
      "<style>*{display:none}</style>",
      "<p style='display:none' onclick=alert(1) id=main-content>x</p>",
      "<form action=/x><input name=q><button>x</button></form>",
      "<meta http-equiv=refresh content=0;url=//e.org><base href=//e.org><link rel=stylesheet href=x>",
      '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
      "<!--><img src=x onerror=alert(1)>-->",
      '```html"onload=alert(1)\nx\n```',
    ];
    for (const body of hostile) {
      const { html } = render(body);
      assert.doesNotMatch(
        html,
        /<(script|style|iframe|object|embed|form|input|meta|base|link|svg|math)/i,
        body,
      );
      assert.doesNotMatch(
        html.replaceAll(/>[^<]*</g, "><"),
        /\son\w+=|javascript:|\sstyle=|\sid="main/i,
        body,
      );
    }
  });
});

describe("a body as plain text", () => {
  it("numbers the items of ordered lists, however their HTML is made", () => {
    const texts = {
      "1. a\n2. b": "1. a\n\n2. b",
      "1) a\n\n2) b\n\n   c": "1. a\n\n2. b\n\nc",
      "0. a\n   1. b\n   2. c\n1. d": "0. a\n\n1. b\n\n2. c\n\n1. d",
      "1. 1. a": "1. 1. a",
      "1. - a": "1. a",
      "1.\n2. b": "2. b",
      "- a\n- b": "a\n\nb",
      '<ol start="7"><li>a</li><li><b>b</b></li></ol>': "7. a\n\n8. b",
      '<ol start="x"><li>a</li></ol>': "1. a",
      "<li>a</li>": "a",
    };
    for (const [body, text] of Object.entries(texts)) assert.equal(render(body).text, text, body);
  });
});

describe("a body as Markdown", () => {
  it("makes links within the site absolute and points pages at their Markdown", () => {
    assert.equal(
      render("[a](/topics/time) ![i](/media/x.png) [home](/) [f](/feed.atom) [q](/topics?page=2)")
        .markdown,
      `[a](${origin}/topics/time.md) ![i](${origin}/media/x.png) [home](${origin}/index.md) [f](${origin}/feed.atom) [q](${origin}/topics.md?page=2)`,
    );
  });

  it("resolves references and keeps titles", () => {
    assert.equal(
      render('See [the letter][l].\n\n[l]: /works/letters "To \\"L\\""').markdown,
      `See [the letter](${origin}/works/letters.md "To \\"L\\"").`,
    );
  });

  it("starts headings at ## and writes one style", () => {
    assert.equal(
      render("Title\n===\n\nSub\nline\n---\n\nText").markdown,
      "## Title\n\n### Sub line\n\nText",
    );
  });

  it("keeps the text of raw HTML and drops its tags", () => {
    assert.equal(
      render("a <b>bold</b> word\n\n<div>\n<p>1 * 2 < 3</p>\n</div>\n\n<script>alert(1)</script>")
        .markdown,
      "a bold word\n\n1 \\* 2 < 3",
    );
  });

  it("keeps the lines that <br> ends, as spaces where a block has one line", () => {
    const markdownOf = (body: string) => renderBody(body, { origin }).markdown;
    assert.equal(
      markdownOf("Rose<br>is<BR/>\na <br class='x'>1. rose<br>"),
      "Rose\\\nis\\\na \\\n1\\. rose",
    );
    assert.equal(
      markdownOf("- Look![^1]<br>[here](/x)\n\n[^1]: A<br>"),
      `- Look![^1]\\\n  [here](${origin}/x.md)\n\n[^1]: A`,
    );
    assert.equal(markdownOf("# A<br>rose\n\nb<br>c\n: d"), "## A rose\n\nb c\n: d");
    assert.equal(markdownOf("| a<br>b |\n| --- |\n| c<br>d<br> |"), "| a b |\n| --- |\n| c d |");
    assert.equal(
      markdownOf("Look!<br>[here](/x)<br><br>now"),
      `Look!\\\n[here](${origin}/x.md)\\\n\\\nnow`,
    );
  });

  it("keeps the lines of preformatted raw HTML", () => {
    const block = '<pre><code>a &lt; <a href="/b">b</a>\n\n  *c*</code></pre>';
    assert.equal(
      render(`- x\n\n  ${block.replaceAll("\n", "\n  ")}`).markdown,
      "- x\n\n  ```\n  a < b\n\n    *c*\n  ```",
    );
    assert.equal(
      render(`<ol><li>Type <pre>\nls<br>cd</pre></li><li><pre>pwd</pre> and *wait*</li></ol>`)
        .markdown,
      "1\\. Type\n\n```\nls\ncd\n```\n\n2\\.\n\n```\npwd\n```\n\nand \\*wait\\*",
    );
    assert.equal(render("<pre> </pre>\n\n<pre>\n```\n</pre>").markdown, "````\n```\n````");
  });

  it("closes open constructs", () => {
    assert.equal(render("```js\nlet a;").markdown, "```js\nlet a;\n```");
    assert.equal(render("> ```\n> x\n\nafter").markdown, "> ```\n> x\n> ```\n\nafter");
    assert.equal(render("~~~~\n```\n~~~~").markdown, "````\n```\n````");
  });

  it("keeps nested and separate lists", () => {
    const body = "- a\n  - b\n\n    c\n- d\n\n<!-- -->\n\n- e\n\n3. x\n4. y";
    assert.equal(render(render(body).markdown).html, render(body).html.replaceAll(/\n{2,}/g, "\n"));
  });

  it("reads back as the same page for any text", () => {
    const piece = fc.constantFrom(
      ..."ab1 \n\n#`~[]()!>-+.:=|\\&\t",
      ...["\n\n", "  \n", "](/x)", '](/x "t")', "*a* ", "**b** ", "_c_ ", "\\*", "![*x*](/i) "],
      ...["```\n", "1. ", "- ", "> ", "&amp;", "&copy;", "    ", " https://e.org/a_b ", "|-|-|\n"],
      ...["___\n", "é", "“"],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const first = render(pieces.join(""));
        const folded = (html: string) =>
          html
            .replaceAll(/\s+/g, " ")
            .replaceAll(" </code>", "</code>")
            .replaceAll("</blockquote> <p>", "</blockquote> ")
            .replaceAll(/<li> ?(<p>)?/g, "<li>")
            .replaceAll(/(<\/p>)? ?<\/li>/g, "</li>");
        const again = render(first.markdown);
        assert.equal(folded(again.html), folded(first.html));
        assert.equal(again.markdown, first.markdown);
        assert.equal(again.text, first.text);
      }),
      // Adjacent delimiters (`****a*a*`) can be parsed in two ways, so the random search has a
      // fixed seed.
      { numRuns: 2000, seed: 20_261_121 },
    );
  });
});

describe("a hostile body", () => {
  it("is refused with a message when it nests too deep", () => {
    assert.throws(() => render(">".repeat(5000)), {
      code: "invalid",
      message: /nests deeper than 50/,
    });
  });

  it("is refused when its HTML nests too deep", () => {
    assert.throws(() => render("<b><i>".repeat(170_000)), {
      code: "invalid",
      message: /nests deeper/,
    });
    assert.throws(() => render(`${"<div>".repeat(200_000)}`), {
      code: "invalid",
      message: /nests deeper/,
    });
  });
});
