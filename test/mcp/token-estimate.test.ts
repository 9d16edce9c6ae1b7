import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "../../src/mcp/results/token-estimate.ts";

/** The first article of the Universal Declaration of Human Rights, and lines of the same sort. */
const TEXTS: Record<string, string> = {
  Arabic:
    "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.",
  Chinese: "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
  English:
    "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.",
  French:
    "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.",
  German:
    "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen.",
  Greek:
    "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση.",
  Hindi:
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है।",
  Japanese:
    "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。",
  Russian:
    "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.",
  Spanish:
    "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.",
};

describe("the estimate of tokens", () => {
  for (const [language, text] of Object.entries(TEXTS)) {
    it(`is between the count of o200k and half as many again in ${language}`, () => {
      for (const sample of [text, asRow(text)]) {
        const ratio = estimateTokens(sample) / countTokens(sample);
        assert(ratio >= 1 && ratio <= 1.5, ratio.toFixed(2));
      }
    });
  }

  it("does not take emoji, identifiers and ancient Greek for a few long words", () => {
    for (const text of [
      "🦁🎉👩‍👩‍👧🇩🇪🙈",
      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
      "μῆνιν ἄειδε θεὰ Πηληϊάδεω",
    ]) {
      assert(estimateTokens(text) >= 0.8 * countTokens(text), text);
    }
  });
});

/** As in the answers of tools. */
function asRow(text: string): string {
  return JSON.stringify({
    url: "https://quotations.example/quotations/all-human-beings-are-born-free",
    text,
    authors: ["Eleanor Roosevelt"],
    locator: "Article 1",
    verification: "verified",
  });
}
