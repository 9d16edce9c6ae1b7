import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { itemInputSchema } from "../../src/content/items/item.ts";
import type { ReadingCopy } from "../../src/content/library.ts";
import { work } from "../../src/content/types/work.ts";
import { registerRowHash } from "../../src/storage/sqlite/row-hash.ts";
import { openRecordStore } from "../support/record-store.ts";

const ESSAY = { type: "work", title: "On Time", status: "published", fields: { kind: "essay" } };

it("fills a reading copy again that was made before a built-in type got a filter", async () => {
  await using store = await openRecordStore();
  await store.save(itemInputSchema.parse(ESSAY));
  assert.deepEqual(essays(store.reading), ["On Time"]);
  forgetFilterByKind(store.file);
  await using again = await store.reopen();
  assert.deepEqual(again.reading.types().get("work"), work);
  assert.deepEqual(essays(again.reading), ["On Time"]);
});

it("keeps a reading copy that was made with the types of today", async () => {
  await using store = await openRecordStore();
  await store.save(itemInputSchema.parse(ESSAY));
  const version = store.reading.version();
  await using again = await store.reopen();
  assert.equal(again.reading.version(), version);
});

function essays(reading: ReadingCopy): string[] {
  const filters = [{ field: "kind", operator: "eq" as const, value: "essay" }];
  const order = { sort: "title", descending: false, limit: 10 };
  const { items } = reading.list({ types: ["work"], filters, links: [], ...order });
  return items.map(({ title }) => title);
}

/** Leaves the copy as a version made it that did not filter works by kind. */
function forgetFilterByKind(file: string): void {
  using db = new DatabaseSync(file);
  registerRowHash(db);
  db.exec("DELETE FROM reading_value WHERE type = 'work' AND name = 'kind'");
  const { types } = db.prepare("SELECT types FROM reading_site").get() ?? {};
  const [declared, before] = [work.fields, { ...work.fields, kind: { kind: "text" } }].map(
    (fields) => JSON.stringify(fields),
  );
  const changed = String(types).replace(declared ?? "", before ?? "");
  assert.notEqual(changed, types);
  db.prepare("UPDATE reading_site SET types = ?1, hash = row_hash(profile, ?1)").run(changed);
  db.exec("UPDATE reading_state SET version = version + 1, hash = row_hash(updated_at)");
}
