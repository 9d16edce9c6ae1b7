import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mergeTexts } from "../../../src/http/admin/browser/text-merging.ts";

describe("two changes of a text in the editor", () => {
  it("become one where they are in different lines", () => {
    const base = "one\n\ntwo\n\nthree\n";
    const sides = { mine: "one\n\ntwo\n\n3\n", theirs: "ONE, or more\n\ntwo\n\nthree\n" };
    assert.equal(mergeTexts(base, sides), "ONE, or more\n\ntwo\n\n3\n");
    assert.equal(mergeTexts(base, { mine: base, theirs: "x" }), "x");
    assert.equal(mergeTexts(base, { mine: "x", theirs: base }), "x");
    assert.equal(mergeTexts(base, { mine: "x", theirs: "x" }), "x");
  });

  it("become one where the text begins with an empty line", () => {
    const base = "\none\ntwo\nthree";
    const sides = { mine: "zero\none\ntwo\nthree", theirs: "\none\ntwo\n3" };
    assert.equal(mergeTexts(base, sides), "zero\none\ntwo\n3");
  });

  it("are a conflict in the same line, also where no letter was changed by both", () => {
    const clashes = [
      ["He was 10", "He was 11", "He was 20"],
      ["w80x1w", "w80x11w", "w80x9w"],
      ["The 1st of May", "The 1st of June", "On the 1st of May"],
    ];
    for (const [base = "", mine = "", theirs = ""] of clashes) {
      assert.equal(mergeTexts(base, { mine, theirs }), null, mine);
      assert.equal(mergeTexts(base, { mine: theirs, theirs: mine }), null, mine);
    }
  });
});
