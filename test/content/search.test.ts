import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { AppError } from "../../src/errors.ts";
import { parseSearch, replaceWords } from "../../src/search/query.ts";

function read(text: string) {
  const { words, phrases, excluded } = parseSearch(text);
  return {
    words: words.map((word) => word.text + (word.isPrefix ? "*" : "")),
    phrases: phrases.map((phrase) => phrase.join(" ")),
    excluded: excluded.map((phrase) => phrase.join(" ")),
  };
}

describe("the query language", () => {
  it("tells words, prefixes, phrases and exclusions apart", () => {
    assert.deepEqual(read('time friend* "shortness of life" -death -"old age" self-love'), {
      words: ["time", "friend*", "self", "love"],
      phrases: ["shortness of life"],
      excluded: ["death", "old age"],
    });
  });

  it("takes typographic quotation marks for quotation marks", () => {
    assert.deepEqual(read("“know thyself” «et tu»").phrases, ["know thyself", "et tu"]);
  });

  it("passes over what is nothing: lone signs, an open quote, empty quotes", () => {
    assert.deepEqual(read(`AND - * ( "" 🙂 God's`), {
      words: ["God"],
      phrases: [],
      excluded: [],
    });
    assert.deepEqual(read('say "open end').words, ["say", "open", "end"]);
  });

  it("passes over what only asks, in front of a stop word", () => {
    const words = (text: string) => read(text).words.join(" ");
    assert.equal(words("I'd like to find articles about friendship"), "friendship");
    assert.equal(
      words("Is there any information on old age? Tell me about Seneca."),
      "old age Seneca",
    );
    assert.equal(words("information theory"), "information theory");
    assert.equal(words("What information theory says"), "information theory says");
    assert.equal(words("the article"), "article");
    assert.equal(words("what is it"), "what is it");
  });

  it("refuses with the limit what is too long, empty or only exclusion", () => {
    const refused = (text: string, message: RegExp) =>
      assert.throws(
        () => parseSearch(text),
        (error) => {
          assert(error instanceof AppError);
          assert.equal(error.code, "invalid");
          assert.match(error.message, message);
          return true;
        },
      );
    refused("  ", /empty/);
    refused("x".repeat(301), /301 characters and may have 300/);
    refused("word ".repeat(33), /33 words to look for and may have 32/);
    refused(`"${"a ".repeat(33)}"`, /33 words/);
    refused("-death", /only excludes words/);
  });

  it("knows where each word stands, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        let words: ReturnType<typeof parseSearch>["words"];
        try {
          ({ words } = parseSearch(text));
        } catch (error) {
          assert(error instanceof AppError);
          return;
        }
        for (const { text: word, start, end } of words) assert.equal(text.slice(start, end), word);
      }),
    );
  });

  it("replaces words and leaves the rest as typed", () => {
    const text = 'tiem -death "of life" freind*';
    const { words } = parseSearch(text);
    const replacements = words.map((word) => ({
      word,
      by: word.text === "tiem" ? "time" : "friend",
    }));
    assert.equal(replaceWords(text, replacements), 'time -death "of life" friend*');
  });
});
