import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Actor } from "../../src/access/actor.ts";
import { saveItem } from "../../src/content/editing/editing.ts";
import {
  archiveItem,
  deleteItem,
  publishDueItems,
  publishItem,
  scheduleItem,
  unpublishItem,
} from "../../src/content/editing/publishing.ts";
import { listRevisions, restoreRevision } from "../../src/content/editing/revisions.ts";
import type { Item, ItemInput, Status } from "../../src/content/items/item.ts";
import { itemInputSchema, STATUS_TRANSITIONS, STATUSES } from "../../src/content/items/item.ts";
import type { ContentRecord } from "../../src/content/record.ts";
import { saveSite } from "../../src/content/site/site-saving.ts";
import { contentTypeSchema } from "../../src/content/types/content-type.ts";
import {
  keyActor,
  NOW,
  OPERATOR,
  openRecordStore,
  type RecordStore,
  SITE,
  topic,
} from "../support/record-store.ts";

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(NOW.getTime() + hours * HOUR);

type Change = (record: ContentRecord, id: string, actor?: Actor) => Promise<Item>;

/** How a caller asks for each status. */
const CHANGES: Record<Status, Change> = {
  draft: (record, id, actor = OPERATOR) => unpublishItem(record, actor, id, { now: NOW }),
  scheduled: (record, id, actor = OPERATOR) =>
    scheduleItem(record, actor, id, { now: NOW, publishAt: inHours(1) }),
  published: (record, id, actor = OPERATOR) => publishItem(record, actor, id, { now: NOW }),
  archived: (record, id, actor = OPERATOR) => archiveItem(record, actor, id, { now: NOW }),
  deleted: (record, id, actor = OPERATOR) => deleteItem(record, actor, id, { now: NOW }),
};

/** What the path of an item that was public once answers. */
const ANSWERS: Record<Status, string> = {
  draft: "absent",
  scheduled: "absent",
  published: "item",
  archived: "gone",
  deleted: "gone",
};

async function itemIn(store: RecordStore, status: Status): Promise<Item> {
  const { item } = await store.save(topic("Time"));
  if (status === "published") return item;
  if (status === "scheduled") await CHANGES.draft(store.content, item.id);
  return await CHANGES[status](store.content, item.id);
}

describe("the status of an item", () => {
  for (const from of STATUSES) {
    for (const to of STATUSES.filter((status) => status !== from)) {
      const isAllowed = STATUS_TRANSITIONS[from].includes(to);
      it(`${isAllowed ? "goes" : "does not go"} from ${from} to ${to}`, async () => {
        await using store = await openRecordStore();
        const before = await itemIn(store, from);
        assert.equal(before.status, from);
        assert.equal(store.reading.resolve(before.path).kind, ANSWERS[from]);
        const change = CHANGES[to](store.content, before.id);
        if (!isAllowed) {
          await assert.rejects(change, { code: "conflict" });
          assert.deepEqual(await store.content.item(before.id), before);
          assert.equal(store.reading.resolve(before.path).kind, ANSWERS[from]);
          return;
        }
        const after = await change;
        assert.equal(after.status, to);
        assert.equal(after.revision, before.revision + 1);
        assert.equal(after.publishedAt, NOW.toISOString(), "first published when it was");
        assert.deepEqual(await store.content.item(before.id), after);
        assert.equal(store.reading.resolve(before.path).kind, ANSWERS[to]);
      });
    }
  }

  it("follows the same rules when an input states it", async () => {
    await using store = await openRecordStore();
    await store.save(topic("Time", { slug: "time", status: "archived" }));
    assert.equal(store.reading.resolve("/topics/time").kind, "gone");
    await assert.rejects(
      store.save(
        topic("Time", {
          slug: "time",
          status: "scheduled",
          publishAt: inHours(1).toISOString(),
        }),
      ),
      {
        code: "conflict",
        message:
          'Cannot make "Time" scheduled: it is archived, which may become published, draft, deleted',
      },
    );
  });

  it("set again changes nothing", async () => {
    await using store = await openRecordStore();
    const item = await itemIn(store, "published");
    assert.deepEqual(await CHANGES.published(store.content, item.id), item);
  });

  it("is changed by those who may publish, and an item is deleted by those who may write", async () => {
    await using store = await openRecordStore();
    const writer = keyActor("content:write");
    const draft = await store.save(topic("Draft", { status: "draft" }));
    for (const to of ["published", "scheduled"] as const) {
      await assert.rejects(CHANGES[to](store.content, draft.item.id, writer), {
        code: "forbidden",
      });
    }
    await CHANGES.deleted(store.content, draft.item.id, writer);
    const shown = await itemIn(store, "published");
    await assert.rejects(CHANGES.deleted(store.content, shown.id, writer), { code: "forbidden" });
    await assert.rejects(CHANGES.published(store.content, shown.id, { kind: "visitor" }), {
      code: "unauthenticated",
    });
  });

  it("belongs to an item there is", async () => {
    await using store = await openRecordStore();
    await assert.rejects(CHANGES.published(store.content, "no-such-id"), { code: "not_found" });
  });
});

