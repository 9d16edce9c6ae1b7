import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readAuditLogPage } from "../../src/access/audit.ts";
import { requireValidItemPath, slugOf } from "../../src/content/addresses/paths.ts";
import { saveItem } from "../../src/content/editing/editing.ts";
import { publishItem } from "../../src/content/editing/publishing.ts";
import { type ItemInput, itemInputSchema } from "../../src/content/items/item.ts";
import { topic as topicType } from "../../src/content/types/topic.ts";
import {
  keyActor,
  NOW,
  OPERATOR,
  openGround,
  openPlace,
  openRecordStore,
  topic,
} from "../support/record-store.ts";
import { refusedFor } from "../support/refusals.ts";

function later(minutes: number): Date {
  return new Date(NOW.getTime() + minutes * 60_000);
}

describe("saving an item", () => {
  it("creates it with revision, audit entry and public page", async () => {
    await using store = await openRecordStore();
    const { item, outcome } = await store.save(topic("Time", { body: "It *flies*." }));
    assert.equal(outcome, "created");
    assert.match(item.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(item.path, "/topics/time");
    assert.equal(item.revision, 1);
    assert.equal(item.language, "en");
    assert.deepEqual(await store.content.item(item.id), item);
    const [revision] = await store.content.revisions(item.id);
    assert.deepEqual(revision?.item, item);
    const [entry] = await readAuditLogPage(store.record.audit, OPERATOR, { limit: 1 });
    assert.equal(entry?.action, "content.create");
    assert.equal(entry?.target, "/topics/time");
    assert.deepEqual([entry?.revisionBefore, entry?.revisionAfter], [null, 1]);
    assert.equal(store.reading.resolve("/topics/time").kind, "item");
  });

  it("finds what it means by source key, then by path", async () => {
    await using store = await openRecordStore();
    const first = await store.save(topic("Time", { sourceKey: "t1" }));
    const renamed = await store.save(topic("Time and tide", { sourceKey: "t1" }));
    assert.equal(renamed.outcome, "updated");
    assert.equal(renamed.item.id, first.item.id);
    assert.equal(renamed.item.path, "/topics/time", "a new title moves nothing");
    const byPath = await store.save(topic("Tide", { path: "/topics/time" }));
    assert.equal(byPath.item.id, first.item.id);
    assert.equal(byPath.item.sourceKey, "t1", "what is not said of the key leaves it");
  });

  it("adopts an item of the same path that has no source key yet, and no other", async () => {
    await using store = await openRecordStore();
    const first = await store.save(topic("Time"));
    const adopted = await store.save(topic("Time", { slug: "time", sourceKey: "t1" }));
    assert.equal(adopted.item.id, first.item.id);
    await assert.rejects(store.save(topic("Time", { slug: "time", sourceKey: "t2" })), {
      code: "conflict",
      message: 'Cannot use the path "/topics/time": it belongs to "Time". Choose another path',
    });
  });

  it("changes nothing when it says what is there", async () => {
    await using store = await openRecordStore();
    const work = itemInputSchema.parse({
      type: "work",
      title: "Letters",
      sourceKey: "w1",
      status: "published",
      publishedAt: "2020-01-01T00:00:00Z",
      fields: { year: 65, kind: "letter", publisher: null },
      relations: { topics: [{ to: "/topics/time", note: "editor" }], authors: [] },
    });
    await store.save(topic("Time"));
    const first = await store.save(work);
    const version = store.reading.version();
    const again = await store.save(work, { now: later(5) });
    assert.equal(again.outcome, "unchanged");
    assert.deepEqual(again.item, first.item);
    assert.equal((await store.content.revisions(first.item.id)).length, 1);
    assert.equal(store.reading.version(), version);
    const other = await store.save({ ...work, fields: { year: 64, kind: "letter" } });
    assert.equal(other.outcome, "updated");
    assert.equal(other.item.revision, 2);
  });

  it("numbers paths made from equal titles, and leaves slugs in any script", async () => {
    await using store = await openRecordStore();
    const paths = [];
    for (const title of ["Été à Łódź", "Été à Łódź", "Ete a Lodz", "時間", "Страх", "…"]) {
      paths.push((await store.save(topic(title))).item.path);
    }
    assert.deepEqual(paths, [
      "/topics/ete-a-lodz",
      "/topics/ete-a-lodz-2",
      "/topics/ete-a-lodz-3",
      "/topics/時間",
      "/topics/страх",
      "/topics/topic",
    ]);
  });

  it("finds a free number among many", async () => {
    await using store = await openRecordStore();
    const paths = new Set<string>();
    await store.content.write(async (transaction) => {
      for (let count = 0; count < 50; count += 1) {
        paths.add((await saveItem(transaction, OPERATOR, topic("Time"), NOW)).item.path);
      }
    });
    assert.equal(paths.size, 50);
    assert(paths.has("/topics/time-50"), [...paths].join(" "));
  });

  it("makes a path it accepts itself from any title", () => {
    const title = fc.string({ unit: "grapheme", minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(title, (text) => {
        const slug = slugOf(text);
        if (slug === "") return;
        assert(slug.length <= 80);
        assert.equal(slug, slugOf(slug), "a slug is its own slug");
        requireValidItemPath(`/topics/${slug}`, topicType, new Map([["topic", topicType]]));
      }),
      { numRuns: 2000 },
    );
  });

  it("cuts long slugs between words", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("wisdom ".repeat(20)));
    assert.equal(item.path, `/topics/${"wisdom-".repeat(11).slice(0, -1)}`);
  });

  it("refuses a change made from an earlier revision", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("Time"));
    await store.save(topic("Tide", { slug: "time" }), { revision: 1 });
    await assert.rejects(store.save(topic("Times", { slug: "time" }), { revision: 1 }), {
      code: "precondition",
      message:
        '"/topics/time" is at revision 2, not 1: someone changed it meanwhile. Read it again, then repeat the change',
    });
    assert.equal((await store.content.item(item.id))?.title, "Tide");
  });

  it("asks for the permission to publish where the public is concerned", async () => {
    await using store = await openRecordStore();
    const writer = keyActor("content:write");
    const draft = topic("Time", { status: "draft" });
    const { item } = await saveItem(store.content, writer, draft, NOW);
    await assert.rejects(saveItem(store.content, writer, topic("Tide"), NOW), {
      code: "forbidden",
      message: "This key lacks the scope content:publish",
    });
    await publishItem(store.content, OPERATOR, item.id, { now: NOW });
    const change = { ...draft, slug: "time", title: "Tide" };
    await assert.rejects(saveItem(store.content, writer, change, NOW), { code: "forbidden" });
    await assert.rejects(saveItem(store.content, keyActor("content:read"), draft, NOW), {
      code: "forbidden",
    });
    await assert.rejects(saveItem(store.content, { kind: "visitor" }, draft, NOW), {
      code: "unauthenticated",
    });
  });
});

