import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { addRedirect, removeRedirect } from "../../src/content/addresses/redirects.ts";
import { changeItem, saveItem } from "../../src/content/editing/editing.ts";
import {
  archiveItem,
  deleteItem,
  publishItem,
  unpublishItem,
} from "../../src/content/editing/publishing.ts";
import { purgeDeletedItems } from "../../src/content/editing/purging.ts";
import { restoreRevision } from "../../src/content/editing/revisions.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import type { ReadingCopy } from "../../src/content/library.ts";
import { AppError } from "../../src/errors.ts";
import {
  NOW,
  OPERATOR,
  openRecordStore,
  RECORD_ORIGIN,
  type RecordStore,
} from "../support/record-store.ts";

const PATHS = ["/a", "/b", "/c", "/d"];
const LATER = new Date(NOW.getTime() + 31 * 24 * 3600 * 1000);

const path = fc.constantFrom(...PATHS);
const which = fc.nat(3);
const step = fc.oneof(
  fc.record({ do: fc.constant("create"), path, status: fc.constantFrom("draft", "published") }),
  fc.record({ do: fc.constant("move"), which, path }),
  fc.record({ do: fc.constantFrom("publish", "unpublish", "archive", "delete", "restore"), which }),
  fc.record({ do: fc.constant("lead"), path, to: fc.constantFrom(...PATHS, "/topics", null) }),
  fc.record({ do: fc.constant("unlead"), which }),
  fc.record({ do: fc.constant("purge") }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** The address of a draft that was deleted is public with another item, then a draft again. */
const PASSED_ON: Step[] = [
  { do: "create", path: "/d", status: "published" },
  { do: "create", path: "/a", status: "draft" },
  { do: "delete", which: 1 },
  { do: "move", which: 0, path: "/a" },
  { do: "unlead", which: 0 },
  { do: "unpublish", which: 0 },
];

/** What may be said to fail, fails with words of ours; anything else is a fault. */
async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function take({ content, record }: RecordStore, ids: string[], taken: Step): Promise<void> {
  const id = "which" in taken ? (ids[taken.which % Math.max(1, ids.length)] ?? "none") : "none";
  const now = NOW;
  if ("status" in taken) {
    const { path, status } = taken;
    const input = itemInputSchema.parse({
      type: "page",
      title: `Page ${ids.length}`,
      path,
      status,
    });
    ids.push((await saveItem(content, OPERATOR, input, now, { expects: "new" })).item.id);
    return;
  }
  if ("to" in taken) {
    const options = { now, origin: RECORD_ORIGIN, isDocument: () => false };
    await addRedirect(content, OPERATOR, { from: taken.path, to: taken.to }, options);
    return;
  }
  switch (taken.do) {
    case "move":
      if ("path" in taken)
        await changeItem(content, OPERATOR, id, { patch: { path: taken.path }, now });
      return;
    case "publish":
      await publishItem(content, OPERATOR, id, { now });
      return;
    case "unpublish":
      await unpublishItem(content, OPERATOR, id, { now });
      return;
    case "archive":
      await archiveItem(content, OPERATOR, id, { now });
      return;
    case "delete":
      await deleteItem(content, OPERATOR, id, { now });
      return;
    case "restore":
      await restoreRevision(content, OPERATOR, id, { restore: 1, now });
      return;
    case "purge":
      await purgeDeletedItems(content, LATER);
      return;
    case "unlead": {
      const all = await record.desk.redirects({ limit: 10 });
      const redirect = all["which" in taken ? taken.which : 0];
      if (redirect !== undefined) await removeRedirect(content, OPERATOR, redirect.id, { now });
    }
  }
}

function answers(reading: ReadingCopy): Record<string, string> {
  return Object.fromEntries(
    PATHS.map((address) => {
      const found = reading.resolve(address);
      if (found.kind === "moved") return [address, `to ${found.to}`];
      return [address, found.kind === "item" ? `item ${found.item.title}` : found.kind];
    }),
  );
}

/** Never to nothing, never in two steps, never in a circle. */
function assertOneStep(answer: string, told: Readonly<Record<string, string>>): void {
  const to = /^to (.*)$/.exec(answer)?.[1] ?? "/topics";
  if (to !== "/topics") assert.match(told[to] ?? "", /^item /);
}

it("whatever happens to items and redirects, every address answers one thing, and the same when the reading copy is made anew", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      await using store = await openRecordStore();
      const ids: string[] = [];
      for (const taken of steps) await attempt(async () => await take(store, ids, taken));
      const told = answers(store.reading);
      for (const answer of Object.values(told)) assertOneStep(answer, told);
      for (const id of ids) {
        const item = await store.content.item(id);
        if (item?.status !== "published") continue;
        assert.equal(told[item.path], `item ${item.title}`);
      }
      const anew = await store.reopen({ origin: "https://anew.example" });
      assert.deepEqual(answers(anew.reading), told);
      await anew[Symbol.asyncDispose]();
    }),
    { numRuns: 40, examples: [[PASSED_ON]] },
  );
});
