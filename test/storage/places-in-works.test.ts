import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ListQuery } from "../../src/content/library.ts";
import { dice } from "../support/dice.ts";
import { openReading, type ReadingStore } from "../support/reading-store.ts";

const LETTERS = "/works/letters";
const ESSAYS = "/works/essays";
/** From more than this many on, lists walk an order instead of sorting what was found. */
const QUOTATIONS = 2100;
const PLACES = ["IX, 10", "IX, 9", "X", "Book 2, 11", "Book 2, 3", "end"];

function listing(work: string): Omit<ListQuery, "limit"> {
  return {
    types: ["quotation"],
    filters: [],
    links: [{ direction: "in", relation: "work", anchors: [work] }],
    sort: "locator",
    descending: false,
  };
}

function pathsIn({ reading }: ReadingStore, work: string, query: Partial<ListQuery> = {}) {
  const { items } = reading.list({ ...listing(work), limit: 3000, ...query });
  return items.map(({ path }) => path);
}

/** Each item with a place, by asking for what comes after the one before it. */
function walked({ reading }: ReadingStore, work: string, first: string): string[] {
  const found = [first];
  for (;;) {
    const { after } = reading.adjacentItems(found.at(-1) ?? "", listing(work));
    if (after?.fields["locator"] === undefined) return found;
    assert.equal(reading.adjacentItems(after.path, listing(work)).before?.path, found.at(-1));
    found.push(after.path);
  }
}

function put(store: ReadingStore, number: number, work: string, locator: string | null): void {
  const fields = locator === null ? {} : { locator };
  store.put("quotation", `/quotations/${number}`, { fields, relations: { work: [work] } });
}

describe("quotations in the order of their places in a work", () => {
  it("follow numbers by their size, those without a place last", () => {
    using store = openReading();
    for (const work of [LETTERS, ESSAYS]) store.put("work", work);
    for (const [at, place] of [...PLACES, null].entries()) put(store, at, LETTERS, place);
    const ordered = [1, 0, 2, 4, 3, 5, 6].map((n) => `/quotations/${n}`);
    assert.deepEqual(pathsIn(store, LETTERS), ordered);
    assert.deepEqual(pathsIn(store, LETTERS, { descending: true }).slice(0, 2), [
      "/quotations/5",
      "/quotations/3",
    ]);
    assert.deepEqual(walked(store, LETTERS, "/quotations/1"), ordered.slice(0, 6));
    put(store, 2, ESSAYS, "X");
    put(store, 1, LETTERS, "XI");
    store.retire("/quotations/3", false);
    assert.deepEqual(pathsIn(store, ESSAYS), ["/quotations/2"]);
    assert.deepEqual(
      pathsIn(store, LETTERS),
      [0, 1, 4, 5, 6].map((n) => `/quotations/${n}`),
    );
  });

  it("follow their positions where they state them, before those with places alone", () => {
    using store = openReading();
    for (const work of [LETTERS, ESSAYS]) store.put("work", work);
    const stated = [
      { locator: "Economy", position: 1 },
      { locator: "Baker Farm", position: 10, year: 1854 },
      { position: 9, year: 1850 },
      { locator: "A" },
      {},
    ];
    for (const [at, fields] of stated.entries()) {
      store.put("quotation", `/quotations/${at}`, { fields, relations: { work: [LETTERS] } });
    }
    const ordered = [0, 2, 1, 3, 4].map((n) => `/quotations/${n}`);
    assert.deepEqual(pathsIn(store, LETTERS), ordered);
    assert.deepEqual(pathsIn(store, LETTERS, { descending: true }).slice(0, 2), [
      "/quotations/3",
      "/quotations/1",
    ]);
    assert.deepEqual(pathsIn(store, LETTERS, { language: "en" }), ordered);
    const byYear = { filters: [{ field: "year", operator: "to" as const, value: 1854 }] };
    assert.deepEqual(pathsIn(store, LETTERS, byYear), ["/quotations/2", "/quotations/1"]);
    const { items, next } = store.reading.list({ ...listing(LETTERS), limit: 2 });
    assert.deepEqual(
      items.map(({ path }) => path),
      ordered.slice(0, 2),
    );
    assert(next !== null);
    assert.deepEqual(pathsIn(store, LETTERS, { after: next }), ordered.slice(2));
    const { before, after } = store.reading.adjacentItems("/quotations/2", listing(LETTERS));
    assert.deepEqual([before?.path, after?.path], ["/quotations/0", "/quotations/1"]);
  });

  it("keep the same order however many they are and however they are narrowed", () => {
    using store = openReading();
    for (const work of [LETTERS, ESSAYS]) store.put("work", work);
    const roll = dice(7);
    store.transaction(() => {
      for (let number = 0; number < QUOTATIONS; number += 1) {
        const locator = roll(10) === 0 ? null : `${PLACES[roll(PLACES.length)]} § ${roll(500)}`;
        put(store, number, number % 20 === 0 ? ESSAYS : LETTERS, locator);
      }
    });
    const all = pathsIn(store, LETTERS, { links: [] });
    const essays = new Set(pathsIn(store, ESSAYS, { sort: "added" }));
    assert.equal(essays.size, QUOTATIONS / 20);
    assert.deepEqual(
      pathsIn(store, ESSAYS),
      all.filter((path) => essays.has(path)),
    );
    assert.deepEqual(
      pathsIn(store, LETTERS),
      all.filter((path) => !essays.has(path)),
    );
    const narrowed = { language: "en", offset: 1900, limit: 90 };
    assert.deepEqual(pathsIn(store, LETTERS, narrowed), pathsIn(store, LETTERS).slice(1900, 1990));
  });
});
