import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { countedWordsIn, indexedItemsIn, postingsIn } from "../support/index-model.ts";
import { itemOf, openReading, type ReadingStore } from "../support/reading-store.ts";

const TOPIC = "/topics/courage";
const OTHER = "/topics/river";
/** More than are read in one step. */
const QUOTATIONS = 600;
/** More often than a frequency can count. */
const OFTEN = "courage ".repeat(300);

function withQuotations(): ReadingStore {
  const store = openReading();
  store.put("topic", TOPIC, { title: "Courage" });
  store.put("topic", OTHER, { title: "River" });
  for (let number = 1; number <= QUOTATIONS; number += 1) {
    store.writer.put(
      itemOf("quotation", `/quotations/${number}`, {
        title: `On ${number}`,
        body: number % 100 === 0 ? OFTEN : `Of the river, ${number} letters and no more`,
        language: number % 7 === 0 ? "de" : "en",
        relations: { topics: number % 2 === 0 ? [TOPIC, OTHER] : [TOPIC] },
      }),
    );
  }
  store.flush();
  return store;
}

function requireInStep({ file }: ReadingStore, where: string): void {
  const postings = postingsIn(file);
  assert.deepEqual(postings, countedWordsIn(file), `postings, ${where}`);
  assert.deepEqual(indexedItemsIn(file), postings, `indexed items, ${where}`);
}

async function countOf({ reading }: ReadingStore, text: string): Promise<number> {
  const query = { types: ["quotation"], filters: [], links: [], limit: 1, offset: 0 };
  return (await reading.search({ ...query, text })).total;
}

describe("items that link to one with another title", () => {
  it("are found by the new title and no longer by the old one", async () => {
    using store = withQuotations();
    assert.equal(await countOf(store, "courage"), QUOTATIONS);
    store.put("topic", TOPIC, { title: "Fortitude" });
    assert.equal(await countOf(store, "fortitude"), QUOTATIONS);
    assert.equal(await countOf(store, "courage"), QUOTATIONS / 100);
    store.retire(TOPIC, true);
    assert.equal(await countOf(store, "fortitude"), 0);
    store.put("topic", TOPIC, { title: "Valour" });
    assert.equal(await countOf(store, "valour"), QUOTATIONS);
  });

  it("are indexed as if they had been written again, whatever the titles are", () => {
    using store = withQuotations();
    const titles = [
      "Letters",
      "Of the courage of the river",
      "河と時間",
      "'s Rivers",
      "River",
      "1984",
    ];
    for (const title of titles) {
      store.put("topic", TOPIC, { title });
      requireInStep(store, title);
    }
    store.writer.put(itemOf("topic", TOPIC, { title: "River of rivers" }));
    store.writer.put(itemOf("topic", OTHER, { title: "And what of courage?" }));
    store.flush();
    requireInStep(store, "two titles at once");
    store.retire(OTHER, false);
    requireInStep(store, "one withdrawn");
    store.writer.put(itemOf("topic", OTHER, { title: "Courage" }));
    store.writer.put(itemOf("quotation", "/quotations/2", { relations: { topics: [OTHER] } }));
    store.flush();
    requireInStep(store, "published again with an item that links to it");
  });
});
