import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ItemQuery } from "../../src/content/editing/desk.ts";
import { saveItem } from "../../src/content/editing/editing.ts";
import { deleteItem } from "../../src/content/editing/publishing.ts";
import { newId } from "../../src/new-id.ts";
import { WRONG_COUNTS_SQL } from "../../src/storage/record/item-counts.ts";
import type { Snapshot } from "../../src/transfer/snapshot.ts";
import { NOW, OPERATOR, openPlace, openRecordStore, topic } from "../support/record-store.ts";
import { itemsInSnapshot } from "../support/snapshot-items.ts";

const ALL: ItemQuery = {
  types: [],
  statuses: ["draft", "published"],
  sort: "title",
  descending: false,
  limit: 100,
};

describe("every engine", () => {
  it("orders texts by their characters", async () => {
    await using store = await openRecordStore();
    const titles = ["a b", "Ab", "ab", "ÄB", "a-b", "z", "Z", "100 %", "1000", "a_b", "a\\b"];
    for (const title of titles) await store.save(topic(title, { sourceKey: title }));
    const found = async (more: Partial<ItemQuery>) =>
      (await store.record.desk.list({ ...ALL, ...more })).items.map(({ title }) => title);
    const ordered = ["100 %", "1000", "Ab", "Z", "a b", "a-b", "a\\b", "a_b", "ab", "z", "ÄB"];
    assert.deepEqual(await found({}), ordered);
    assert.deepEqual(await found({ descending: true }), ordered.toReversed());
    assert.equal(await store.content.itemBySourceKey("AB"), null);
    assert.equal((await store.content.itemBySourceKey("Ab"))?.title, "Ab");
  });

  it("keeps long texts and characters of every kind as they are", async () => {
    await using store = await openRecordStore();
    const body = `${"\u{1F600} ’„“\u0301 \\ ' \" $1 {} \t".repeat(20_000)}.`;
    const { item } = await store.save(topic("\u{1F600}".repeat(150), { body, sourceKey: "long" }));
    assert.deepEqual(await store.content.item(item.id), item);
    assert.equal((await store.content.revision(item.id, 1))?.item.body, item.body);
    assert.equal(
      (await store.save(topic(item.title, { body, sourceKey: "long" }))).outcome,
      "unchanged",
    );
  });

  it("keeps who asks for the review of a draft", async () => {
    await using store = await openRecordStore();
    const { drafts } = store.record;
    const at = NOW.toISOString();
    const started = {
      ...{ id: newId(NOW), type: "topic", itemId: null, baseRevision: null, version: 1 },
      ...{ parts: {}, editors: [], publishAt: null, problem: null, createdAt: at, updatedAt: at },
    };
    const review = { askedBy: "person:a", askedAt: at, note: "’„\u{1F600}" };
    const listed = async () => await drafts.list({ inReview: true, limit: 10 });
    await drafts.put({ ...started, review: null }, null);
    assert.deepEqual(await listed(), []);
    assert.equal((await drafts.list({ untouched: true, limit: 10 })).length, 1);
    await drafts.put({ ...started, version: 2, review }, null);
    assert.deepEqual((await listed())[0]?.review, review);
    assert.deepEqual((await drafts.byId(started.id))?.review, review);
    assert.deepEqual(await drafts.list({ untouched: true, limit: 10 }), []);
  });

  it("never fails on what no text may hold", async () => {
    await using store = await openRecordStore();
    for (const wrong of ["a\0b", "a\ud800b"]) {
      assert.equal(await store.content.itemAt(wrong), null);
      assert.equal(await store.content.itemBySourceKey(wrong), null);
      assert.equal(await store.record.keys.byHash(wrong), null);
      assert.equal(await store.record.admins.byEmail(wrong), null);
      assert.equal((await store.content.write((part) => part.references([wrong]))).size, 0);
    }
    const search = { day: "2026-11-21", source: "page", count: 1, hits: 0 } as const;
    const texts = ["a\0", "a\ufffd", "a\ud800"].map((text) => ({ ...search, text }));
    const day = { day: search.day, source: search.source, searches: 3, withoutResult: 3 };
    await store.record.searches.add([day], texts);
    assert.deepEqual(await store.record.searches.textsOfDay(search.day), [
      { ...search, text: "a\ufffd", count: 3 },
    ]);
  });

  it("tells two processes that want the same name apart, and neither fails", async () => {
    await using store = await openRecordStore();
    const other = await openPlace(store.place);
    const save = async (content: typeof store.content, title: string) =>
      await saveItem(
        content,
        OPERATOR,
        topic(title, { slug: "same", sourceKey: title }),
        NOW,
      ).catch(({ code }) => code);
    const outcomes = await Promise.all([save(store.content, "One"), save(other.content, "Two")]);
    assert.equal(outcomes.filter((outcome) => outcome === "conflict").length, 1);
    const both = await Promise.all([
      store.save(topic("Three", { sourceKey: "three" })),
      saveItem(other.content, OPERATOR, topic("Three", { sourceKey: "three" }), NOW),
    ]);
    assert.deepEqual(both.map(({ outcome }) => outcome).sort(), ["created", "unchanged"]);
    await other.close();
  });

  it("keeps the numbers of items through every change", async () => {
    await using store = await openRecordStore();
    const { sql } = store;
    const totals = async () => {
      const wrong = await sql(WRONG_COUNTS_SQL);
      assert.deepEqual(wrong, []);
      const counted = async (more: Partial<ItemQuery>) =>
        (await store.record.desk.list({ ...ALL, statuses: [], limit: 1, ...more })).total;
      return [
        await counted({ types: ["topic"] }),
        await counted({ statuses: ["draft"] }),
        await counted({ types: ["topic", "page"], statuses: ["published"], language: "de" }),
      ];
    };
    const { item } = await store.save(topic("One", { sourceKey: "one" }));
    await store.save(topic("Two", { sourceKey: "two", language: "de" }));
    await store.save(topic("Three", { sourceKey: "three", status: "draft" }));
    assert.deepEqual(await totals(), [3, 1, 1]);
    await store.save(topic("One", { sourceKey: "one", language: "de", slug: "one" }));
    assert.deepEqual(await totals(), [3, 1, 2]);
    await sql(
      "UPDATE items SET type = 'page', outline_hash = NULL, hash = NULL WHERE source_key = 'two'",
    );
    assert.deepEqual(await totals(), [2, 1, 2]);
    await deleteItem(store.content, OPERATOR, item.id, { now: NOW });
    assert.deepEqual(await totals(), [2, 1, 1]);
    const after = await store.content.typeCounts();
    assert.deepEqual(
      after.find(({ status }) => status === "deleted"),
      {
        type: "topic",
        status: "deleted",
        items: 1,
      },
    );
    await sql("DELETE FROM path_claims");
    await sql("DELETE FROM revisions");
    await sql("DELETE FROM items WHERE status = 'draft' AND type = 'topic'");
    assert.deepEqual(await totals(), [1, 0, 1]);
  });

  it("shows a snapshot what was there when it began, whatever is changed meanwhile", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("Before"));
    const snapshot = store.record.snapshot();
    assert.equal(await snapshot.itemCount(), 1);
    await store.save(topic("After"));
    await deleteItem(store.content, OPERATOR, item.id, { now: NOW });
    assert.deepEqual(await titlesIn(snapshot), ["Before"]);
    await snapshot[Symbol.asyncDispose]();
    await using later = store.record.snapshot();
    assert.deepEqual(await titlesIn(later), ["After"]);
  });

  it("shows in a rehearsal what a change would show, and leaves nothing of it", async () => {
    await using store = await openRecordStore();
    await store.save(topic("There"));
    const version = store.reading.version();
    const seen = await store.record.preview(
      ({ content }) => content.write((part) => saveItem(part, OPERATOR, topic("Perhaps"), NOW)),
      async (reading) => [
        reading.resolve("/topics/perhaps").kind,
        reading.resolve("/topics/there").kind,
      ],
    );
    assert.deepEqual(seen, ["item", "item"]);
    assert.equal(store.reading.resolve("/topics/perhaps").kind, "absent");
    assert.equal(store.reading.version(), version);
    assert.equal(await store.content.itemAt("/topics/perhaps"), null);
    assert.equal((await store.save(topic("Perhaps"))).outcome, "created");
  });
});

async function titlesIn(snapshot: Snapshot): Promise<string[]> {
  return (await itemsInSnapshot(snapshot)).map(({ item: { title } }) => title);
}
