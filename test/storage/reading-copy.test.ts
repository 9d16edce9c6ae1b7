import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openReading } from "../support/reading-store.ts";

describe("resolve", () => {
  it("answers an item with its links from both ends and its counts", () => {
    using store = openReading();
    store.put("author", "/authors/seneca", { title: "Seneca" });
    store.put("quotation", "/quotations/a", {
      title: "A",
      body: "We suffer more in imagination than in reality.",
      relations: { authors: ["/authors/seneca"] },
    });
    const found = store.reading.resolve("/quotations/a");
    assert(found.kind === "item");
    assert.deepEqual(found.item.links["authors"], [
      { path: "/authors/seneca", type: "author", title: "Seneca", note: null },
    ]);
    assert.equal(found.item.summary, "We suffer more in imagination than in reality.");
    assert.equal(found.item.hasOwnSummary, false);
    const author = store.reading.resolve("/authors/seneca");
    assert(author.kind === "item");
    assert.deepEqual(author.item.counts, { works: 0, quotations: 1 });
  });
});
