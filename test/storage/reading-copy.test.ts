import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { PublishedItem } from "../../src/content/library.ts";
import { defineBuiltInType } from "../../src/content/types/content-type.ts";
import { ensureSchema } from "../../src/storage/reading/schema.ts";
import { createReadingWriter } from "../../src/storage/reading/writing/writer.ts";
import { idOf, ORIGIN, openReading, type ReadingStore } from "../support/reading-store.ts";

function itemAt(store: ReadingStore, path: string): PublishedItem {
  const found = store.reading.resolve(path);
  assert(found.kind === "item", `${path} is ${found.kind}`);
  return found.item;
}

describe("an item in the reading copy", () => {
  it("comes with rendered body, derived summary, links and counts", () => {
    using store = openReading();
    store.put("author", "/authors/seneca", { title: "Seneca" });
    store.put("topic", "/topics/time", { title: "Time" });
    store.put("quotation", "/quotations/a", {
      body: "We *suffer* more in imagination than in reality.",
      relations: {
        authors: ["/authors/seneca"],
        topics: [{ to: "/topics/time", note: "editor" }, "/topics/never-published"],
      },
    });
    const quotation = itemAt(store, "/quotations/a");
    assert.match(quotation.html, /<em>suffer<\/em>/);
    assert.equal(quotation.summary, "We suffer more in imagination than in reality.");
    assert.equal(quotation.hasOwnSummary, false);
    assert.deepEqual(quotation.links, {
      authors: [{ path: "/authors/seneca", type: "author", title: "Seneca", note: null }],
      topics: [{ path: "/topics/time", type: "topic", title: "Time", note: "editor" }],
      work: [],
    });
    assert.deepEqual(quotation.counts, { authors: 1, topics: 1, work: 0 });
    assert.deepEqual(itemAt(store, "/authors/seneca").counts, {
      pages: 0,
      works: 0,
      quotations: 1,
    });
  });

  it("keeps a long text whole for search and cuts what lists show", () => {
    using store = openReading();
    const body = `${"word ".repeat(400)}needle`;
    store.put("page", "/about", { body });
    const item = itemAt(store, "/about");
    assert.equal(item.text.length, 1000);
    assert(item.summary.length <= 300 && item.summary.endsWith("word…"));
  });

  it("shows links as soon as their target is published, and no longer", () => {
    using store = openReading();
    store.put("work", "/works/letters", { relations: { authors: ["/authors/seneca"] } });
    assert.deepEqual(itemAt(store, "/works/letters").links["authors"], []);
    store.put("author", "/authors/seneca");
    assert.equal(itemAt(store, "/works/letters").links["authors"]?.length, 1);
    assert.equal(itemAt(store, "/authors/seneca").counts["works"], 1);
    store.retire("/authors/seneca", false);
    assert.deepEqual(itemAt(store, "/works/letters").links["authors"], []);
  });

  it("reads symmetric relations from both ends and counts a pair once", () => {
    using store = openReading();
    store.put("topic", "/topics/time", { relations: { see_also: ["/topics/death"] } });
    store.put("topic", "/topics/death", { relations: { see_also: ["/topics/time"] } });
    store.put("topic", "/topics/age", { relations: { see_also: ["/topics/time"] } });
    const time = itemAt(store, "/topics/time");
    assert.deepEqual(
      time.links["see_also"]?.map((link) => link.path),
      ["/topics/death", "/topics/age"],
    );
    assert.equal(time.counts["see_also"], 2);
    assert.equal(itemAt(store, "/topics/age").counts["see_also"], 1);
    store.retire("/topics/age", false);
    assert.equal(itemAt(store, "/topics/time").counts["see_also"], 1);
  });

  it("names its translations from every language", () => {
    using store = openReading();
    store.put("page", "/about", { title: "About" });
    store.put("page", "/de/about", { title: "Über uns", language: "de", translationOf: "/about" });
    store.put("page", "/fr/about", { title: "À propos", language: "fr", translationOf: "/about" });
    const languages = (path: string) =>
      itemAt(store, path).translations.map(({ language }) => language);
    assert.deepEqual(languages("/about"), ["de", "fr"]);
    assert.deepEqual(languages("/de/about"), ["en", "fr"]);
  });
});

