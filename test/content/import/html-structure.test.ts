import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { convertHtmlToMarkdown } from "../../../src/content/import/html/html-page.ts";
import { runHtmlTask } from "../../../src/content/import/html/html-task.ts";
import { NO_REPEATED_PARTS } from "../../../src/content/import/html/repeated-parts.ts";

function converted(body: string): string {
  return convertHtmlToMarkdown(`<html><body>${body}</body></html>`)?.markdown.trim() ?? "";
}

describe("code on a page of HTML", () => {
  it("keeps the links in it", () => {
    const markdown = converted(`<p><code><a href="/f">f</a>(x)</code></p>`);
    assert.equal(markdown, "[`f`](/f)`(x)`");
  });

  it("keeps the links in a block of it, as HTML", () => {
    const markdown = converted(`<pre>a &lt; <a href="/b?c&amp;d">b</a>\n\n  c</pre>`);
    assert.equal(markdown, `<pre><code>a &#60; <a href="/b?c&#38;d">b</a>\n\n  c</code></pre>`);
  });

  it("is one where it follows on code, and none where it has no text", () => {
    const markdown = converted(`<p><tt>SIG</tt><var>NAL</var> <code></code>a</p>`);
    assert.equal(markdown, "`SIGNAL` a");
  });
});

describe("links on a page of HTML", () => {
  it("become text where they lead to no page, and go where they have no text", () => {
    const markdown = converted(
      `<p><a href="javascript:x()">A</a> <a href="FILE:///x">B</a> <a href="/c"></a><a href="/d">D</a></p>`,
    );
    assert.equal(markdown, "A B [D](/d)");
  });

  it("around blocks are around the words in them", () => {
    const markdown = converted(
      `<a href="/b" id="b"><h2>Two</h2></a><a href="/a">One <p>Three</p></a><p><a href="#b">B</a></p>`,
    );
    assert.equal(markdown, "## [Two](/b) {#b}\n\n[One](/a)\n\n[Three](/a)\n\n[B](#b)");
  });

  it("to what is above all headings lead to the top", () => {
    const markdown = converted(
      `<p id="start">Start</p><h2>Two</h2><p><a href="#start">Back</a></p>`,
    );
    assert.equal(markdown, "Start\n\n## Two\n\n[Back](#top)");
  });

  it("keep an address as it is written", () => {
    const markdown = converted(
      `<p><a href="https://a.example/b%20c">https://a.example/b%20c</a></p>`,
    );
    assert.match(markdown, /^\[https.*b%20c\]\(https:\/\/a\.example\/b%20c\)$/);
  });

  it("of a heading to itself are left out", () => {
    assert.equal(converted(`<h2 id="a">A<a href="#a">¶</a></h2>`), "## A");
  });
});

describe("headings on a page of HTML", () => {
  it("stay headings in the summary of a folded part", () => {
    const markdown = converted(
      `<details><summary>More <h3>Deep</h3></summary><p>Text</p></details>`,
    );
    assert.equal(markdown, "More\n\n### Deep\n\nText");
  });
});

describe("a table on a page of HTML", () => {
  it("is left out where it only places blocks, with what is in it kept", () => {
    const markdown = converted(
      `<table><tr><td>1<td><pre>code\nmore</pre></table><table><tr><td><h2>Two</h2><td><table><tr><td>a<td>b<tr><td>c<td>d</table><tr><td>e<td>f</table>`,
    );
    assert.equal(
      markdown,
      "1\n\n```\ncode\nmore\n```\n\n## Two\n\n| | |\n| - | - |\n| a | b |\n| c | d |\n\ne\n\nf",
    );
  });

  it("keeps the words of long lists and code in its cells", () => {
    const list = `<ul>${"<li>x".repeat(12_000)}</ul>`;
    const code = `<code><a href="/a">x</a>${"<br>x".repeat(70_000)}</code>`;
    const markdown = converted(`<table><tr><td>${list}<td>a<tr><td>${code}<td>b</table>`);
    assert.equal(markdown.match(/x/g)?.length, 82_001);
  });

  it("keeps lists and code in its cells", () => {
    const markdown = converted(
      `<table><tr><th>A<th>B<tr><td>a<td>See <ol><li>one <ul><li>deep</ul><li><a href="/two">two</a></ol><tr><td>c<td><pre>d\n  e <a href="/f">f</a></pre></table>`,
    );
    assert.equal(
      markdown,
      "| A | B |\n| - | - |\n| a | See <ol><li>one  <ul><li> deep </li></ul></li> <li>[two](/two)</li></ol> |\n| c | <pre>`d` <br>`   e  `[`f`](/f)</pre> |",
    );
  });
});

describe("white space on a page of HTML", () => {
  it("is one space between words, and none between blocks", () => {
    const markdown = converted(
      "<div>\n <p>a<b> </b>b<i></i>\n<span> <u> </u></span> c</p>\n <p>d <br> e&nbsp;</p>\n</div>",
    );
    assert.equal(markdown, "a b c\n\nd\\\ne\u00a0".trim());
  });

  it("stays in preformatted text", () => {
    assert.equal(converted("<pre>a <b>  </b> c\n\n <i> </i>d</pre>"), "```\na    c\n\n  d\n```");
  });
});

describe("very many elements in one", () => {
  const many = "w<br>".repeat(100_000);
  const replyTo = (html: string) =>
    runHtmlTask({ output: "markdown", html, repeated: NO_REPEATED_PARTS });

  it("are converted", () => {
    const { markdown } = replyTo(`<p><span>${many}</span></p>`);
    assert.equal(markdown?.trim().split("\n").length, 100_000);
  });

  it("are refused before any is converted when there are more", () => {
    for (const output of ["metadata", "markdown"] as const) {
      const html = `<title>A</title>${many}${many}`;
      const { fault } = runHtmlTask({ output, html, repeated: NO_REPEATED_PARTS });
      assert.equal(fault?.en, "The page has more than 120,000 elements; split it");
    }
  });

  it("are refused where they do not belong", () => {
    const { markdown, fault } = replyTo(`<ul>${many}</ul>`);
    assert.equal(markdown, null);
    assert.match(fault?.en ?? "", /^Too many elements are side by side in one/);
  });
});
