import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { adaptBodyToPage } from "../../src/render/blocks/page-body.ts";
import { siteTexts } from "../../src/texts/site/site-texts.ts";

const texts = siteTexts("en");
const shown = (html: string, showsPicturesFromElsewhere = false) =>
  adaptBodyToPage(html, { texts, showsPicturesFromElsewhere });

describe("a body on a page", () => {
  it("has pictures of other sites as links, inside a link as its words", () => {
    const picture = '<img src="https://a.example/x.png?a=1&amp;b=2" alt="A &quot;map&quot;">';
    const span = '<span class="elsewhere">A &quot;map&quot;</span>';
    const link = `<a href="https://a.example/x.png?a=1&amp;b=2" rel="external">${span}</a>`;
    assert.equal(shown(`<p>${picture}</p>`), `<p>${link}</p>`);
    assert.equal(
      shown(`<p><a href="/x">See ${picture}</a> ${picture}</p>`),
      `<p><a href="/x">See ${span}</a> ${link}</p>`,
    );
    assert.equal(shown(`<p>${picture}</p>`, true), `<p>${picture}</p>`);
    assert.match(
      shown('<img alt="" src="http://a.example/y.png">'),
      />http:\/\/a\.example\/y\.png</,
    );
  });

  it("keeps pictures of the site and text that only looks like one", () => {
    for (const html of [
      '<p><img src="/media/x.png" alt="x"></p>',
      "<p>&lt;img src=&quot;https://a.example&quot;&gt;</p>",
    ]) {
      assert.equal(shown(html), html);
    }
  });

  it("marks links whose words are their address, which print would repeat", () => {
    const link = (words: string, more = "") =>
      `<a ${more}href="https://a.example/b/" rel="external">${words}</a>`;
    for (const words of ["https://a.example/b/", "https://a.example/b", "a.example/b"]) {
      assert.equal(shown(link(words)), link(words, 'class="address" '));
    }
    for (const words of ["a.example", "Our notes"]) assert.equal(shown(link(words)), link(words));
  });

  it("names the way back from a footnote, which is an arrow", () => {
    const link = '<a href="#fnref2:1" class="footnote-backref"';
    assert.equal(
      shown(`<p>Note ${link}>↩︎</a></p>`),
      `<p>Note ${link} aria-label="Back to note 2 in the text">↩︎</a></p>`,
    );
  });

  it("makes the empty corner of a table an ordinary cell", () => {
    const row = (corner: string) =>
      `<table><thead><tr>${corner}<th scope="col">A</th></tr></thead>`;
    assert(shown(row('<th scope="col"></th>')).endsWith(row("<td></td>")));
  });

  it("lets the keyboard reach tables and code, by name", () => {
    assert.equal(
      shown('<pre><code class="x">a</code></pre><table><tr><td>1</td></tr></table>'),
      '<pre tabindex="0" role="group" aria-label="Code"><code class="x">a</code></pre><div class="scroll" tabindex="0" role="group" aria-label="Table"><table><tr><td>1</td></tr></table></div>',
    );
  });
});