describe("publication by the clock", () => {
  it("happens once its time has come, and shows that time", async () => {
    await using store = await openRecordStore();
    const scheduled = (title: string, hours: number) =>
      topic(title, { status: "scheduled", publishAt: inHours(hours).toISOString() });
    await store.save(scheduled("One", 1));
    await store.save(scheduled("Two", 2));
    assert.equal(await publishDueItems(store.content, inHours(0.9)), 0);
    assert.equal(store.reading.counts()["topic"], 0);
    assert.equal(await publishDueItems(store.content, inHours(1.5)), 1);
    const found = store.reading.resolve("/topics/one");
    assert(found.kind === "item");
    assert.equal(found.item.publishedAt, inHours(1).toISOString());
    assert.equal(store.reading.resolve("/topics/two").kind, "absent");
    assert.equal(await publishDueItems(store.content, inHours(1.5)), 0);
    const item = await store.content.itemAt("/topics/one");
    assert.equal(item?.publishAt, null);
    const { revisions } = await listRevisions(store.record, OPERATOR, item?.id ?? "", { limit: 5 });
    const [latest] = revisions;
    assert.equal(latest?.actor, "clock");
  });

  it("takes the new time of an item scheduled again", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("One", { status: "draft" }));
    await scheduleItem(store.content, OPERATOR, item.id, { now: NOW, publishAt: inHours(1) });
    await scheduleItem(store.content, OPERATOR, item.id, { now: NOW, publishAt: inHours(3) });
    assert.equal(await publishDueItems(store.content, inHours(2)), 0);
    assert.equal(await publishDueItems(store.content, inHours(3)), 1);
  });

  it("has nothing to do for a time that has passed", async () => {
    await using store = await openRecordStore();
    const input = topic("One", { status: "scheduled", publishAt: "2026-11-21T10:00:00+02:00" });
    const { item } = await store.save(input);
    assert.deepEqual([item.status, item.publishedAt], ["published", "2026-11-21T08:00:00.000Z"]);
    const again = await store.save({ ...input, slug: "one" }, { now: inHours(5) });
    assert.equal(again.outcome, "unchanged");
    const due = topic("Now", { status: "scheduled", publishAt: NOW.toISOString() });
    assert.equal((await store.save(due)).item.status, "published");
    await assert.rejects(
      scheduleItem(store.content, OPERATOR, item.id, { now: NOW, publishAt: inHours(-1) }),
      { code: "invalid", message: "publishAt: lies in the past; publish the item instead" },
    );
  });

  it("needs a time, and a published item one that is not in the future", async () => {
    await using store = await openRecordStore();
    await assert.rejects(store.save(topic("One", { status: "scheduled" })), {
      code: "invalid",
      message: "publishAt: a scheduled item needs the time to publish it at",
    });
    await assert.rejects(store.save(topic("One", { publishedAt: inHours(1).toISOString() })), {
      code: "invalid",
      message: "publishedAt: lies in the future; schedule the item instead",
    });
  });

  it("can be changed while the clock stands before its publication", async () => {
    await using store = await openRecordStore();
    await store.save(topic("One", { path: "/topics/one" }));
    const earlier = inHours(-1);
    const changed = topic("One anew", { path: "/topics/one" });
    const { outcome, item } = await saveItem(store.content, OPERATOR, changed, earlier);
    assert.deepEqual([outcome, item.publishedAt], ["updated", NOW.toISOString()]);
  });
});

