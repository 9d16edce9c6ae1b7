import assert from "node:assert/strict";
import { it } from "node:test";
import { changeItem } from "../../src/content/editing/editing.ts";
import { importItems } from "../../src/content/import/import-items.ts";
import type { ParsedItem } from "../../src/content/import/parsed-item.ts";
import { NOW, OPERATOR, openRecordStore, topic } from "../support/record-store.ts";

it("A source key that an import takes from a moved item goes to a new item of the same batch", async () => {
  await using store = await openRecordStore();
  const load = async (...items: { title: string; path: string; sourceKey: string }[]) =>
    await importItems(store.content, OPERATOR, parsed(items), {
      now: NOW,
      onProblem: (problem) => assert.fail(JSON.stringify(problem)),
    });
  await load({ title: "One", path: "/topics/one", sourceKey: "k:1" });
  const moved = await store.content.itemAt("/topics/one");
  assert(moved !== null);
  const patch = { path: "/topics/elsewhere" };
  await changeItem(store.content, OPERATOR, moved.id, { patch, now: NOW });
  const counts = await load(
    { title: "One", path: "/topics/one", sourceKey: "k:2" },
    { title: "Two", path: "/topics/two", sourceKey: "k:1" },
  );
  assert.deepEqual([counts.created, counts.updated], [1, 1]);
  assert.equal((await store.content.itemBySourceKey("k:1"))?.path, "/topics/two");
  assert.equal((await store.content.itemBySourceKey("k:2"))?.path, "/topics/elsewhere");
});

async function* parsed(
  items: readonly { title: string; path: string; sourceKey: string }[],
): AsyncGenerator<ParsedItem> {
  for (const { title, ...more } of items) {
    yield {
      ...{ file: "a.jsonl", input: topic(title, more), hasStatus: true, isNotPublic: false },
      ...{ problems: [], skipped: null, leftOut: [], placeOf: () => ({ line: 1, field: "" }) },
    };
  }
}
