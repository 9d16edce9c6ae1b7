import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  type BulkLine,
  type BulkLineReport,
  type BulkSummary,
  dryRunBulk,
  saveBulk,
  saveBulkAtomically,
} from "../../src/content/editing/bulk.ts";
import { saveItem } from "../../src/content/editing/editing.ts";
import { archiveItem, deleteItem, unpublishItem } from "../../src/content/editing/publishing.ts";
import { type ItemInput, itemInputSchema } from "../../src/content/items/item.ts";
import { readingDump, recordDump } from "../support/dumps.ts";
import {
  keyActor,
  NOW,
  OPERATOR,
  openRecordStore,
  RECORD_ORIGIN,
  type RecordStore,
} from "../support/record-store.ts";

const SAVE_BULK = join(import.meta.dirname, "../support/save-bulk.ts");
const WORDS =
  "time virtue letter river silence courage memory wine harbour friend stone light".split(" ");

/** Topics, then works, then quotations that point at both; every number says the same each time. */
function archive(quotations: number): Partial<ItemInput>[] {
  const topics = WORDS.map((word) => ({ type: "topic", title: word, sourceKey: `t:${word}` }));
  const works = [1, 2, 3].map((n) => ({ type: "work", title: `Book ${n}`, sourceKey: `w:${n}` }));
  const sayings = Array.from({ length: quotations }, (_, n) => ({
    type: "quotation",
    title: `Saying ${n}`,
    sourceKey: `q:${n}`,
    body: sentence(n),
    fields: { year: 1500 + (n % 300) },
    relations: {
      work: [`w:${(n % 3) + 1}`],
      topics: [...new Set([n, n * 7, n * 13].map((at) => `t:${word(at)}`))],
    },
  }));
  return [...topics, ...works, ...sayings].map((item) => ({ ...item, status: "published" }));
}

function sentence(n: number): string {
  return Array.from({ length: 8 }, (_, at) => word(n * 5 + at * at)).join(" ");
}

function word(at: number): string {
  return WORDS[at % WORDS.length] ?? "";
}

function lines(items: readonly Partial<ItemInput>[]): BulkLine[] {
  return items.map((item, at) => ({
    number: at + 1,
    input: itemInputSchema.parse(item),
    problems: [],
    hasStatus: item.status !== undefined,
    bytes: 100,
  }));
}

async function save(store: RecordStore, items: readonly Partial<ItemInput>[]) {
  const reports: BulkLineReport[] = [];
  let summary: BulkSummary | null = null;
  const saving = saveBulk(store.content, OPERATOR, lines(items), { now: NOW });
  for await (const told of saving) {
    if (Array.isArray(told)) reports.push(...told);
    else summary = told;
  }
  return { reports, summary };
}

