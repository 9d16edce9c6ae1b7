import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { renderMarkdownBody } from "../../src/render/body/body.ts";
import { renderPlainBody } from "../../src/render/body/plain-body.ts";

const OPTIONS = { origin: "https://quotations.example" };

/** Fragments that could become markup, URLs, lists or entities when combined. */
const PIECES =
  "a|b|é|e\u0301|1|23|1.|1)|.| |  |(|)|:|;|'|\"|!|?|-|--|—|–|…|/|//|http:|www.|mailto:|@|com|ß|א|中|“|”|„|‚|‘|’|«|»|¿|¡|\u0301|٣|Ⅷ|²|½|ﬁ|\u200d|😀|_|*|~|`|[|]|<|>|&|amp;|#|+|=|\\|\t|\n|\u00a0|:-|- ";

it("renders a plain paragraph exactly as the parser and the sanitiser do", () => {
  let plain = 0;
  const texts = fc
    .array(fc.constantFrom(...PIECES.split("|"), "|"), { minLength: 1, maxLength: 12 })
    .map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(texts, (text) => {
      const rendered = renderPlainBody(text);
      if (rendered === null) return;
      plain += 1;
      assert.deepEqual(rendered, renderMarkdownBody(text, OPTIONS));
    }),
    { numRuns: 20_000, seed: 26 },
  );
  assert(plain > 500, `only ${plain} texts were plain`);
});

it("accepts typical quotations and leaves everything else to the parser", () => {
  const plain = [
    "We suffer more in imagination than in reality.",
    "“Was du tust – tue bald!”, sprach er; 3 mal (drei).",
    "God’s time: a time to keep silence, / and a time to speak?",
  ];
  for (const text of plain) assert.notEqual(renderPlainBody(text), null, text);
  const others = [
    "",
    " a",
    "a ",
    "a\nb",
    "*a*",
    "1. a",
    "1) a",
    "- a",
    "a@b.org",
    "http://a.b",
    "a & b",
  ];
  for (const text of others) assert.equal(renderPlainBody(text), null, text);
});
