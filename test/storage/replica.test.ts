import assert from "node:assert/strict";
import { it } from "node:test";
import { addRedirect } from "../../src/content/addresses/redirects.ts";
import { changeItem, saveItem } from "../../src/content/editing/editing.ts";
import { previewItem } from "../../src/content/editing/preview.ts";
import { archiveItem, unpublishItem } from "../../src/content/editing/publishing.ts";
import type { ReadingCopy } from "../../src/content/library.ts";
import { saveSite } from "../../src/content/site/site-saving.ts";
import { defineBuiltInType } from "../../src/content/types/content-type.ts";
import { openReadingCopy } from "../../src/storage/reading/open.ts";
import { openRecord } from "../../src/storage/record/open.ts";
import { readingDump } from "../support/dumps.ts";
import { openInstances, untilUpToDate } from "../support/instances.ts";
import { onPostgres } from "../support/postgres-store.ts";
import { editAtRandom } from "../support/random-editing.ts";
import { NOW, OPERATOR, openGround, RECORD_ORIGIN, SITE, topic } from "../support/record-store.ts";
import { until } from "../support/until.ts";

const EVENT = defineBuiltInType({
  name: "event",
  label: "Event",
  plural: "Events",
  description: "Something that happens.",
  listPath: "/events",
  fields: { place: { kind: "text", label: "Place", filter: true, sort: true } },
});

/** What a path resolves to, without what differs between two records of the same content. */
function answers(reading: ReadingCopy, path: string): unknown {
  const found = reading.resolve(path);
  if (found.kind !== "item") return found;
  const { title, html, markdown, links, counts, translations, updatedAt } = found.item;
  return { title, html, markdown, links, counts, translations, updatedAt };
}

/** Paths in order; for a search, sorted. */
async function lists(reading: ReadingCopy) {
  const types = [...reading.types().keys()];
  const byTitle = types.map((type) => {
    const query = { types: [type], sort: "title", descending: false, limit: 100 };
    return reading.list({ ...query, filters: [], links: [] }).items.map(({ path }) => path);
  });
  const query = { text: "time river", types: [], filters: [], links: [], limit: 25, offset: 0 };
  const { hits } = await reading.search(query);
  return { counts: reading.counts(), byTitle, hits: hits.map(({ path }) => path).sort() };
}