describe("a path in the reading copy", () => {
  it("leads on after moves, without chains", () => {
    using store = openReading();
    const item = store.put("page", "/a");
    for (const [from, to] of [["/a", "/b"] as const, ["/b", "/c"] as const]) {
      store.writer.put({ ...item, path: to });
      store.writer.redirect(from, item.id);
    }
    store.flush();
    assert.deepEqual(store.reading.resolve("/a"), { kind: "moved", to: "/c" });
    assert.deepEqual(store.reading.resolve("/b"), { kind: "moved", to: "/c" });
    store.writer.put({ ...item, path: "/a" });
    store.flush();
    assert.equal(itemAt(store, "/a").id, item.id);
    assert.deepEqual(store.reading.resolve("/b"), { kind: "moved", to: "/a" });
  });

  it("is gone with its item, also where it led there, until the item returns", () => {
    using store = openReading();
    const item = store.put("page", "/new", { title: "News" });
    store.writer.redirect("/old", item.id);
    store.flush();
    store.retire("/new", true);
    const gone = { kind: "gone", title: "News", type: "page" };
    assert.deepEqual(store.reading.resolve("/new"), gone);
    assert.deepEqual(store.reading.resolve("/old"), gone);
    store.put("page", "/new", { title: "News" });
    assert.equal(store.reading.resolve("/new").kind, "item");
    store.retire("/new", false);
    assert.deepEqual(store.reading.resolve("/new"), { kind: "absent" });
    assert.deepEqual(store.reading.resolve("/old"), { kind: "absent" });
  });

  it("is never taken from the item that has it", () => {
    using store = openReading();
    store.put("page", "/about");
    assert.throws(() => {
      store.writer.put({ ...store.put("page", "/other"), path: "/about" });
      store.flush();
    }, /UNIQUE/);
  });
});

