import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { convertBlocksToHtml } from "../../../src/content/import/mediawiki/wikitext-blocks.ts";
import { requireNearLinear } from "../../support/costly/growth.ts";
import { within } from "../../support/costly/pieces.ts";

describe("A term and its definition on one line of wikitext", () => {
  it("are divided at the first colon outside of brackets and elements", () => {
    const definitions = {
      "a : b : c": ["a", "b : c"],
      "[a : b] c : d": ["[a : b] c", "d"],
      "[a : b : c": ["[a : b : c"],
      "\u007fI1\u007fa : b\u007fI2\u007f : c": ["\u007fI1\u007fa : b\u007fI2\u007f", "c"],
      "a:b": ["a:b"],
    };
    for (const [line, parts] of Object.entries(definitions)) {
      const found: string[] = [];
      convertBlocksToHtml(`; ${line}`, (text) => {
        found.push(text);
        return text;
      });
      assert.deepEqual(found, parts, line);
    }
  });

  it("cost no more than their length", () =>
    requireNearLinear(
      (characters) => within("; [", ": ")(4 * characters),
      (text) => convertBlocksToHtml(text, (line) => line),
    ));
});
