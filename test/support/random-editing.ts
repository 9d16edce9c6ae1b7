import { listRedirects } from "../../src/content/addresses/redirect-listing.ts";
import { addRedirect, removeRedirect } from "../../src/content/addresses/redirects.ts";
import { saveItem } from "../../src/content/editing/editing.ts";
import {
  archiveItem,
  deleteItem,
  publishItem,
  unpublishItem,
} from "../../src/content/editing/publishing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { saveSite } from "../../src/content/site/site-saving.ts";
import { AppError } from "../../src/errors.ts";
import type { OpenRecord, RecordStores } from "../../src/storage/record/stores.ts";
import { dice } from "./dice.ts";
import { NOW, OPERATOR, RECORD_ORIGIN, SITE } from "./record-store.ts";

const ITEMS = 24;
const PICTURES = ["00000000000000a1", "00000000000000a2"];
const WORDS = [
  "time",
  "gift",
  "Seneca",
  "letter",
  "Ärger",
  "river",
  "silence",
  "friend",
  "city",
  "law",
];
const TYPES = ["page", "topic", "author", "work", "quotation"] as const;
const RELATIONS = {
  page: [],
  topic: ["broader", "see_also"],
  author: [],
  work: ["authors", "topics"],
  quotation: ["authors", "work", "topics"],
} as const;
const CHANGES = [publishItem, publishItem, publishItem, unpublishItem, archiveItem, deleteItem];
const TARGETS: Readonly<Record<string, number>> = {
  broader: 1,
  see_also: 1,
  topics: 1,
  authors: 2,
  work: 3,
};

/**
 * Changes a record at random in every way that the public can see. The same seed and number of steps have the
 * same effect on two records. Refused changes have none.
 */
export async function editAtRandom(record: OpenRecord, seed: number, steps: number): Promise<void> {
  const roll = dice(seed);
  for (let number = 0; number < ITEMS; number += 1) {
    const input = { ...itemInput(roll, number), relations: {} };
    await attempt(() => saveItem(record.content, OPERATOR, input, NOW));
  }
  for (let step = 1; step <= steps; step += 1) {
    const now = new Date(NOW.getTime() + step * 1000);
    const edit = editOf(roll, now);
    await attempt(() => edit(record));
  }
}

async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

type Edit = (record: OpenRecord) => Promise<unknown>;

function editOf(roll: (below: number) => number, now: Date): Edit {
  const kind = roll(20);
  if (kind < 9) {
    const save = saving(roll, now);
    return async (record) => await save(record);
  }
  if (kind < 11) {
    const saves = [saving(roll, now), saving(roll, now), saving(roll, now)];
    return async (record) =>
      await record.atomically(async (stores) => {
        for (const save of saves) await save(stores);
      });
  }
  if (kind < 15) return statusEdit(roll, now);
  if (kind < 17) return redirectEdit(roll, now);
  if (kind < 19) return pictureEdit(roll, now);
  const name = `Association ${roll(3)}`;
  return async ({ content }) => await saveSite(content, OPERATOR, { ...SITE, name }, [], now);
}

function saving(
  roll: (below: number) => number,
  now: Date,
): (stores: Pick<RecordStores, "content">) => Promise<unknown> {
  const input = itemInput(roll, roll(ITEMS));
  return async ({ content }) => await saveItem(content, OPERATOR, input, now);
}

function itemInput(roll: (below: number) => number, number: number) {
  const type = TYPES[number % TYPES.length] ?? "page";
  const words = (count: number) =>
    Array.from({ length: count }, () => WORDS[roll(WORDS.length)]).join(" ");
  const picture = roll(4) === 0 ? `\n\n![](/media/${PICTURES[roll(2)]}.png)` : "";
  const relations = RELATIONS[type].map((name) => {
    const others = Array.from({ length: roll(3) }, () => {
      const place = TARGETS[name] ?? 0;
      return `key:${place + TYPES.length * roll(ITEMS / TYPES.length)}`;
    });
    return [name, name === "work" || name === "broader" ? others.slice(0, 1) : others];
  });
  return itemInputSchema.parse({
    type,
    title: `${words(2)} ${number}`,
    body: `${words(6)}${picture}`,
    ...(roll(3) === 0 ? { path: pathOf(roll, type) } : {}),
    relations: Object.fromEntries(relations),
    language: roll(5) === 0 ? "de" : "en",
    status: roll(4) === 0 ? "draft" : "published",
    sourceKey: `key:${number}`,
  });
}

function pathOf(roll: (below: number) => number, type: (typeof TYPES)[number]): string {
  return type === "page" ? `/place-${roll(8)}` : `/${type}s/place-${roll(8)}`;
}

function statusEdit(roll: (below: number) => number, now: Date): Edit {
  const key = `key:${roll(ITEMS)}`;
  const change = CHANGES[roll(CHANGES.length)];
  return async ({ content }) => {
    const item = await content.itemBySourceKey(key);
    if (item !== null) await change?.(content, OPERATOR, item.id, { now });
  };
}

function redirectEdit(roll: (below: number) => number, now: Date): Edit {
  const from = pathOf(roll, TYPES[roll(TYPES.length)] ?? "page");
  const to = [`key:${roll(ITEMS)}`, `key:${roll(ITEMS)}`, "/topics", null][roll(4)] ?? null;
  const place = roll(4);
  const isDocument = () => false;
  if (roll(3) > 0) {
    const options = { now, origin: RECORD_ORIGIN, isDocument };
    return async ({ content }) => await addRedirect(content, OPERATOR, { from, to }, options);
  }
  return async ({ content, desk }) => {
    const { redirects } = await listRedirects(desk, OPERATOR, { limit: 100 });
    const found = redirects.toSorted((a, b) => (a.from < b.from ? -1 : 1))[place];
    if (found !== undefined) await removeRedirect(content, OPERATOR, found.id, { now });
  };
}

function pictureEdit(roll: (below: number) => number, now: Date): Edit {
  const id = PICTURES[roll(2)] ?? "";
  const isRemoved = roll(4) === 0;
  const alt = `Picture ${roll(3)}`;
  const at = now.toISOString();
  return async (record) =>
    await record.atomically(async ({ media }) => {
      const before = await media.medium(id);
      const revision = (before?.revision ?? 0) + 1;
      const medium = {
        ...{ id, type: "image/png", bytes: 100, width: 20, height: 10, name: id, alt, credit: "" },
        ...{ isDecorative: false, alwaysPublic: true },
        ...{ addedBy: "operator", addedAt: at, updatedAt: at, revision },
      };
      const entry = {
        ...{ at, actor: "operator", action: "media.change", target: `/media/${id}.png` },
        ...{ revisionBefore: before?.revision ?? null, revisionAfter: revision, requestId: null },
      };
      await media.write(async (transaction) => {
        if (!isRemoved) await transaction.put(medium, entry);
        else if (before !== null) await transaction.remove(before, entry);
      });
    });
}
