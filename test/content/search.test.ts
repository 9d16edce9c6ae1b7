import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { AppError } from "../../src/errors.ts";
import { parseSearch, replaceWords } from "../../src/search/query.ts";

function read(text: string) {
  const { words, phrases, excluded } = parseSearch(text);
  return {
    words: words.flatMap(({ text: word, isFiller, isPrefix }) =>
      isFiller ? [] : [word + (isPrefix ? "*" : "")],
    ),
    phrases: phrases.map((phrase) => phrase.join(" ")),
    excluded: excluded.map((phrase) =>
      phrase.map(({ text: word, isPrefix }) => `${word}${isPrefix ? "*" : ""}`).join(" "),
    ),
  };
}

describe("the query language", () => {
  it("tells words, prefixes, phrases and exclusions apart", () => {
    const text = 'time friend* "shortness of life" -death -"old age" -grie* -"grie*" self-love';
    assert.deepEqual(read(text), {
      words: ["time", "friend*", "self", "love"],
      phrases: ["shortness of life"],
      excluded: ["death", "old age", "grie*", "grie"],
    });
  });

  it("takes typographic quotation marks for quotation marks", () => {
    assert.deepEqual(read("“know thyself” «et tu»").phrases, ["know thyself", "et tu"]);
  });

  it("passes over what is nothing: lone signs, an open quote, empty quotes", () => {
    assert.deepEqual(read(`AND - * ( "" 🙂 God's`), {
      words: ["AND", "God"],
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
    assert.equal(words("quotes about friendship"), "friendship");
    assert.equal(words("Who said that time flies?"), "time flies");
    assert.equal(words("What does Seneca say about anger?"), "Seneca about anger");
    assert.equal(words("Nothing is said about love"), "Nothing is said about love");
    assert.equal(words("have what you do not want"), "want");
  });

  it("takes the beginning of a text that is too long, and says so", () => {
    const long = parseSearch(`${"word ".repeat(10_000)}`);
    assert.deepEqual([long.words.length, long.isShortened], [700, true]);
    const full = parseSearch("abcdefg ".repeat(500).trim());
    assert.deepEqual([full.words.length, full.isShortened], [500, false]);
    assert.equal(parseSearch("x".repeat(5000)).words[0]?.text.length, 4000);
    assert.equal(parseSearch(`"${"a ".repeat(400)}"`).phrases[0]?.length, 400);
  });

  it("refuses with the limit what is empty, only excludes or has too many strict parts", () => {
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
    refused('"a" '.repeat(33), /33 phrases in quotation marks and may have 32/);
    refused(`word ${"-a ".repeat(65)}`, /65 words to exclude and may have 64/);
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
