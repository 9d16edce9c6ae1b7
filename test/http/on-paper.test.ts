import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
after(() => site.close());

before(async () => {
  for (let number = 1; number <= 60; number += 1) {
    const item = itemInputSchema.parse({
      ...{ type: "topic", path: `/topics/paper-${number}`, title: `Paper ${number}` },
      status: "published",
    });
    await saveItem(site.record.content, { kind: "operator" }, item, NOW);
  }
});

async function text(path: string): Promise<string> {
  return await (await site.get(path, { accept: "text/html" })).text();
}

it("links to the pages before and after do not print", async () => {
  for (const path of ["/topics", "/topics?page=2", "/search?type=topic"]) {
    const page = await text(path);
    const [sheet = ""] = /\/[^"]+\.css/.exec(page) ?? [];
    const [, hidden = ""] =
      /@media print ?\{[\s\S]*?([^{}]*\.paging[^{}]*)\{ ?display: ?none/.exec(await text(sheet)) ??
      [];
    assert(hidden.includes('main a[rel="next"]'), hidden);
    const inLists = page.replace(/<nav class="paging"[\s\S]*?<\/nav>/, "");
    const links = inLists.match(/<a [^>]*>(?:Next|Previous) page/g) ?? [];
    assert.equal(links.length, path.endsWith("?page=2") ? 0 : 1, path);
    for (const link of links) assert.match(link, / rel="next"/);
  }
});
