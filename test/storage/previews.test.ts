import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DraftChanges } from "../../src/content/drafts/draft.ts";
import { applyDraft } from "../../src/content/drafts/publishing-drafts.ts";
import { discardDraft, startDraft } from "../../src/content/drafts/saving.ts";
import { saveItem } from "../../src/content/editing/editing.ts";
import { previewDraft } from "../../src/content/editing/preview.ts";
import type { ReadingCopy } from "../../src/content/library.ts";
import { findPage } from "../../src/content/pages/find-page.ts";
import type { PageView } from "../../src/content/pages/view.ts";
import { AppError } from "../../src/errors.ts";
import { renderPageResponse } from "../../src/http/site/page-response.ts";
import { dice } from "../support/dice.ts";
import { editAtRandom } from "../support/random-editing.ts";
import {
  NOW,
  OPERATOR,
  openRecordStore,
  RECORD_ORIGIN,
  type RecordStore,
  topic,
} from "../support/record-store.ts";

const STORIES = 3;
const DRAFTS_EACH = 40;
const PUBLISHED_MIN = 20;
const RELATIONS: Readonly<Record<string, Record<string, number>>> = {
  page: {},
  topic: { broader: 1, see_also: 1 },
  author: {},
  work: { authors: 2, topics: 1 },
  quotation: { authors: 2, work: 3, topics: 1 },
};
const TYPES = Object.keys(RELATIONS);

type Roll = (below: number) => number;

describe("a preview", () => {
  it("is what publishing shows, to the letter, for drafts of every type", async () => {
    for (let seed = 1; seed <= STORIES; seed += 1) {
      await using store = await openRecordStore();
      await editAtRandom(store.record, seed, 30);
      const roll = dice(1000 + seed);
      const published = new Map<string, number>();
      for (let number = 0; number < DRAFTS_EACH; number += 1) {
        const now = new Date(NOW.getTime() + 100_000 + number * 1000);
        const type = await previewAndPublish(store, roll, now);
        if (type !== null) published.set(type, (published.get(type) ?? 0) + 1);
      }
      const total = [...published.values()].reduce((sum, each) => sum + each, 0);
      assert(total >= PUBLISHED_MIN && published.size === TYPES.length, `${[...published]}`);
    }
  });

  it("is shown while a change holds the writers' lock", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("Time"));
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const change = store.record.atomically(async ({ content }) => {
      await saveItem(content, OPERATOR, topic("Time", { body: "Not yet" }), NOW, { id: item.id });
      begun.resolve();
      await held.promise;
    });
    await begun.promise;
    const changes = topic("Time", { body: "Perhaps" });
    const found = await store.record.preview(
      ({ content }) => saveItem(content, OPERATOR, changes, NOW, { id: item.id }),
      async (reading) => reading.resolve("/topics/time"),
    );
    held.resolve();
    await change;
    assert(found.kind === "item" && found.item.markdown.includes("Perhaps"));
    const stored = await store.content.item(item.id);
    assert.equal(stored?.body, "Not yet");
  });
});

/** @returns the type of the draft; null if it cannot be published, which its preview says as well. */
async function previewAndPublish(store: RecordStore, roll: Roll, now: Date) {
  const { record } = store;
  const type = TYPES[roll(TYPES.length)] ?? "page";
  const changes = changesAtRandom(type, roll);
  const item = await record.content.itemBySourceKey(`key:${TYPES.indexOf(type) + 5 * roll(4)}`);
  const isNew = roll(3) === 0 || item === null || item.status === "deleted";
  const about = isNew ? { type } : { itemId: item.id };
  const { draft } = await record.atomically((stores) =>
    startDraft(stores, OPERATOR, about, { changes, now }),
  );
  const preview = async () =>
    await previewDraft(record.preview, OPERATOR, draft.id, {
      now,
      show: (view, reading) => ({ path: view.path, ...shown(view, reading) }),
    });
  const publish = async () =>
    await record.atomically((stores) =>
      applyDraft(stores, OPERATOR, draft.id, { status: "published", now }),
    );
  const previewed = await outcome(preview);
  const published = await outcome(publish);
  if (previewed instanceof AppError || published instanceof AppError) {
    assert.deepEqual(messageOf(previewed), messageOf(published));
    await record.atomically((stores) => discardDraft(stores, OPERATOR, draft.id, { now }));
    return null;
  }
  await record.replica?.untilCurrent();
  const page = await findPage(store.reading, published.path, {
    parameter: () => undefined,
    today: () => now.toISOString().slice(0, 10),
  });
  assert(page.kind === "page", published.path);
  assert.deepEqual(previewed, { path: published.path, ...shown(page.view, store.reading) });
  return published.type;
}

function shown(view: PageView, reading: ReadingCopy) {
  const parts = { reading, origin: RECORD_ORIGIN };
  const text = (form: "html" | "markdown") => String(renderPageResponse(view, form, parts).body);
  return { html: text("html"), markdown: text("markdown") };
}

async function outcome<T>(work: () => Promise<T>): Promise<T | AppError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function messageOf(result: unknown): unknown {
  return result instanceof AppError ? result.message : "It can be shown";
}

function changesAtRandom(type: string, roll: Roll): DraftChanges {
  const mark = roll(1000);
  const relations = Object.entries(RELATIONS[type] ?? {}).map(
    ([name, place]): [string, string[]] => {
      const many = name === "work" || name === "broader" ? roll(2) : roll(3);
      return [name, Array.from({ length: many }, () => `key:${place + 5 * roll(4)}`)];
    },
  );
  const year = type === "work" || type === "quotation" ? { year: 1800 + roll(9) } : {};
  const aliases = type === "topic" || type === "author" ? { aliases: [`Alias ${roll(3)}`] } : {};
  return {
    ...(roll(6) === 0 ? {} : { title: `Title ${mark}` }),
    ...(roll(2) === 0 ? {} : { body: `Words ${mark}, *and* ![](/media/00000000000000a1.png)` }),
    ...(roll(4) === 0 ? { path: `/${type === "page" ? "" : `${type}s/`}moved-${roll(12)}` } : {}),
    ...(roll(4) === 0 ? { language: "de" } : {}),
    ...(roll(4) === 0 ? { translationOf: `key:${TYPES.indexOf(type) + 5 * roll(4)}` } : {}),
    fields: { ...year, ...aliases },
    ...(roll(3) === 0 ? {} : { relations: Object.fromEntries(relations) }),
  };
}
