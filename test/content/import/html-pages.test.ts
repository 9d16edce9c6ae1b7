import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { convertHtmlToMarkdown } from "../../../src/content/import/html/html-page.ts";

function converted(body: string) {
  const { markdown = "", notes = [] } =
    convertHtmlToMarkdown(`<html><body>${body}</body></html>`) ?? {};
  return { markdown, notes: notes.map(({ en }) => en) };
}

describe("a form on a page of HTML", () => {
  it("keeps its text and loses its fields, when it is around the whole page", () => {
    const { markdown, notes } = converted(
      `<form id="aspnetForm" method="post"><input type="hidden" name="__VIEWSTATE" value="x"><div id="header">Head</div><div><h1>Our society</h1><p>We meet on Thursdays.</p><p><label for="q">Your name</label><input id="q"><input type="submit" value="Go"></p></div></form>`,
    );
    assert.equal(markdown, "# Our society\n\nWe meet on Thursdays.\n");
    assert.deepEqual(notes, ['the fields of a form are left out: "Your name"']);
  });

  it("is left out with its words when it has only fields, and says so", () => {
    const { markdown, notes } = converted(
      `<p>Text</p><form><label>Search <input name="q"></label><button>Find</button><script>x()</script></form>`,
    );
    assert.equal(markdown, "Text\n");
    assert.deepEqual(notes, ['the fields of a form are left out: "Search Find"']);
  });

  it("keeps a short paragraph", () => {
    assert.equal(converted("<form><p>Short text</p><input></form>").markdown, "Short text\n");
  });
});

