import assert from "node:assert/strict";
import { it } from "node:test";
import { escapeMarkdown } from "../../src/render/markdown-text.ts";

it("folds white space of every kind and leaves single spaces alone", () => {
  assert.equal(escapeMarkdown(" a b\tc\u00a0d \n e  f\n"), "a b c d e f ");
});
