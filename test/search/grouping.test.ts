import assert from "node:assert/strict";
import { after, it } from "node:test";
import { requireGrouping } from "../../src/content/lists/grouping.ts";
import { openReading } from "../support/reading-store.ts";

const store = openReading();
after(() => store[Symbol.dispose]());
const { reading } = store;

it("counts the links of a symmetric relation from both ends, and those that both state once", async () => {
  store.put("topic", "/topics/a", { title: "A", relations: { see_also: ["/topics/b"] } });
  store.put("topic", "/topics/b", { title: "B", relations: { see_also: ["/topics/a"] } });
  store.put("topic", "/topics/c", { title: "C", relations: { see_also: ["/topics/b"] } });
  const types = ["topic"];
  const { by } = requireGrouping(reading, types, "see_also");
  const query = { types, filters: [], links: [], limit: 10, offset: 0 };
  const { groups } = await reading.search({ ...query, text: "", countBy: by });
  assert.deepEqual(
    groups?.counts.map(({ name, count }) => `${name} ${count}`),
    ["B 2", "A 1", "C 1"],
  );
  for (const { path, count } of groups?.counts ?? []) {
    const links = [{ direction: "in" as const, relation: "see_also", anchors: [path ?? ""] }];
    const list = { ...query, links, sort: "title", descending: false };
    assert.equal(reading.list(list).total, count, path ?? "");
  }
});
