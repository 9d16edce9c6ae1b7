import assert from "node:assert/strict";
import { it } from "node:test";
import { LruCache, VersionedCache } from "../src/caching/versioned-cache.ts";

it("keeps what is asked for, within its size, and lets go of the rest", () => {
  const kept = new LruCache<number>(10);
  for (let number = 0; number < 100; number += 1) {
    kept.set(`k${number}`, number, 1);
    assert.equal(kept.get("k0"), 0, "asked for again and again");
    assert.equal(kept.get(`k${number}`), number);
  }
  const left = Array.from({ length: 100 }, (_, number) => kept.get(`k${number}`));
  const count = left.filter((value) => value !== undefined).length;
  assert(count >= 5 && count <= 10, `${count} are kept`);
});

it("takes the size of what it replaces into account, and nothing that is too large", () => {
  const kept = new LruCache<string>(10);
  for (let round = 0; round < 100; round += 1) kept.set("one", `v${round}`, 4);
  kept.set("other", "o", 1);
  assert.deepEqual([kept.get("one"), kept.get("other")], ["v99", "o"]);
  kept.set("huge", "h", 6);
  assert.equal(kept.get("huge"), undefined);
  kept.set("small", "s", 1);
  assert.deepEqual([kept.get("one"), kept.get("other")], ["v99", "o"], "not displaced");
  kept.clear();
  assert.deepEqual([kept.get("one"), kept.get("other")], [undefined, undefined]);
});

it("lets go of what was made of a former version, and takes nothing more of it", () => {
  let version = 1;
  const kept = new VersionedCache<string>(10, () => version);
  kept.set("one", "v1", { size: 1, version: 1 });
  assert.equal(kept.get("one"), "v1");
  version = 2;
  kept.set("late", "v1", { size: 1, version: 1 });
  assert.deepEqual([kept.get("one"), kept.get("late")], [undefined, undefined]);
  kept.set("one", "v2", { size: 1, version: 2 });
  assert.equal(kept.get("one"), "v2");
});