describe("footnotes of a page of HTML", () => {
  const notes = "A[^1] b[^2]\n\n[^1]: One (see).\n\n[^2]: Two\n";
  const forms: [program: string, html: string][] = [
    [
      "Pandoc",
      `<p>A<a href="#fn1" class="footnote-ref" id="fnref1"><sup>1</sup></a> b<a href="#fn2" id="fnref2"><sup>2</sup></a></p><section class="footnotes"><hr><ol><li id="fn1"><p>One (see). <a href="#fnref1">↩</a></p></li><li id="fn2"><p>Two<a href="#fnref2">↩</a></p></li></ol></section>`,
    ],
    [
      "Word",
      `<p>A<a href="#_ftn1" name="_ftnref1"><span>[1]</span></a> b<a href="#_ftn2" name="_ftnref2">[2]</a></p><div><br clear=all><hr><div id=ftn1><p><a href="#_ftnref1" name="_ftn1">[1]</a> One (see).</p></div><div id=ftn2><p><a href="#_ftnref2" name="_ftn2">[2]</a> Two</p></div></div>`,
    ],
    [
      "MediaWiki",
      `<p>A<sup>[<a href="#n1" id="r1">1</a>]</sup> b<sup id="cite_ref-2"><a href="#cite_note-2">[2]</a></sup></p><ol><li id="n1"><a href="#r1">^</a> One (see).</li><li id="cite_note-2"><b><a href="#cite_ref-2">^</a></b> <span>Two</span></li></ol>`,
    ],
    [
      "Sphinx",
      `<p>A<a href="#id3" id="id1"><span>[</span>1<span>]</span></a> b<a href="#id4" id="id2">2</a></p><aside id="id3" role="doc-footnote"><span><span>[</span><a href="#id1">1</a><span>]</span></span><p>One (see).</p></aside><dl><dt id="id4"><a href="#id2">2</a></dt><dd>Two</dd></dl>`,
    ],
    [
      "a hand",
      `<p>A<a href="#a" name="b">*</a> b[<a href="#c" name="d">2</a>]</p><p><a name="a"></a><a href="#b">*</a> One (see).</p><table id="c"><tr><td><a href="#d">[2]</a></td><td>Two</td></tr></table>`,
    ],
  ];
  for (const [program, html] of forms) {
    it(`become footnotes as ${program} writes them`, () => {
      assert.equal(converted(html).markdown, notes);
    });
  }

  it("are none where a number leads to a chapter", () => {
    const { markdown } = converted(
      `<p><a href="#one" name="back">1</a></p><div id="one"><h2>One</h2><p>Text <a href="#back">back</a></p></div>`,
    );
    assert.match(markdown, /^\[1\]\(#one\)$/m);
    assert.match(markdown, /^## One \{#one\}$/m);
  });
});

describe("links within a page of HTML", () => {
  it("lead to headings, which keep their ids, or the heading above; others become text", () => {
    const { markdown, notes } = converted(
      `<h1 id="t">Title</h1><p><a href="#my_s">S</a> <a href="#p">P</a> <a href="#t">T</a> <a href="#top">Up</a> <a href="#gone">Gone</a> <a name="x"></a></p><a name="my_s"></a><h2>Two</h2><p>a</p><p id="p">b</p>`,
    );
    assert.equal(
      markdown,
      "# Title\n\n[S](#my_s) [P](#my_s) [T](#top) [Up](#top) Gone\n\n## Two {#my_s}\n\na\n\nb\n",
    );
    assert.match(notes.join(), /^links within the page became text, .*: 1 \("Gone"\)$/);
  });
});

describe("the text of a page of HTML", () => {
  it("is more than its only article, where that is a small part", () => {
    const { markdown } = converted(
      "<article><p>Teaser</p></article><p>The longer text of the page.</p>",
    );
    assert.equal(markdown, "Teaser\n\nThe longer text of the page.\n");
  });

  it("loses control characters, and says so", () => {
    const { markdown, notes } = converted("<p>A\u0081 b&#1;</p><pre>c\u0001\n\td</pre>");
    assert.equal(markdown, "A b\n\n```\nc\n\td\n```\n");
    assert.deepEqual(notes, ["control characters are left out: 3"]);
  });

  it("says what the page hides", () => {
    const { notes } = converted("<p>A</p><div hidden>The second tab has these words.</div>");
    assert.deepEqual(notes, [
      'a text that the page hides is left out: "The second tab has these words."',
    ]);
  });
});

describe("what a page of HTML embeds", () => {
  it("becomes links, with the title or else the address, and videos lead to their page", () => {
    const { markdown, notes } = converted(
      `<p>Text</p><iframe src="https://www.youtube.com/embed/abc?rel=0"></iframe><p>On <iframe src="//maps.example/x" title="A map"></iframe> here</p><object data="plan.pdf"></object><object data="rules.pdf"><a href="rules.pdf">Rules</a></object><embed src="film.swf"><object><param name="movie" value="old.swf"><embed src="old.swf"></object>`,
    );
    assert.equal(
      markdown,
      "Text\n\n<https://www.youtube.com/watch?v=abc>\n\nOn [A map](https://maps.example/x) here\n\n[plan.pdf](plan.pdf)[Rules](rules.pdf)[film.swf](film.swf)[old.swf](old.swf)\n",
    );
    assert.deepEqual(notes, []);
  });

  it("is reported without an address, unless it is invisible", () => {
    const { markdown, notes } = converted(
      `<p>Text</p><iframe srcdoc="<p>Inner</p>"></iframe><iframe src="javascript:x()"></iframe><iframe src="https://count.example" width="1" height="1"></iframe><iframe style="display: none"></iframe>`,
    );
    assert.equal(markdown, "Text\n");
    assert.deepEqual(notes, ["embedded content without an address of its own is left out: 2"]);
  });

  it("keeps formulas as TeX where they have it, or else in one line", () => {
    const { markdown } = converted(
      String.raw`<p>E <math><mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></math>, <math><semantics><mi>x</mi><annotation encoding="application/x-tex">\frac{a}{b}</annotation></semantics></math> and <math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><msqrt><mn>2</mn></msqrt></mfrac></math>.</p>`,
    );
    assert.equal(markdown, "E E = m c^2, `\\frac{a}{b}` and (a + b)/√(2).\n");
  });

  it("keeps the words of drawings, and reports large ones without any", () => {
    const { markdown, notes } = converted(
      `<p>Text</p><svg><title>Plan</title><style>.a{}</style><defs><text>Never</text></defs><text>North</text><text>South</text></svg><p><a href="/f"><svg><title>Friends</title><path/></svg></a></p><svg width="400"><path/></svg><svg viewBox="0 0 16 16"><path/></svg><svg aria-hidden="true" width="400"><path/></svg>`,
    );
    assert.equal(markdown, "Text\n\nPlan North South\n\n[Friends](/f)\n");
    assert.equal(notes.length, 1);
    assert.match(notes.join(), /^drawings without words that are part of the page \(SVG\) .*: 1;/);
  });
});

describe("controls of a page of HTML outside of forms", () => {
  it("stay where they are texts, and are reported where not", () => {
    const { markdown, notes } = converted(
      `<h1>Help</h1><h3><button>Prices</button></h3><p>Few.</p><button aria-expanded="false">Times</button><p>Daily.</p><button>What does it cost?</button><p>Much.</p><div><input type="radio" id="a"><label for="a">Linux</label></div><div><textarea>Cite us</textarea></div><button>Copy</button><select><option>Old</option><option>New</option></select><input value="Search"><input type="hidden" value="x">`,
    );
    assert.equal(
      markdown,
      "# Help\n\n### Prices\n\nFew.\n\nTimes\n\nDaily.\n\nWhat does it cost?\n\nMuch.\n\nLinux\n\nCite us\n",
    );
    assert.deepEqual(notes, [
      'buttons and fields outside of a form are left out: 3 ("Copy, Old New, Search")',
    ]);
  });
});

describe("a formula", () => {
  it("is read in a time that grows with its depth", () => {
    const [open, close] = ["<mrow>".repeat(200), "</mrow>".repeat(200)];
    const { markdown } = converted(`<p>It is <math>${open}<mi>x</mi>${close}</math>.</p>`);
    assert.equal(markdown, "It is x.\n");
  });
});
