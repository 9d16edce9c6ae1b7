import assert from "node:assert/strict";
import { after, it } from "node:test";
import type { ReadingCopy } from "../../src/content/library.ts";
import { findPage } from "../../src/content/pages/find-page.ts";
import type { Paging } from "../../src/content/pages/view.ts";
import { withOverriddenMethods } from "../../src/content/reading-overrides.ts";
import { openReading } from "../support/reading-store.ts";

const store = openReading();
after(() => store[Symbol.dispose]());

async function pagingAt(query: string, reading: ReadingCopy = store.reading): Promise<Paging[]> {
  const parameters = new URLSearchParams(query);
  const request = { parameter: (name: string) => parameters.get(name) ?? undefined };
  const answer = await findPage(reading, "/search", request);
  assert(answer.kind === "page");
  return answer.view.blocks.flatMap((block) => (block.kind === "paging" ? [block.paging] : []));
}

it("the last page of results that visitors can reach links to no further page", async () => {
  store.transaction(() => {
    for (let number = 0; number < 1010; number += 1) {
      store.put("topic", `/topics/${number}`, { title: `Orchard ${number}` });
    }
  });
  const [before] = await pagingAt("q=orchard&page=49");
  assert.equal(before?.next, "/search?q=orchard&page=50");
  const [last] = await pagingAt("q=orchard&page=50");
  assert.equal(last?.next, null);
  assert.deepEqual(await pagingAt("q=orchard&page=51"), [last], "later pages get the last");
});

it("the last page of a filtered list that visitors can reach links to no further page", async () => {
  const list = () => ({ items: [], total: 100_000, next: null });
  const large = withOverriddenMethods(store.reading, { list });
  const [before] = await pagingAt("type=topic&page=4999", large);
  assert.equal(before?.next, "/search?type=topic&page=5000");
  const [last] = await pagingAt("type=topic&page=5000", large);
  assert.equal(last?.next, null);
});
