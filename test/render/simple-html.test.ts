import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { renderMarkdownBody, renderSanitizedBody } from "../../src/render/body/body.ts";

const OPTIONS = { origin: "https://quotations.example" };

/** Fragments that make blocks and emphasis, or something else when combined. */
const PIECES =
  "a|b|é| | |  |\n|\n|\n\n|\n\n|\\\n|  \n|> |- |* |1. |7) |\n    |\t|# |### |---\n|===|*|**|_|__|~~|\"|'|&|&amp;|&copy;|&#34;|&quot;|<|>|</|<br>|<hr>|<b>|\\|\\<|\\*|`|[|](|)|!|http://a.b|“|”|\u00a0|\u0000|\u2028|:|--|\r\n|<!--|-->|{";

it("renders text, lists and quotations exactly as the sanitiser does", () => {
  let own = 0;
  const texts = fc
    .array(fc.constantFrom(...PIECES.split("|"), "|"), { minLength: 1, maxLength: 14 })
    .map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      const rendered = renderMarkdownBody(text, OPTIONS);
      if (!/<a|<code|<pre|<table|<s>/.test(rendered.html)) own += 1;
      assert.deepEqual(rendered, renderSanitizedBody(text, OPTIONS));
    }),
    { numRuns: 4000, seed: 26 },
  );
  assert(own > 1500, `only ${own} texts were of these`);
});

it("leaves emphasis nested deeper than its limit to the sanitiser", () => {
  for (const times of [5, 30, 120, 300]) {
    const text = `${"*a **b ".repeat(times)}${"** *".repeat(times)}`;
    const nested = `${"*".repeat(times)}a${"*".repeat(times)}`;
    for (const body of [text, nested, `> - ${nested}`]) {
      assert.deepEqual(renderMarkdownBody(body, OPTIONS), renderSanitizedBody(body, OPTIONS));
    }
  }
});
