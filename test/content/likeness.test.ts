import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { editDistance, nameSimilarity } from "../../src/search/language/similarity.ts";

const word = fc.string({ unit: fc.constantFrom(..."abcdé"), minLength: 4, maxLength: 9 });

it("counts a word as like another exactly when few changes lead there", () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      const longer = Math.max(a.length, b.length);
      const distance = editDistance(a, b, longer);
      const isLike = distance <= (longer <= 5 ? 1 : 2);
      const expected = a === b ? 1 : isLike ? (1 - distance / longer) * 0.99 : 0;
      assert.ok(Math.abs(nameSimilarity(a, b) - expected) < 1e-9, `${a} ${b}`);
    }),
    { numRuns: 2000 },
  );
});
