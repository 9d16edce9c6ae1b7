import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Actor } from "../../../src/access/actor.ts";
import { convertPasteToMarkdown } from "../../../src/content/pasting/pasted-html.ts";
import { convertPasteInWorker } from "../../../src/content/pasting/pasting.ts";
import { AppError } from "../../../src/errors.ts";
import { PASTED_PIECES } from "./pasted-pieces.ts";

const OPERATOR: Actor = { kind: "operator" };

describe("what is pasted", () => {
  it("from Word has its headings, lists and footnotes", () => {
    const html = `<html xmlns:o="x"><head><style>p{color:red}</style></head><body><p class=MsoTitle>On Toil<o:p></o:p></p>
<p class=MsoNormal>It <b style='mso-bidi-font-weight:normal'>passes</b>,&nbsp; <i>always</i><a href="#_ftn1" name="_ftnref1"><span class=MsoFootnoteReference>[1]</span></a>.</p><p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp;</span></span>One</p>
<p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>1.<span>&nbsp;</span></span>Below</p>
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp;</span></span>Two</p>
<div id=ftn1><p class=MsoFootnoteText><a href="#_ftnref1" name="_ftn1">[1]</a> Seneca.</p></div></body></html>`;
    assert.equal(
      convertPasteToMarkdown(html),
      "## On Toil\n\nIt **passes**, *always*[^1].\n\n- One\n  1. Below\n- Two\n\n[^1]: Seneca.\n",
    );
  });

  it("from Google Docs has no bold that is none, and links that lead where they say", () => {
    const html = `<b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:400">Plain </span><span style="font-weight:700">bold </span><a href="https://www.google.com/url?q=https://example.org/a&amp;sa=D"><span>link</span></a></p><ul><li><p>One</p></li><ul><li><p>Nested</p></li></ul></ul></b>`;
    assert.equal(
      convertPasteToMarkdown(html),
      "Plain **bold** [link](https://example.org/a)\n\n- One\n  - Nested\n",
    );
  });

  it("keeps the caption of a table above it, and what stands in blocks within its cells", () => {
    const html = `<table><caption>Who pays</caption><tr><th>Who</th><th>When</th></tr><tr><td><p>Ana</p><p>Ben</p></td><td>In <ul><li>May</li><li>June</li></ul></td></tr></table>`;
    assert.equal(
      convertPasteToMarkdown(html),
      "Who pays\n\n| Who | When |\n| - | - |\n| Ana Ben | In • May • June |\n",
    );
  });

  it("keeps no script, no picture and no address that runs one", () => {
    const html = `<script>alert(1)</script><p onclick="x()">a <a href="javascript:alert(1)">b</a> &lt;script&gt;<img src="https://t.example/p.gif"></p>`;
    assert.equal(convertPasteToMarkdown(html), "a b \\<script>\n");
  });

  for (const { from, html, markdown } of PASTED_PIECES) {
    it(`becomes clean Markdown. ${from}`, () => {
      assert.equal(convertPasteToMarkdown(html), `${markdown}\n`);
    });
  }

  it("has bounds, and is converted beside everything else", async () => {
    assert.equal(await convertPasteInWorker(OPERATOR, "<p>Well</p>"), "Well\n");
    await assert.rejects(
      convertPasteInWorker(OPERATOR, "<p>".repeat(1_000_000)),
      (error: unknown) => {
        assert(error instanceof AppError);
        return error.code === "invalid" && /paste it in parts/.test(error.message);
      },
    );
  });
});
