import assert from "node:assert/strict";
import { after, it } from "node:test";
import { findPage } from "../../src/content/pages/find-page.ts";
import { openReading } from "../support/reading-store.ts";

const store = openReading();
after(() => store[Symbol.dispose]());

it("the last page of results that visitors can reach links to no further page", async () => {
  store.transaction(() => {
    for (let number = 0; number < 1010; number += 1) {
      store.put("topic", `/topics/${number}`, { title: `Orchard ${number}` });
    }
  });
  const pagingAt = async (page: string) => {
    const parameters: Record<string, string> = { q: "orchard", page };
    const request = { parameter: (name: string) => parameters[name] };
    const answer = await findPage(store.reading, "/search", request);
    assert(answer.kind === "page");
    return answer.view.blocks.flatMap((block) => (block.kind === "paging" ? [block.paging] : []));
  };
  assert.equal((await pagingAt("49"))[0]?.next, "/search?q=orchard&page=50");
  assert.deepEqual(await pagingAt("50"), await pagingAt("51"), "later pages get the last");
  assert.equal((await pagingAt("50"))[0]?.next, null);
});
