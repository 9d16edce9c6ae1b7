import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { saveItem } from "../../src/content/editing/editing.ts";
import { deleteItem } from "../../src/content/editing/publishing.ts";
import { purgeDeletedItems } from "../../src/content/editing/purging.ts";
import {
  listRevisions,
  readRevision,
  restoreRevision,
} from "../../src/content/editing/revisions.ts";
import { NOW, OPERATOR, openRecordStore, topic } from "../support/record-store.ts";

const DAYS = 24 * 3600 * 1000;
const inDays = (days: number) => new Date(NOW.getTime() + days * DAYS);

describe("deleted items", () => {
  it("are wiped after 30 days, and not before", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("Tide", { body: "A secret text", sourceKey: "t" }));
    await store.save(topic("Sea", { relations: { broader: ["/topics/tide"] } }));
    await store.save({ ...topic("Tide"), path: "/topics/tide", body: "A secret still" });
    await deleteItem(store.content, OPERATOR, item.id, { now: NOW });
    await assert.rejects(readRevision(store.content, OPERATOR, item.id, 9), {
      code: "not_found",
      message: '"/topics/tide" has no revision 9; its latest is 3',
    });
    assert.equal(await purgeDeletedItems(store.content, inDays(30)), 0);
    assert.equal(await purgeDeletedItems(store.content, inDays(30.1)), 1);
    assert.equal(await purgeDeletedItems(store.content, inDays(60)), 0);

    const wiped = await store.content.item(item.id);
    assert.deepEqual(
      { ...wiped },
      { ...item, ...wiped, body: "", summary: "", fields: {}, relations: {}, sourceKey: null },
    );
    assert.deepEqual([wiped?.status, wiped?.revision, wiped?.title], ["deleted", 0, "Tide"]);
    assert.equal(store.reading.resolve("/topics/tide").kind, "gone");
    const gone = { code: "gone", message: /The revisions of "\/topics\/tide" were wiped: it was/ };
    await assert.rejects(listRevisions(store.record, OPERATOR, item.id, { limit: 1 }), gone);
    await assert.rejects(readRevision(store.content, OPERATOR, item.id, 1), gone);
    const again = { restore: 1, now: inDays(31) };
    await assert.rejects(restoreRevision(store.content, OPERATOR, item.id, again), {
      code: "gone",
      message: /^Cannot restore "\/topics\/tide": it was deleted at .* for 30 days$/,
    });
    const [latest] = await store.record.audit.entries({ target: "/topics/tide", limit: 1 });
    assert.deepEqual([latest?.action, latest?.actor], ["content.purge", "clock"]);
    const reopened = await store.reopen({ origin: "https://other.example" });
    assert.equal(reopened.reading.resolve("/topics/tide").kind, "gone");
    await reopened[Symbol.asyncDispose]();
  });

  it("are kept for 30 days if the clock was behind when they were deleted", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("Tide"));
    await store.record.seenTime.save({ at: NOW.toISOString(), ranMilliseconds: 0 });
    await deleteItem(store.content, OPERATOR, item.id, { now: inDays(-60) });
    assert.equal(await purgeDeletedItems(store.content, inDays(29.9)), 0);
    const { status } = await restoreRevision(store.content, OPERATOR, item.id, {
      restore: 1,
      now: inDays(29.9),
    });
    assert.equal(status, "draft");
    await deleteItem(store.content, OPERATOR, item.id, { now: inDays(-60) });
    assert.equal(await purgeDeletedItems(store.content, inDays(30.1)), 1);
  });

  it("leave nothing of what they said in the tables, and give their source key back", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(
      topic("Unsaid", { status: "draft", body: "A secret text", sourceKey: "t" }),
    );
    await deleteItem(store.content, OPERATOR, item.id, { now: NOW });
    await assert.rejects(store.save(topic("Anew", { sourceKey: "t" })), { code: "conflict" });
    await purgeDeletedItems(store.content, inDays(31));
    for (const table of ["items", "revisions", "relations"]) {
      const rows = JSON.stringify(await store.sql(`SELECT * FROM ${table}`));
      assert.doesNotMatch(rows, /secret|OnOmitted/, table);
    }
    assert.equal((await store.save(topic("Anew", { sourceKey: "t" }))).outcome, "created");
  });

  it("are wiped in blocks, however many they are", async () => {
    await using store = await openRecordStore();
    await store.content.write(async (part) => {
      for (let number = 0; number < 250; number += 1) {
        const input = topic(`Item ${number}`, { status: "draft" });
        const { item } = await saveItem(part, OPERATOR, input, NOW);
        await deleteItem(part, OPERATOR, item.id, { now: NOW });
      }
    });
    assert.equal(await purgeDeletedItems(store.content, inDays(31)), 250);
  });
});