describe("a bulk", () => {
  it("leaves a reading copy that is the same when it is made anew from the record", async () => {
    await using store = await openRecordStore();
    await save(store, archive(1300));
    // What a load meets in a store in use: items changed, moved, withdrawn and pointed at beforehand.
    const changed = archive(40).map((item, n) => {
      if (n % 4 === 0) return { ...item, title: `${item.title} anew` };
      if (n % 4 === 1 && item.type === "quotation") return { ...item, relations: {} };
      return n % 4 === 2 ? { ...item, slug: `moved-${n}` } : { ...item, body: "*New* words" };
    });
    await save(store, [
      {
        type: "topic",
        title: "Late",
        sourceKey: "t:late",
        status: "published",
        relations: { see_also: ["t:time", "t:later"] },
      },
      ...changed,
      {
        type: "topic",
        title: "Later",
        sourceKey: "t:later",
        status: "published",
        relations: { see_also: ["t:late"], broader: ["t:late"] },
      },
      {
        type: "quotation",
        title: "Draft",
        sourceKey: "q:draft",
        status: "draft",
        relations: { topics: ["t:late"] },
      },
      {
        type: "quotation",
        title: "Twice",
        sourceKey: "q:twice",
        status: "published",
        relations: { topics: ["t:later"] },
      },
      {
        type: "quotation",
        title: "Twice",
        sourceKey: "q:twice",
        status: "published",
        body: "Said later.",
        relations: { topics: ["t:late"] },
      },
    ]);
    for (const [key, change] of [
      ["q:50", archiveItem],
      ["q:51", unpublishItem],
      ["t:stone", unpublishItem],
      ["q:52", deleteItem],
    ] as const) {
      const item = await store.content.itemBySourceKey(key);
      assert(item !== null);
      await change(store.content, OPERATOR, item.id, { now: NOW });
    }
    await save(store, [
      { type: "topic", title: "stone", sourceKey: "t:stone", status: "published" },
      {
        type: "quotation",
        title: "Draft",
        sourceKey: "q:draft",
        status: "published",
        relations: { topics: ["t:late", "t:stone"] },
      },
    ]);
    const kept = readingDump(store.file);
    assert.equal(kept["reading_item"]?.length, 1300 + 15 + 4 - 3);
    const elsewhere = await store.reopen({ origin: "https://elsewhere.example" });
    await using again = await elsewhere.reopen({ origin: RECORD_ORIGIN });
    const made = readingDump(again.file);
    for (const table of Object.keys(made)) assert.deepEqual(kept[table], made[table], table);
  });

  it("says what became of each line, and at last of all", async () => {
    await using store = await openRecordStore();
    const [topic] = archive(0);
    assert(topic !== undefined);
    const { reports, summary } = await save(store, [
      topic,
      { type: "topic", title: "No key" },
      { type: "event", title: "Unknown", sourceKey: "e" },
      topic,
      { ...topic, summary: "Changed" },
      {
        type: "quotation",
        title: "Early",
        sourceKey: "q",
        relations: { topics: ["t:late", "t:never"] },
      },
      { type: "topic", title: "Late", sourceKey: "t:late" },
    ]);
    assert.deepEqual(
      reports.map(({ line, outcome }) => `${line} ${outcome}`),
      [
        "1 created",
        "2 failed",
        "3 failed",
        "4 unchanged",
        "5 updated",
        "6 created",
        "7 created",
        "6 completed",
      ],
    );
    assert.deepEqual(reports[1]?.problems, [
      { where: "sourceKey", message: "is missing; by it a repeat knows what is there already" },
    ]);
    assert.deepEqual(reports[5]?.waitingFor, ["t:late", "t:never"]);
    assert.deepEqual(reports.at(-1)?.problems, [
      { where: "relations.topics", message: 'there is no item "t:never"; the link is left out' },
    ]);
    assert.deepEqual(summary, {
      lines: 7,
      created: 3,
      updated: 1,
      unchanged: 1,
      failed: 2,
      linksLeftOut: 1,
    });
    const early = await store.content.itemBySourceKey("q");
    const late = await store.content.itemBySourceKey("t:late");
    assert.deepEqual(early?.relations, { topics: [{ to: late?.id, note: null }] });
  });

  it("takes the later of two lines that state an item, also for links to what comes after both", async () => {
    await using store = await openRecordStore();
    const quotation = { type: "quotation", title: "Q", sourceKey: "q" };
    await save(store, [
      { ...quotation, relations: { topics: ["t:one"] } },
      { ...quotation, relations: { topics: ["t:two"] } },
      { type: "topic", title: "One", sourceKey: "t:one" },
      { type: "topic", title: "Two", sourceKey: "t:two" },
    ]);
    const two = await store.content.itemBySourceKey("t:two");
    assert.deepEqual((await store.content.itemBySourceKey("q"))?.relations["topics"], [
      { to: two?.id, note: null },
    ]);
  });

  it("saves all or nothing where that is asked, and tries without a trace", async () => {
    await using store = await openRecordStore();
    const before = await recordDump(store);
    const items = archive(3);
    const good = lines(items);
    const bad = lines([
      ...items,
      { type: "topic", title: "T", sourceKey: "x", relations: { broader: ["t:none"] } },
    ]);
    await assert.rejects(saveBulkAtomically(store.content, OPERATOR, bad, { now: NOW }), {
      code: "invalid",
      message:
        'Nothing was saved, for 1 line cannot be: line 19, relations.broader: there is no item "t:none"; the link is left out',
    });
    const { summary } = await dryRunBulk(store.content, OPERATOR, good, { now: NOW });
    assert.equal(summary.created, 18);
    assert.deepEqual(await recordDump(store), before);
    await saveBulkAtomically(store.content, OPERATOR, good, { now: NOW });
    assert.equal(store.reading.counts()["quotation"], 3);
  });

  it("keeps the status of items whose lines state none, however they name the item", async () => {
    await using store = await openRecordStore();
    const decomposed = "t:cafe\u0301";
    const published = { type: "topic", status: "published" } as const;
    await save(store, [{ ...published, title: "Café", sourceKey: decomposed }]);
    const tea = itemInputSchema.parse({ ...published, title: "Tea" });
    await saveItem(store.content, OPERATOR, tea, NOW);
    const { summary } = await save(store, [
      { type: "topic", title: "Café", sourceKey: decomposed, body: "New" },
      { type: "topic", title: "Tea", sourceKey: "t:tea", slug: "tea", body: "New" },
    ]);
    assert.equal(summary?.updated, 2);
    assert.equal(store.reading.counts()["topic"], 2);
  });

  it("needs content:publish for what the public sees, and nothing more for drafts", async () => {
    await using store = await openRecordStore();
    const actor = keyActor("content:write");
    const items = lines([
      { type: "topic", title: "Draft", sourceKey: "d" },
      { type: "topic", title: "Public", sourceKey: "p", status: "published" },
    ]);
    const { reports } = await dryRunBulk(store.content, actor, items, { now: NOW });
    assert.deepEqual(
      reports.map(({ outcome }) => outcome),
      ["created", "failed"],
    );
    assert.deepEqual(reports[1]?.problems, [
      { where: "", message: "This key lacks the scope content:publish" },
    ]);
    const published = dryRunBulk(store.content, actor, items, { now: NOW, status: "published" });
    await assert.rejects(published, { code: "forbidden" });
    const reader = dryRunBulk(store.content, keyActor("content:read"), items, { now: NOW });
    await assert.rejects(reader, { message: "This key lacks the scope content:write" });
  });
});

it("ends where one whole run would have, however often it was killed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-bulk-"));
  const source = join(folder, "items.jsonl");
  writeFileSync(
    source,
    archive(3000)
      .map((item) => JSON.stringify(item))
      .join("\n"),
  );
  await using clean = await openRecordStore();
  await using killed = await openRecordStore();
  assert.equal(run(clean.place, source), null);
  for (const blocks of [1, 2]) assert.equal(run(killed.place, source, blocks), "SIGKILL");
  assert.equal(run(killed.place, source), null);
  assert.deepEqual(await recordDump(killed), await recordDump(clean));
  assert.deepEqual(readingDump(killed.file), readingDump(clean.file));
  assert.equal(clean.reading.counts()["quotation"], 3000);
  rmSync(folder, { recursive: true });
});

/** @returns the signal that ended the process; with `blocks` it kills itself in the block after so many. */
function run(place: string, source: string, blocks?: number): NodeJS.Signals | null {
  const words = [SAVE_BULK, place, source, ...(blocks === undefined ? [] : [String(blocks)])];
  const { status, signal, stderr } = spawnSync(process.execPath, words);
  assert.equal(status, signal === null ? 0 : null, String(stderr));
  return signal;
}
