import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { convertHtmlToMarkdown } from "../../../src/content/import/html/html-page.ts";

const TEXT = "<p>We meet on every first Thursday of the month in the old library.</p>";
const SHOWN = "We meet on every first Thursday of the month in the old library.";

function converted(body: string): string {
  return convertHtmlToMarkdown(`<html><body>${body}</body></html>`)?.markdown.trim() ?? "";
}

describe("what is around the text of a page of HTML", () => {
  it("is known by names of navigation, on a table or a paragraph too", () => {
    const bars = [
      `<table class="navigation"><tr><td>Prev<td>Next</table>`,
      `<p class="nav-links">Home, up</p>`,
      `<ul class="docnav top"><li>Previous</li></ul>`,
      `<div class="navheader">Chapter 3</div>`,
      `<div id="my-breadcrumbs">You are here</div>`,
    ];
    for (const bar of bars) assert.equal(converted(bar + TEXT), SHOWN, bar);
  });

  it("does not include an element with most of the words, whatever it is called", () => {
    assert.equal(converted(`<div class="with-navbar">${TEXT}</div>`), SHOWN);
  });

  it("does not include a header with the only title", () => {
    const markdown = converted(`<div id="header"><h1>Title</h1><p>In short</p></div>${TEXT}`);
    assert.equal(markdown, `# Title\n\nIn short\n\n${SHOWN}`);
  });

  it("includes contents that lead to headings of the page, but none that lead to other pages", () => {
    const own = `<div class="toc"><ul><li><a href="#a">A</a></li></ul></div><h2 id="a">A</h2>`;
    assert.equal(converted(own + TEXT), `## A\n\n${SHOWN}`);
    const others = `<div class="toc"><ul><li><a href="a.html">A</a></li></ul></div>`;
    assert.equal(converted(TEXT + others), `${SHOWN}\n\n- [A](a.html)`);
  });

  it("includes a sidebar of links, but none with a text", () => {
    const links = `<div class="sidebar">See <a href="/a">The first page</a> <a href="/b">The second</a></div>`;
    assert.equal(converted(links + TEXT), SHOWN);
    const text = `<div class="sidebar">Bring a book with you, <a href="/a">any</a>.</div>`;
    assert.equal(converted(TEXT + text), `${SHOWN}\n\nBring a book with you, [any](/a).`);
  });

  it("includes footers of links", () => {
    const footer = `<div class="printfooter">From <a href="/">the site of the society</a></div>`;
    assert.equal(converted(TEXT + footer), SHOWN);
  });
});
