import assert from "node:assert/strict";
import { it } from "node:test";
import { deleteItem } from "../../src/content/editing/publishing.ts";
import type { MediaFile } from "../../src/content/media/media.ts";
import { newId } from "../../src/new-id.ts";
import { NOW, OPERATOR, openRecordStore, topic } from "../support/record-store.ts";

const MEDIUM: MediaFile = {
  id: "0123456789abcdef0123456789abcdef",
  type: "image/png",
  bytes: 100,
  width: 40,
  height: 30,
  name: "x.png",
  alt: "",
  isDecorative: false,
  credit: "",
  alwaysPublic: false,
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

it("finds the drafts that use a file, and none once they do not", async () => {
  await using store = await openRecordStore();
  const { media, drafts } = store.record;
  await media.write((transaction) => transaction.put(MEDIUM, ENTRY));
  const other = "f".repeat(32);
  const links = Array.from(
    { length: 500 },
    (_, at) => `/media/${at.toString(16).padStart(32, "0")}.png`,
  );
  const draft = {
    ...{ id: newId(NOW), type: "topic", itemId: null, baseRevision: null, editors: [] },
    ...{ publishAt: null, problem: null, review: null, createdAt: "", updatedAt: "" },
  };
  const unused = async () => await media.media({ unused: true, limit: 10 });
  const save = async (version: number, body: string) =>
    await drafts.put({ ...draft, version, parts: { title: "Time", body } }, null);
  await save(1, `![](/media/${MEDIUM.id}.png)\n[all](${links.join(" ")})`);
  for (const id of [MEDIUM.id, "1f3".padStart(32, "0")]) {
    assert.deepEqual(
      (await media.draftUses(id)).map(({ title }) => title),
      ["Time"],
    );
  }
  assert.deepEqual(await unused(), []);
  await save(2, `![](/media/${other}.png)`);
  assert.deepEqual(await media.draftUses(MEDIUM.id), []);
  assert.deepEqual(await unused(), [MEDIUM]);
  await save(3, `![](/media/${MEDIUM.id}.png)`);
  await drafts.remove(draft.id, { ...ENTRY, action: "draft.discard" });
  assert.deepEqual(await media.draftUses(MEDIUM.id), []);
  assert.deepEqual(await unused(), [MEDIUM]);
});

it("finds files by letters of any script, in capitals or not, composed or not", async () => {
  await using store = await openRecordStore();
  const { media } = store.record;
  const name = "ÜBERSICHT École Ωδή İzmir Straße_1.png";
  await media.write((transaction) => transaction.put({ ...MEDIUM, name }, ENTRY));
  const isFound = async (text: string) => (await media.media({ text, limit: 10 })).length === 1;
  const searched = ["übersicht", "Übersicht", "U\u0308bersicht", "ÉCOLE", "école", "ωΔΉ"];
  for (const text of [...searched, "İzmir", "straße_", "r STRA", name]) {
    assert(await isFound(text), text);
  }
  for (const text of ["ubersicht", "straße-", "%"]) assert(!(await isFound(text)), text);
  const letters = Array.from({ length: 200 }, (_, at) => String.fromCodePoint(0x4e0 + 2 * at));
  assert(!(await isFound(letters.join(""))));
});

it("knows which of any number of files it has", async () => {
  await using store = await openRecordStore();
  const { media } = store.record;
  await media.write((transaction) => transaction.put(MEDIUM, ENTRY));
  const ids = Array.from({ length: 70_000 }, (_, at) => at.toString(16).padStart(32, "f"));
  assert.deepEqual([...(await media.knownMedia([...ids, MEDIUM.id]))], [MEDIUM.id]);
  assert.deepEqual(await media.knownMedia([]), new Set());
});