describe("the state of the reading copy", () => {
  it("has a new version after a change by another process, and only then", async () => {
    using store = openReading();
    store.db.exec("CREATE TABLE other (n)");
    const before = store.reading.version();
    store.db.exec("INSERT INTO other VALUES (1)");
    assert.equal(store.reading.version(), before);
    const script = `
      import { DatabaseSync } from "node:sqlite";
      import { createReadingWriter } from "./src/storage/reading/writing/writer.ts";
      const writer = createReadingWriter(new DatabaseSync(${JSON.stringify(store.file)}), { origin: "${ORIGIN}" });
      writer.redirect("/old", "id:/about");
      for (const _step of writer.flush());`;
    const child = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
    assert.equal(child.status, 0, child.stderr.toString());
    await nextTurn();
    assert(store.reading.version() > before);
  });

  it("reports the latest change and counts published items", () => {
    using store = openReading();
    store.put("page", "/a", { updatedAt: "2026-03-01T00:00:00.000Z" });
    store.put("page", "/b", { updatedAt: "2026-02-01T00:00:00.000Z" });
    store.put("page", "/b", { updatedAt: "2026-02-01T00:00:00.000Z" });
    assert.equal(store.reading.updatedAt(), "2026-03-01T00:00:00.000Z");
    assert.deepEqual(store.reading.counts(), {
      page: 2,
      topic: 0,
      author: 0,
      work: 0,
      quotation: 0,
    });
    store.retire("/a", true);
    assert.equal(store.reading.counts()["page"], 1);
  });

  it("is asked to be filled again for another origin or other types, not otherwise", () => {
    using store = openReading();
    store.put("page", "/a");
    const profile = store.reading.site();
    assert.equal(ensureSchema(store.db, { origin: ORIGIN }), false);
    assert.equal(store.writer.saveSite({ ...profile, name: "Renamed" }, store.types), false);
    assert.equal(ensureSchema(store.db, { origin: ORIGIN }), false);
    store.flush();
    assert.equal(store.reading.site().name, "Renamed");
    const event = defineBuiltInType({
      name: "event",
      label: "Event",
      plural: "Events",
      description: "Something that takes place.",
      listPath: "/events",
    });
    const types = new Map([...store.types, ["event", event] as const]);
    assert.equal(store.writer.saveSite(profile, types), true);
    const version = store.reading.version();
    assert.equal(ensureSchema(store.db, { origin: ORIGIN }), true);
    store.flush();
    assert(store.reading.version() > version);
    assert.equal(store.reading.resolve("/a").kind, "absent");
    assert.equal(ensureSchema(store.db, { origin: ORIGIN }), false);
    assert.equal(ensureSchema(store.db, { origin: "https://other.example" }), true);
  });

  it("forgets what a rolled back transaction put", async () => {
    using store = openReading();
    store.db.exec("BEGIN");
    store.put("page", "/a", { title: "Perspicacity" });
    store.db.exec("ROLLBACK");
    assert.deepEqual(store.reading.resolve("/a"), { kind: "absent" });
    store.put("page", "/b", { title: "Perspicacity" });
    const query = { types: [], filters: [], links: [], limit: 10, offset: 0 };
    const found = await store.reading.search({ ...query, text: "perspicasity" });
    assert.equal(found.correctedText, "perspicacity");
    assert.deepEqual(
      found.hits.map((hit) => hit.path),
      ["/b"],
    );
  });

  it("leaves the connection usable for others after items were taken away", () => {
    using store = openReading();
    store.db.exec("CREATE TABLE other (n INTEGER)");
    store.transaction(() => {
      for (let n = 0; n < 200; n++) store.put("page", `/p${n}`, { body: `word${n} and more` });
    });
    for (let n = 0; n < 100; n++) {
      store.retire(`/p${n}`, true);
      assert.equal(store.db.prepare("UPDATE other SET n = 1").run().changes, 0);
    }
  });

  it("keeps an item's row number permanently", () => {
    using store = openReading();
    store.put("page", "/a");
    store.put("page", "/b");
    const [first] = store.reading.index({ limit: 1 });
    assert(first !== undefined);
    store.retire("/a", false);
    const rest = [...store.reading.index({ after: first.cursor })];
    assert.deepEqual(
      rest.map(({ path }) => path),
      ["/b"],
    );
    store.put("page", "/a");
    assert.equal([...store.reading.index()][0]?.cursor, first.cursor);
  });
});

describe("the index of everything", () => {
  it("goes by type, then as added, from any position or offset", () => {
    using store = openReading();
    store.transaction(() => {
      for (let n = 0; n < 1200; n++) store.put("quotation", `/quotations/${n}`);
      store.put("page", "/about");
      store.put("topic", "/topics/time");
    });
    const all = [...store.reading.index()];
    assert.equal(all.length, 1202);
    assert.deepEqual(
      all.slice(0, 3).map(({ path }) => path),
      ["/about", "/topics/time", "/quotations/0"],
    );
    for (const start of [1, 2, 3, 700, 1201, 1202]) {
      assert.deepEqual(
        [...store.reading.index({ offset: start, limit: 5 })],
        all.slice(start, start + 5),
      );
      const after = all[start - 1]?.cursor ?? "";
      assert.deepEqual([...store.reading.index({ after })], all.slice(start));
    }
    assert.equal([...store.reading.index({ type: "quotation" })].length, 1200);
  });

  it("does not mind changes while it is read", () => {
    using store = openReading();
    store.transaction(() => {
      for (let n = 0; n < 1000; n++) store.put("quotation", `/quotations/${n}`);
    });
    const seen: string[] = [];
    for (const { path } of store.reading.index()) {
      seen.push(path);
      if (seen.length === 10) store.retire("/quotations/999", true);
    }
    assert.equal(seen.length, 999);
  });
});

it("refuses an item of an undeclared type", () => {
  using store = openReading();
  const other = createReadingWriter(new DatabaseSync(store.file), { origin: ORIGIN });
  const item = store.put("page", "/a");
  other.put({ ...item, id: idOf("/b"), type: "event" });
  assert.throws(() => [...other.flush()], /event is not declared/);
});
