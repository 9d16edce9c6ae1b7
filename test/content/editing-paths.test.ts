import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deleteItem, publishItem, unpublishItem } from "../../src/content/editing/publishing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { defineBuiltInType } from "../../src/content/types/content-type.ts";
import { NOW, OPERATOR, openRecordStore, topic } from "../support/record-store.ts";

const page = (path: string) =>
  itemInputSchema.parse({ type: "page", title: "A page", path, status: "published" });

describe("a path", () => {
  const refused: [string, RegExp][] = [
    ["about", /must start with "\/"/],
    ["/about/", /must not end with "\/"/],
    ["//about", /"" cannot be part of a path/],
    ["/a/../b", /"\.\." cannot be part of a path/],
    ["/.well-known/x", /"\.well-known" cannot be part/],
    ["/a b", /"a b" cannot be part/],
    ["/a%20b", /cannot be part/],
    ["/a?b", /cannot be part/],
    ["/a#b", /cannot be part/],
    ["/a\\b", /cannot be part/],
    ["/a\u202eb", /cannot be part/],
    ["/about.md", /ends like a file name/],
    ["/robots.txt", /ends like a file name/],
    ["/favicon.ico", /ends like a file name/],
    [`/${"a".repeat(300)}`, /longer than 300 characters/],
    ["/mcp", /reserved/],
    ["/MCP/x", /reserved/],
    ["/api/v1", /reserved/],
    ["/admin", /reserved/],
    ["/search", /reserved/],
    ["/index", /reserved/],
    ["/contact/claim", /reserved/],
    ["/topics", /belongs to Topics/],
    ["/topics/time", /belongs to Topics/],
    ["/events/one", /belongs to Events/],
  ];
  for (const [path, told] of refused) {
    it(`is refused: ${path.slice(0, 40)}`, async () => {
      const event = defineBuiltInType({
        name: "event",
        label: "Event",
        plural: "Events",
        description: "A meeting",
        listPath: "/events",
      });
      await using store = await openRecordStore({ types: [event] });
      await assert.rejects(store.save(page(path)), (error: Error & { code?: string }) => {
        assert.equal(error.code, "invalid");
        assert.match(error.message, told);
        return true;
      });
    });
  }

  it("is taken as it is, in NFC", async () => {
    await using store = await openRecordStore();
    for (const path of ["/", "/about", "/About-us/team_2.0/x~y", "/über-uns", "/関于"]) {
      assert.equal((await store.save(page(path.normalize("NFD")))).item.path, path);
      assert.equal(store.reading.resolve(path).kind, "item");
    }
  });

  it("of an item with a listing page stands below it", async () => {
    await using store = await openRecordStore();
    await assert.rejects(store.save(topic("Time", { path: "/time" })), /Topics stand below/);
  });
});

describe("a path once used", () => {
  it("leads in one step to wherever its item stands now", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("A", { slug: "a" }));
    for (const slug of ["b", "c", "d"]) await store.save(topic("A", { slug }), { id: item.id });
    for (const slug of ["a", "b", "c"]) {
      assert.deepEqual(store.reading.resolve(`/topics/${slug}`), {
        kind: "moved",
        to: "/topics/d",
      });
    }
    await store.save(topic("A", { slug: "b" }), { id: item.id });
    assert.equal(store.reading.resolve("/topics/b").kind, "item");
    assert.deepEqual(store.reading.resolve("/topics/a"), { kind: "moved", to: "/topics/b" });
    assert.deepEqual(store.reading.resolve("/topics/d"), { kind: "moved", to: "/topics/b" });
  });

  it("is never given to another item, and the error says why", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("A", { slug: "a" }));
    await store.save(topic("A", { slug: "b" }), { id: item.id });
    await assert.rejects(store.save(topic("Other", { slug: "a" })), {
      code: "conflict",
      message:
        'Cannot use the path "/topics/a": it leads to "A", which moved to /topics/b. Choose another path',
    });
    assert.equal((await store.save(topic("A"))).item.path, "/topics/a-2");
    await deleteItem(store.content, OPERATOR, item.id, { now: NOW });
    await assert.rejects(
      store.save(topic("Other", { slug: "b", sourceKey: "other" })),
      /it was deleted at 2026-11-21T12:00:00.000Z. Restore a revision of it first/,
    );
    assert.equal(store.reading.resolve("/topics/a").kind, "gone");
    assert.equal(store.reading.resolve("/topics/b").kind, "gone");
  });

  it("is free again when the public never saw it", async () => {
    await using store = await openRecordStore();
    const draft = await store.save(topic("A", { slug: "a", status: "draft" }));
    await store.save(topic("A", { slug: "b", status: "draft" }), { id: draft.item.id });
    assert.equal((await store.save(topic("Other", { slug: "a" }))).outcome, "created");
    await deleteItem(store.content, OPERATOR, draft.item.id, { now: NOW });
    assert.equal((await store.save(topic("Another", { slug: "b" }))).outcome, "created");
  });

  it("still leads on when the item moved while it was a draft", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("A", { slug: "a" }));
    await unpublishItem(store.content, OPERATOR, item.id, { now: NOW });
    await store.save(topic("A", { slug: "b", status: "draft" }), { id: item.id });
    assert.equal(store.reading.resolve("/topics/a").kind, "absent", "drafts are not betrayed");
    await publishItem(store.content, OPERATOR, item.id, { now: NOW });
    assert.deepEqual(store.reading.resolve("/topics/a"), { kind: "moved", to: "/topics/b" });
  });
});