describe("many saves in one transaction", () => {
  it("go on after one that is wrong, and end up in one commit", async () => {
    await using store = await openRecordStore();
    const faults = await store.content.write(async (transaction) => {
      const told: string[] = [];
      for (const input of [topic("One"), topic("Two", { type: "subject" }), topic("Three")]) {
        try {
          await saveItem(transaction, OPERATOR, input, NOW);
        } catch (error) {
          told.push(error instanceof Error ? error.message : "");
        }
        assert.equal(store.reading.counts()["topic"], 0, "nobody sees half an import");
      }
      return told;
    });
    assert.deepEqual(faults, [
      'There is no content type "subject"; use one of page, topic, author, work, quotation',
    ]);
    assert.equal(store.reading.counts()["topic"], 2);
  });

  it("leave nothing when the whole fails", async () => {
    await using store = await openRecordStore();
    const failing = store.content.write(async (transaction) => {
      await saveItem(transaction, OPERATOR, topic("One", { sourceKey: "t1" }), NOW);
      throw new Error("power cut");
    });
    await assert.rejects(failing, /power cut/);
    assert.equal(await store.content.itemBySourceKey("t1"), null);
    assert.equal(store.reading.counts()["topic"], 0);
    assert.equal((await store.save(topic("One", { sourceKey: "t1" }))).outcome, "created");
  });

  it("undo everything when a part failed after it had put something", async () => {
    await using store = await openRecordStore();
    const write = store.content.write(async (transaction) => {
      await saveItem(transaction, OPERATOR, topic("One"), NOW);
      const part = transaction.write(async (within) => {
        await saveItem(within, OPERATOR, topic("Two"), NOW);
        throw new Error("half done");
      });
      await part.catch(() => {});
    });
    await assert.rejects(write, /failed halfway/);
    assert.equal(store.reading.counts()["topic"], 0);
  });

  it("see each other's items, and run one after the other", async () => {
    await using store = await openRecordStore();
    const titles = Array.from({ length: 20 }, () => "Same");
    const saved = await Promise.all(titles.map((title) => store.save(topic(title))));
    const paths = new Set(saved.map(({ item }) => item.path));
    assert.equal(paths.size, 20);
  });
});

