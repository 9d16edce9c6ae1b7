import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mean, measure } from "./measures.ts";

describe("the measures of a ranking", () => {
  it("are those of trec_eval, with grades as gains", () => {
    const judged = new Map([
      ["a", 3],
      ["b", 1],
      ["c", 2],
      ["d", 0],
      ["e", -1],
    ]);
    const { ndcgAt10, recallAt100, reciprocalRank } = measure(["d", "b", "x", "a"], judged);
    const gained = 1 / Math.log2(3) + 3 / Math.log2(5);
    const best = 3 + 2 / Math.log2(3) + 1 / Math.log2(4);
    assert.equal(ndcgAt10.toFixed(10), (gained / best).toFixed(10));
    assert.equal(ndcgAt10.toFixed(4), "0.4038");
    assert.equal(recallAt100, 2 / 3);
    assert.equal(reciprocalRank, 1 / 2);
  });

  it("consider the first ten, the first hundred and all results", () => {
    const judged = new Map([["a", 1]]);
    const others = (count: number) => Array.from({ length: count }, (_, n) => `other ${n}`);
    assert.deepEqual(measure([...others(9), "a"], judged), {
      ndcgAt10: 1 / Math.log2(11),
      recallAt100: 1,
      reciprocalRank: 1 / 10,
    });
    assert.equal(measure([...others(10), "a"], judged).ndcgAt10, 0);
    assert.equal(measure([...others(100), "a"], judged).recallAt100, 0);
  });

  it("count missing results and queries without relevant documents as 0", () => {
    const none = { ndcgAt10: 0, recallAt100: 0, reciprocalRank: 0 };
    assert.deepEqual(measure([], new Map([["a", 1]])), none);
    assert.deepEqual(measure(["a"], new Map([["a", 0]])), none);
    const half = mean([measure(["a"], new Map([["a", 1]])), none]);
    assert.deepEqual(half, { ndcgAt10: 0.5, recallAt100: 0.5, reciprocalRank: 0.5 });
  });
});