describe("news without a day", () => {
  const news = contentTypeSchema.parse({
    name: "news",
    label: "News item",
    plural: "News",
    listPath: "/news",
    schemaOrg: "NewsArticle",
    dated: { by: "date" },
    fields: { date: { kind: "date", label: "Date", filter: true, sort: true } },
  });
  const input = (more: Partial<ItemInput>) =>
    itemInputSchema.parse({ type: "news", title: "Reading", ...more });
  /** In Auckland the day after has begun. */
  const openEvening = async () => {
    const store = await openRecordStore({ types: [news] });
    await saveSite(store.content, OPERATOR, { ...SITE, timeZone: "Pacific/Auckland" }, [news], NOW);
    return store;
  };

  it("gets the site's day when it is published, however that is done", async () => {
    await using store = await openEvening();
    const draft = (title: string) => store.save(input({ title, status: "draft" }));
    const { item: first } = await draft("One");
    assert.deepEqual(first.fields, {});
    const published = await publishItem(store.content, OPERATOR, first.id, { now: NOW });
    assert.deepEqual(published.fields, { date: "2026-11-22" });
    const { item: second } = await store.save(input({ title: "Two", status: "published" }));
    assert.deepEqual(second.fields, { date: "2026-11-22" });
    const { item: third } = await draft("Three");
    const at = { now: NOW, publishAt: inHours(30) };
    const scheduled = await scheduleItem(store.content, OPERATOR, third.id, at);
    assert.deepEqual(scheduled.fields, {});
    await publishDueItems(store.content, inHours(80));
    assert.deepEqual((await store.content.item(third.id))?.fields, { date: "2026-11-23" });
    const restored = await restoreRevision(store.content, OPERATOR, first.id, {
      now: inHours(1),
      restore: 1,
    });
    assert.deepEqual(restored.fields, { date: "2026-11-22" });
  });

  it("keeps a day that was given, and is unchanged when imported again", async () => {
    await using store = await openEvening();
    const given = { slug: "reading", status: "published", publishedAt: "2026-11-20" } as const;
    const { item } = await store.save(input(given));
    assert.deepEqual(item.fields, { date: "2026-11-20" });
    const again = await store.save(input(given), { now: inHours(40) });
    assert.equal(again.outcome, "unchanged");
    const dated = await store.save(input({ ...given, fields: { date: "1999-01-01" } }));
    assert.deepEqual(dated.item.fields, { date: "1999-01-01" });
  });
});

describe("restoring a revision", () => {
  it("brings content back as a new revision, at the present path and status", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("Time", { body: "first", fields: { aliases: ["T"] } }));
    await store.save(topic("Tide", { slug: "tide", body: "second" }), { id: item.id });
    const options = { now: inHours(1), restore: 1 };
    const restored = await restoreRevision(store.content, OPERATOR, item.id, options);
    assert.deepEqual(
      [restored.title, restored.body, restored.path, restored.revision, restored.status],
      ["Time", "first", "/topics/tide", 3, "published"],
    );
    assert.deepEqual(restored.fields, { aliases: ["T"] });
    const shown = store.reading.resolve("/topics/tide");
    assert(shown.kind === "item" && shown.item.title === "Time");
    const again = await restoreRevision(store.content, OPERATOR, item.id, options);
    assert.equal(again.revision, 3, "nothing to restore");
    await assert.rejects(
      restoreRevision(store.content, OPERATOR, item.id, { now: NOW, restore: 9 }),
      { code: "not_found", message: '"/topics/tide" has no revision 9; its latest is 3' },
    );
  });

  it("brings a deleted item back as a draft, for 30 days", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("Time"));
    await deleteItem(store.content, OPERATOR, item.id, { now: NOW });
    await assert.rejects(
      restoreRevision(store.content, OPERATOR, item.id, { now: inHours(30 * 24 + 1), restore: 1 }),
      { code: "gone" },
    );
    const options = { now: inHours(30 * 24), restore: 1 };
    const restored = await restoreRevision(store.content, OPERATOR, item.id, options);
    assert.equal(restored.status, "draft");
    assert.equal(store.reading.resolve("/topics/time").kind, "absent");
    await publishItem(store.content, OPERATOR, item.id, { now: options.now });
    assert.equal(store.reading.resolve("/topics/time").kind, "item");
  });

  it("cannot take the path of another item", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("Time", { status: "draft" }));
    await deleteItem(store.content, OPERATOR, item.id, { now: NOW });
    await store.save(topic("Time"));
    await assert.rejects(
      restoreRevision(store.content, OPERATOR, item.id, { now: NOW, restore: 1 }),
      { code: "conflict" },
    );
  });
});
