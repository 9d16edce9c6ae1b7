import assert from "node:assert/strict";
import { after, it } from "node:test";
import { openReading } from "../support/reading-store.ts";

const store = openReading();
after(() => store[Symbol.dispose]());
const { reading } = store;

store.put("author", "/authors/berra", {
  title: 'Lawrence "Yogi" Berra',
  fields: { sort_name: "Berra, Lawrence" },
});
store.put("author", "/authors/clemens", {
  title: "Samuel “Sam” Clemens",
  fields: { sort_name: "Clemens, Samuel", aliases: ["Twain"] },
});
quotation("fork", "When you come to a fork in the road, take it.", "/authors/berra");
quotation("mark", "The mark of the road.", "/authors/clemens");
quotation("long", "The road to wisdom is long.");

function quotation(title: string, body: string, author?: string): void {
  const relations = author === undefined ? {} : { authors: [author] };
  store.put("quotation", `/quotations/${title}`, { title, body, relations });
}

async function found(text: string): Promise<string[]> {
  const query = { types: ["quotation"], filters: [], links: [], limit: 10, offset: 0 };
  const { hits } = await reading.search({ ...query, text });
  return hits.map(({ title }) => title).sort();
}

it("the quotation marks around a nickname in a title do not make a phrase of it in a query", async () => {
  assert.deepEqual(await found("road not by Berra"), ["long", "mark"]);
  assert.deepEqual(await found("road not by Twain"), ["fork", "long"]);
  assert.deepEqual(await found("Twain wisdom"), ["long", "mark"]);
});
