import assert from "node:assert/strict";
import { it } from "node:test";
import { deleteItem } from "../../src/content/editing/publishing.ts";
import type { Medium } from "../../src/content/media/media.ts";
import { NOW, OPERATOR, openRecordStore, topic } from "../support/record-store.ts";

const MEDIUM: Medium = {
  id: "0123456789abcdef0123456789abcdef",
  type: "image/png",
  bytes: 100,
  width: 40,
  height: 30,
  name: "x.png",
  alt: "",
  credit: "",
  addedBy: "operator",
  addedAt: NOW.toISOString(),
  updatedAt: NOW.toISOString(),
  revision: 1,
};

const ENTRY = {
  at: NOW.toISOString(),
  actor: "operator",
  action: "media.add",
  target: "/media/x",
  revisionBefore: null,
  revisionAfter: 1,
  requestId: null,
  detail: null,
};

it("shows pictures with their size also when the reading copy is made anew", async () => {
  await using store = await openRecordStore();
  await store.record.media.write((transaction) => transaction.put(MEDIUM, ENTRY));
  await store.save(topic("Time", { body: `![](/media/${MEDIUM.id}.png)` }));
  await using other = await store.reopen({ origin: "https://other.example" });
  const resolution = other.reading.resolve("/topics/time");
  assert(resolution.kind === "item");
  assert.match(resolution.item.html, / width="40" height="30" /);
  assert.match(resolution.item.markdown, /https:\/\/other\.example\/media\//);
});

it("shows a changed alternative text where the file is shown", async () => {
  await using store = await openRecordStore();
  await store.record.media.write((transaction) => transaction.put(MEDIUM, ENTRY));
  await store.save(topic("Time", { body: `![](/media/${MEDIUM.id}.png)` }));
  const changed = { ...MEDIUM, alt: "An hourglass", revision: 2 };
  await store.record.media.write((transaction) => transaction.put(changed, ENTRY));
  const resolution = store.reading.resolve("/topics/time");
  assert(resolution.kind === "item");
  assert.match(resolution.item.html, / alt="An hourglass"/);
});

it("knows nothing of a file whose change was undone", async () => {
  await using store = await openRecordStore();
  const failing = store.record.media.write(async (transaction) => {
    await transaction.put(MEDIUM, ENTRY);
    throw new Error("undone");
  });
  await assert.rejects(failing, /^Error: undone$/);
  assert.equal(await store.record.media.medium(MEDIUM.id), null);
  await store.save(topic("Time", { body: `![](/media/${MEDIUM.id}.png)` }));
  const resolution = store.reading.resolve("/topics/time");
  assert(resolution.kind === "item");
  assert.doesNotMatch(resolution.item.html, /width/);
});

it("forgets what a text no longer names, and counts no deleted item", async () => {
  await using store = await openRecordStore();
  const uses = async () => (await store.record.media.uses(MEDIUM.id)).map(({ path }) => path);
  const body = `See https://quotations.example/media/${MEDIUM.id}.png.`;
  await store.save(topic("Time", { body }));
  await store.save(topic("Space", { body }));
  assert.deepEqual(await uses(), ["/topics/space", "/topics/time"]);
  await store.save(topic("Time", { path: "/topics/time", body: `/media/${MEDIUM.id}.pngx` }));
  assert.deepEqual(await uses(), ["/topics/space"]);
  const space = await store.content.itemAt("/topics/space");
  await deleteItem(store.content, OPERATOR, space?.id ?? "", { now: NOW });
  assert.deepEqual(await uses(), []);
});