onPostgres("an instance that follows", () => {
  it("shows its own commits immediately and those of others soon", async () => {
    await using instances = await openInstances();
    const one = await instances.open("one");
    await saveSite(one.record.content, OPERATOR, SITE, [], NOW);
    const other = await instances.open("other");
    const waits: number[] = [];
    for (const title of ["Time", "Love", "Truth", "Death", "Hope", "Art", "War", "Joy"]) {
      const { item } = await saveItem(one.record.content, OPERATOR, topic(title), NOW);
      assert.equal(one.reading.resolve(item.path).kind, "item");
      waits.push(await until(() => other.reading.resolve(item.path).kind === "item"));
    }
    // A follower that has just polled polls again a second later.
    assert(Math.min(...waits.slice(1)) < 800, `it heard only by looking, after ${waits} ms`);
    const { position, isCurrent, isReachable } = other.record.replica?.state() ?? {};
    assert.deepEqual(
      { position, isCurrent, isReachable },
      { position: 9, isCurrent: true, isReachable: true },
    );
  });

  it("equals a rebuilt one after random edits", { timeout: 120_000 }, async () => {
    for (const seed of [1, 20_261_121]) {
      await using instances = await openInstances();
      const writer = await instances.open("writer");
      await saveSite(writer.record.content, OPERATOR, SITE, [], NOW);
      const follower = await instances.open("follower");
      await editAtRandom(writer.record, seed, 200);
      await untilUpToDate(follower);
      const anew = await instances.open("anew");
      const made = readingDump(anew.file);
      assert(made["reading_item"]?.length, "nothing is published in the end");
      assert.deepEqual(readingDump(writer.file), made, `seed ${seed}`);
      assert.deepEqual(readingDump(follower.file), made, `seed ${seed}`);
      assert.equal(follower.reading.updatedAt(), anew.reading.updatedAt());
    }
  });

  it("shows what SQLite's own copy shows", { timeout: 120_000 }, async () => {
    await using instances = await openInstances();
    await using ground = await openGround("SQLite");
    const { file } = ground;
    await using alone = await openRecord({ file, origin: RECORD_ORIGIN });
    await using aloneShown = disposable(openReadingCopy({ file }));
    const writer = await instances.open("writer");
    const follower = await instances.open("follower");
    for (const record of [alone, writer.record]) {
      await saveSite(record.content, OPERATOR, SITE, [], NOW);
      await editAtRandom(record, 7, 150);
    }
    await untilUpToDate(follower);
    assert.deepEqual(await lists(follower.reading), await lists(aloneShown.reading));
    const claims = await instances.database.query("SELECT path FROM path_claims");
    const leads = await instances.database.query("SELECT path FROM redirects");
    const items = await instances.database.query("SELECT path FROM items");
    for (const { path } of [...claims, ...leads, ...items]) {
      const expected = answers(aloneShown.reading, String(path));
      assert.deepEqual(answers(follower.reading, String(path)), expected, String(path));
    }
  });

  it("gives items the same row numbers in every copy, so that cursors work in any of them", async () => {
    await using instances = await openInstances();
    const one = await instances.open("one");
    await saveSite(one.record.content, OPERATOR, SITE, [], NOW);
    for (const title of ["Draft", "A", "B", "C"]) {
      const status = title === "Draft" ? "draft" : "published";
      await saveItem(one.record.content, OPERATOR, topic(title, { status }), NOW);
    }
    const other = await instances.open("other");
    const query = { types: ["topic"], sort: "added", descending: true, filters: [], links: [] };
    const first = one.reading.list({ ...query, limit: 1 });
    assert(first.next !== null);
    const second = other.reading.list({ ...query, limit: 5, after: first.next });
    const paths = [...first.items, ...second.items].map(({ path }) => path);
    assert.deepEqual(paths, ["/topics/c", "/topics/b", "/topics/a"]);
  });

  it("rebuilds its copy when the types change, and shows the old one until then", async () => {
    await using instances = await openInstances();
    const one = await instances.open("one");
    await saveSite(one.record.content, OPERATOR, SITE, [EVENT], NOW);
    const fair = { type: "event", path: "/events/fair", title: "Fair", fields: { place: "Graz" } };
    const input = { ...topic("Fair"), ...fair };
    await saveItem(one.record.content, OPERATOR, input, NOW);
    const other = await instances.open("other");
    const { place } = EVENT.fields;
    assert(place !== undefined);
    const sorted = { ...EVENT, fields: { place: { ...place, label: "Where" } } };
    await saveSite(one.record.content, OPERATOR, SITE, [sorted], NOW);
    await until(() => other.reading.types().get("event")?.fields["place"]?.label === "Where");
    assert.equal(other.reading.resolve("/events/fair").kind, "item");
    await until(() => one.reading.types().get("event")?.fields["place"]?.label === "Where");
    await untilUpToDate(one);
    assert.deepEqual(readingDump(one.file), readingDump(other.file));
  });

  it("applies a large change atomically though the log has it in parts", async () => {
    await using instances = await openInstances();
    const one = await instances.open("one");
    await saveSite(one.record.content, OPERATOR, SITE, [], NOW);
    const other = await instances.open("other");
    const body = "A long word of many. ".repeat(500);
    await one.record.content.write(async (transaction) => {
      for (let number = 1; number <= 510; number += 1) {
        await saveItem(transaction, OPERATOR, topic(`Long ${number}`, { body }), NOW);
      }
    });
    const [parts] = await instances.database.query("SELECT count(*) AS n FROM changes");
    assert.deepEqual(parts, { n: "3" });
    const seen = new Set<number>();
    await until(() => {
      seen.add(other.reading.counts()["topic"] ?? 0);
      return seen.has(510);
    });
    assert(
      [...seen].every((count) => count === 0 || count === 510),
      `it showed ${[...seen]}`,
    );
  });

  it("shows a preview and rolls it back", async () => {
    await using instances = await openInstances();
    const one = await instances.open("one");
    await saveSite(one.record.content, OPERATOR, SITE, [], NOW);
    const { item } = await saveItem(one.record.content, OPERATOR, topic("Time"), NOW);
    const before = readingDump(one.file);
    const shownTitle = await previewItem(one.record.preview, OPERATOR, item.id, {
      now: NOW,
      patch: { title: "Times", path: "/topics/times" },
      show: (_view, reading) => {
        const found = reading.resolve("/topics/times");
        return found.kind === "item" ? found.item.title : found.kind;
      },
    });
    assert.equal(shownTitle, "Times");
    assert.deepEqual(readingDump(one.file), before);
    assert.equal(one.record.replica?.state().position, 2);
    await saveItem(one.record.content, OPERATOR, topic("After"), NOW);
    assert.equal(one.reading.resolve("/topics/after").kind, "item");
  });

  it("follows moves, withdrawals and redirects", async () => {
    await using instances = await openInstances();
    const { record } = await instances.open("one");
    const { content } = record;
    await saveSite(content, OPERATOR, SITE, [], NOW);
    const other = await instances.open("other");
    const save = async (title: string) =>
      (await saveItem(content, OPERATOR, topic(title), NOW)).item.id;
    const [moved, archived, hidden] = [
      await save("Moved"),
      await save("Old"),
      await save("Hidden"),
    ];
    await changeItem(content, OPERATOR, moved, { patch: { path: "/topics/new" }, now: NOW });
    await archiveItem(content, OPERATOR, archived, { now: NOW });
    await unpublishItem(content, OPERATOR, hidden, { now: NOW });
    const options = { now: NOW, origin: RECORD_ORIGIN, isDocument: () => false };
    await addRedirect(content, OPERATOR, { from: "/former", to: moved }, options);
    await addRedirect(content, OPERATOR, { from: "/list", to: "/topics" }, options);
    await addRedirect(content, OPERATOR, { from: "/over", to: null }, options);
    await untilUpToDate(other);
    const kinds = [
      "/topics/moved",
      "/topics/old",
      "/topics/hidden",
      "/former",
      "/list",
      "/over",
    ].map((path) => other.reading.resolve(path));
    assert.deepEqual(kinds, [
      { kind: "moved", to: "/topics/new" },
      { kind: "gone", title: "Old", type: "topic" },
      { kind: "absent" },
      { kind: "moved", to: "/topics/new" },
      { kind: "moved", to: "/topics" },
      { kind: "gone", title: null, type: null },
    ]);
  });
});

function disposable(reading: ReadingCopy & Disposable) {
  return { reading, [Symbol.asyncDispose]: async () => reading[Symbol.dispose]() };
}