describe("what an item says of others", () => {
  const quotation = (relations: ItemInput["relations"]): ItemInput =>
    itemInputSchema.parse({ type: "quotation", title: "On time", slug: "q", relations });

  it("names them by path, former path or source key", async () => {
    await using store = await openRecordStore();
    const time = await store.save(topic("Time", { sourceKey: "t:time" }));
    const tide = await store.save(topic("Tide", { slug: "tide" }));
    await store.save(topic("Tide", { slug: "tides" }), { id: tide.item.id });
    const { item } = await store.save(
      quotation({ topics: ["/topics/tide", { to: "t:time", note: "keyword" }] }),
    );
    assert.deepEqual(item.relations, {
      topics: [
        { to: tide.item.id, note: null },
        { to: time.item.id, note: "keyword" },
      ],
    });
    assert.deepEqual(await store.content.item(item.id), item);
  });

  it("is refused with every wrong relation and target named", async () => {
    await using store = await openRecordStore();
    await store.save(topic("Time"));
    const wrong = quotation({
      topics: ["/topics/time", "/topics/tide", "/topics/time"],
      authors: ["t:nobody", "/topics/time"],
      work: ["/a", "/b"],
      subjects: ["/topics/time"],
    });
    await assert.rejects(
      store.save(wrong),
      refusedFor(
        [
          {
            where: "relations.subjects",
            message: "Quotations have no such relation (they have: authors, work, topics)",
          },
          { where: "relations.work", message: "takes one item only" },
          { where: "relations.authors[0]", message: 'no item has the source key "t:nobody"' },
          {
            where: "relations.authors[1]",
            message: "/topics/time is of the type topic, not author",
          },
          { where: "relations.work[0]", message: 'no item has the path "/a"' },
          { where: "relations.work[1]", message: 'no item has the path "/b"' },
          { where: "relations.topics[1]", message: 'no item has the path "/topics/tide"' },
          { where: "relations.topics[2]", message: "/topics/time is here twice" },
        ],
        { message: /no item has the path "\/topics\/tide"/ },
      ),
    );
    assert.equal(store.reading.counts()["quotation"], 0);
  });

  it("may leave unknown targets out and tell which, for a second pass", async () => {
    await using store = await openRecordStore();
    const one = topic("One", { slug: "one", relations: { see_also: ["/topics/two"] } });
    const two = topic("Two", { slug: "two", relations: { see_also: ["/topics/one"] } });
    const first = await store.save(one, { missingTargets: "leave_out" });
    assert.deepEqual(first.missing, ["/topics/two"]);
    assert.deepEqual((await store.save(two, { missingTargets: "leave_out" })).missing, []);
    const again = await store.save(one, { missingTargets: "leave_out" });
    assert.equal(again.outcome, "updated");
    assert.deepEqual(again.missing, []);
    assert.deepEqual(await store.content.item(again.item.id), again.item);
    assert.equal(again.item.relations["see_also"]?.length, 1);
  });

  it("means what a path means at that moment of a transaction", async () => {
    await using store = await openRecordStore();
    await store.content.write(async (transaction) => {
      const save = (input: ItemInput, id?: string) =>
        saveItem(transaction, OPERATOR, input, NOW, id === undefined ? {} : { id });
      const draft = await save(topic("A", { slug: "a", status: "draft" }));
      const naming = topic("B", { slug: "b", relations: { see_also: ["/topics/a"] } });
      assert.equal((await save(naming)).item.relations["see_also"]?.[0]?.to, draft.item.id);
      await save(topic("A", { slug: "c", status: "draft" }), draft.item.id);
      await assert.rejects(save(naming), /no item has the path "\/topics\/a"/);
      const next = await save(topic("Next", { slug: "a" }));
      assert.equal((await save(naming)).item.relations["see_also"]?.[0]?.to, next.item.id);
    });
  });

  it("cannot be itself", async () => {
    await using store = await openRecordStore();
    await store.save(topic("One", { slug: "one" }));
    await assert.rejects(
      store.save(topic("One", { slug: "one", relations: { broader: ["/topics/one"] } })),
      /relations\.broader\[0\]: an item cannot be related to itself/,
    );
  });

  it("is checked for translations too", async () => {
    await using store = await openRecordStore();
    const en = await store.save(topic("Time", { sourceKey: "time" }));
    const de = await store.save(topic("Zeit", { language: "DE", translationOf: "time" }));
    assert.equal(de.item.language, "de");
    assert.equal(de.item.translationOf, en.item.id);
    const fr = await store.save(topic("Temps", { language: "fr", translationOf: de.item.path }));
    assert.equal(fr.item.translationOf, en.item.id, "all translate the original");
    const wrong = [
      { translationOf: "unknown", told: /translationOf: no item has the source key "unknown"/ },
      { language: "no language", told: /"no language" is not a language tag/ },
    ];
    for (const { told, ...more } of wrong) {
      await assert.rejects(store.save(topic("Tempo", more)), told);
    }
  });
});

describe("source keys", () => {
  it("cannot be taken for paths, and mean the same however their accents are written", async () => {
    await using store = await openRecordStore();
    await assert.rejects(store.save(topic("Time", { sourceKey: "/topics/time" })), {
      message: 'Cannot save "/topics/time": sourceKey: must not start with "/"',
    });
    const first = await store.save(topic("Été", { sourceKey: "été".normalize("NFD") }));
    const again = await store.save(topic("Été", { sourceKey: "été" }));
    assert.equal(again.outcome, "unchanged");
    const other = topic("Other", { relations: { see_also: ["été".normalize("NFD")] } });
    assert.equal((await store.save(other)).item.relations["see_also"]?.[0]?.to, first.item.id);
  });
});

describe("the first item", () => {
  it("comes after the profile of the site", async () => {
    await using ground = await openGround();
    const record = await openPlace(ground.place);
    await assert.rejects(saveItem(record.content, OPERATOR, topic("Time"), NOW), {
      code: "conflict",
      message: 'Cannot save "Time": save the profile of the site first',
    });
    await record.close();
  });
});
