import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { renderBody } from "../../src/render/body/body.ts";
import { cpuMilliseconds } from "../support/costly/growth.ts";

const ORIGIN = "https://quotations.example";

function rendered(body: string, name = "") {
  return renderBody(body, { origin: ORIGIN, name });
}

/** What is rendered from the Markdown that was made of a body. */
function again(body: string): string {
  return rendered(rendered(body).markdown).html;
}

describe("footnotes", () => {
  const BODY =
    "One[^a], two[^b] and one again[^a].\n\n- in a list[^b]\n\n[^a]: The *first*.\n[^b]: The second.\n";

  it("have numbers, and links that lead there and back", () => {
    const { html } = rendered(BODY);
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    assert.equal(targets.length, 8);
    assert.deepEqual([...new Set(targets)].sort(), [...ids].sort());
    assert.equal(new Set(ids).size, ids.length, "ids are unique");
    assert.match(html, /<sup class="footnote-ref"><a href="#fn1" id="fnref1">\[1\]<\/a><\/sup>/);
    assert.match(html, /<section class="footnotes">/);
  });

  it("are told from those of another text on the page", () => {
    assert.match(rendered(BODY, "original").html, /href="#fn-original-1" id="fnref-original-1"/);
  });

  it("are footnotes in Markdown, and no words of the plain text", () => {
    const { markdown, text } = rendered(BODY);
    assert.match(markdown, /^One\[\^1\], two\[\^2\] and one again\[\^1\]\.$/m);
    assert.match(markdown, /^\[\^1\]: The \*first\*\.$/m);
    assert.equal(again(BODY), rendered(BODY).html);
    assert.match(text, /^One, two and one again\./);
    assert.doesNotMatch(text, /\[1\]|↩/);
  });

  it("leave text alone that only looks like one", () => {
    assert.match(
      rendered("Nothing[^x] here, ^[nor here].").html,
      /Nothing\[\^x\] here, \^\[nor here\]/,
    );
  });
});

it("task lists show what is done, in both forms", () => {
  const body = "- [x] read\n- [ ] write\n- [y] neither\n";
  assert.match(rendered(body).html, /<li>☑ read<\/li>\n<li>☐ write<\/li>\n<li>\[y\] neither<\/li>/);
  assert.match(rendered(body).markdown, /^- \[x\] read\n- \[ \] write\n/);
  assert.equal(again(body), rendered(body).html);
});

it("definition lists name terms and what they mean, in both forms", () => {
  const body = "Otium\n: Leisure.\n: Peace.\n\nNegotium\n: Its *denial*.\n";
  assert.match(
    rendered(body).html,
    /<dl>\n<dt>Otium<\/dt>\n<dd>Leisure\.<\/dd>\n<dd>Peace\.<\/dd>/,
  );
  assert.match(
    rendered(body).markdown,
    /^Otium\n: Leisure\.\n: Peace\.\n\nNegotium\n: Its \*denial\*\.$/,
  );
  assert.equal(again(body), rendered(body).html);
});

it("folded parts stay folded", () => {
  const body =
    '<details open onclick="x()"><summary>More</summary>\n\nHidden *text*.\n\n</details>\n';
  assert.match(
    rendered(body).html,
    /<details><summary>More<\/summary>\s*<p>Hidden <em>text<\/em>\.<\/p>\s*<\/details>/,
  );
  assert.match(rendered(body).markdown, /More\n\nHidden \*text\*\./);
});

it("gives no element of a body a name or class of the page around it", () => {
  const body =
    '<ul><li id="main-content">a</li></ul>\n\n<a id="message-text" href="/x">b</a>\n\n<section class="page">c</section> <a name="menu">d</a>';
  assert.doesNotMatch(rendered(body).html, /main-content|message-text|menu|class="page"/);
});

it("keeps places that links lead to", () => {
  const body =
    '# <a id="general">General *questions*</a>\n\n<a name="next"></a>Next <span id="a b">x</span>\n\n<div id="box">\n\nIn a box\n\n</div>';
  assert.equal(
    rendered(body).html,
    '<h2 id="general-questions"><span id="general">General <em>questions</em></span></h2>\n<p><span id="next"></span>Next <span>x</span></p>\n<section id="box">\n<p>In a box</p>\n</section>',
  );
  assert.equal(rendered(body).markdown, "## General *questions*\n\nNext x\n\nIn a box");
});

it("a hostile text of marks costs no more than its length", () => {
  const took = cpuMilliseconds(() => {
    for (const mark of ["[^", "^[", "[^a]", "- [ ] ", "\n: ", "[^a]: "])
      rendered(mark.repeat(20_000));
  });
  assert(took < 10_000, `${took} ms`);
});
