import assert from "node:assert/strict";
import { it } from "node:test";
import { LOOKS, lookSchema } from "../../src/content/site/look/look.ts";
import { styleSheet } from "../../src/render/looks/style-sheet.ts";

/** A `:has()` within another one, up to the parentheses of one level between them. */
const NESTED_HAS = /:has\((?:[^(){}]|\([^(){}]*\))*(?:\([^(){}]*)?:has\(/;

it("has no :has within :has, for which browsers drop the whole rule", () => {
  assert.match("a:has(+ b:not(:has(i))) {}", NESTED_HAS);
  assert.doesNotMatch("a:has(b):not(:has(+ i)) {}", NESTED_HAS);
  for (const name of LOOKS) {
    const { css } = styleSheet(lookSchema.parse({ name }));
    assert.equal(NESTED_HAS.exec(css)?.[0], undefined, name);
  }
});

it("leaves no gap in a word of which search marks a part", () => {
  for (const name of LOOKS) {
    const { css } = styleSheet(lookSchema.parse({ name }));
    assert.match(css, /(?:^|[},\s])mark ?\{/, name);
    assert.doesNotMatch(css, /(?:^|[},\s])mark ?\{[^}]*(?:padding|margin|border)/, name);
  }
});

it("breaks a long word in the association's name, which would run over the button of the menu", () => {
  for (const name of LOOKS) {
    const { css } = styleSheet(lookSchema.parse({ name }));
    assert.match(css, /(?:^|[},\s])\.site-name span ?\{[^}]*overflow-wrap: ?anywhere/, name);
  }
});

it("shows pictures with and without a caption in one width, that of the text", () => {
  for (const name of LOOKS) {
    const { css } = styleSheet(lookSchema.parse({ name }));
    const rule =
      /\.text > :is\(([^{}]*)\) ?\{ ?max-width: ?var\(--line-length\)/.exec(css)?.[1] ?? "";
    const limited = rule.split(/, ?/);
    assert(limited.includes("p") && limited.includes("figure"), `${name}: ${rule}`);
  }
});
