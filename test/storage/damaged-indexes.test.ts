import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import type { ListQuery } from "../../src/content/library.ts";
import { generateLlmsFullText } from "../../src/discovery/llms-full.ts";
import { DamageError } from "../../src/storage/sqlite/damage.ts";
import { incrementCommitCount } from "../../src/storage/sqlite/data-version.ts";
import { ORIGIN, openReading, type ReadingStore } from "../support/reading-store.ts";

const ALL_TOPICS = { types: ["topic"], filters: [], links: [], sort: "title", descending: false };

describe("a damaged index of the reading copy", () => {
  it("that lists fewer items than are counted is reported as damage", () => {
    using store = storeWithTopics();
    hideFromIndex(store, "reading_item_type", "path <> '/topics/b'");
    assert.throws(() => [...store.reading.index()], isDamage("reading_item"));
    assert.throws(() => [...store.reading.index({ type: "topic", offset: 1 })], DamageError);
    const [first] = store.reading.index({ limit: 1 });
    assert.equal(first?.path, "/topics/a");
    assert.equal([...store.reading.index({ after: first?.cursor ?? "" })].length, 1);
  });

  it("that does not know a path leaves no item out of the text of the site", () => {
    using store = storeWithTopics();
    const { reading } = store;
    const context = { reading, origin: ORIGIN, version: "0", now: new Date(0) };
    const before = [...generateLlmsFullText(context, 100_000)].join("");
    hideFromIndex(store, "reading_item_path", "path <> '/topics/b'");
    assert.equal(reading.resolve("/topics/b").kind, "absent");
    assert.equal([...generateLlmsFullText(context, 100_000)].join(""), before);
  });

  it("reports an item of the index whose body is hidden, and not one that was withdrawn", () => {
    using store = storeWithTopics();
    const [first, second] = store.reading.index();
    assert(first !== undefined && second !== undefined);
    store.retire(first.path, false);
    assert.equal(store.reading.itemOf(first), null);
    store.db.exec("DELETE FROM reading_body");
    incrementCommitCount();
    assert.throws(() => store.reading.itemOf(second), isDamage("reading_item"));
  });

  it("that lost links is reported as damage, in lists of these links and of some of them", () => {
    const links = [{ relation: "topics", direction: "in", anchors: ["/topics/a"] } as const];
    const onTopic = { ...ALL_TOPICS, types: ["quotation"], links, limit: 10 };
    const german = { ...onTopic, language: "de" };
    using whole = storeWithQuotations();
    assert.equal(whole.reading.list(onTopic).total, 2);
    assert.equal(whole.reading.list(german).total, 1);
    using damaged = storeWithQuotations();
    hideFromIndex(damaged, "reading_link_target", "source = 4");
    assert.throws(() => damaged.reading.list(onTopic), isDamage("reading_link"));
    assert.throws(() => damaged.reading.list(german), isDamage("reading_link"));
  });

  it("that lists an item which is hidden elsewhere leaves no gap in a page", () => {
    using store = storeWithTopics();
    store.db.exec("DELETE FROM reading_related WHERE row = 2");
    incrementCommitCount();
    const list = { ...ALL_TOPICS, limit: 2 };
    assert.throws(() => store.reading.list(list), isDamage("reading_item"));
    assert.throws(() => store.reading.items(list), isDamage("reading_item"));
  });

  it("that lost or changed a value is reported as damage, in lists by language and by field", () => {
    const quotations = { ...ALL_TOPICS, types: ["quotation"], limit: 10 };
    const links = [{ relation: "topics", direction: "in", anchors: ["/topics/a"] } as const];
    const verified = { field: "verification", operator: "eq", value: "verified" } as const;
    const lists: ListQuery[] = [
      { ...quotations, language: "de" },
      { ...quotations, notLanguages: ["de", "fr"] },
      { ...quotations, filters: [verified] },
      { ...quotations, links, filters: [verified] },
    ];
    for (const [at, list] of lists.entries()) {
      using store = storeWithQuotations();
      assert.equal(listAnew(store, list), 1, `list ${at}`);
      store.db.exec(
        `UPDATE reading_value SET value = value || 'x'
         WHERE type = 'quotation' AND name IN ('language', 'verification')`,
      );
      assert.throws(() => listAnew(store, list), isDamage("reading_value"), `list ${at}`);
      store.db.exec("UPDATE reading_tally SET items = items + 1");
      assert.throws(() => listAnew(store, list), DamageError, `list ${at}`);
    }
    for (const list of lists.slice(3)) {
      using store = storeWithQuotations();
      for (const name of ["c", "d", "e"]) {
        store.put("quotation", `/quotations/${name}`, { fields: { verification: "verified" } });
      }
      assert.equal(listAnew(store, list), 1);
      hideFromIndex(store, "reading_value_item", "row <> 4");
      assert.throws(() => listAnew(store, list), isDamage("reading_value"));
    }
  });

  it("that has another language for a link is reported as damage", () => {
    const links = [{ relation: "topics", direction: "in", anchors: ["/topics/a"] } as const];
    const onTopic = { ...ALL_TOPICS, types: ["quotation"], links, limit: 10, notLanguages: ["de"] };
    using store = storeWithQuotations();
    assert.equal(listAnew(store, onTopic), 1);
    store.db.exec("UPDATE reading_link SET language = 'fr'");
    assert.throws(() => listAnew(store, onTopic), isDamage("reading_link"));
    store.db.exec("UPDATE reading_tally SET items = items + 1");
    assert.throws(() => listAnew(store, onTopic), isDamage("reading_tally"));
  });

  it("finds all values that are counted counted once, after every change", () => {
    using store = storeWithQuotations();
    store.put("quotation", "/quotations/de", {
      language: "fr",
      fields: { verification: "disputed" },
    });
    store.put("work", "/works/one", { fields: { year: 1580 } });
    store.retire("/quotations/en", true);
    const tallied = (condition: string) =>
      store.db
        .prepare(`SELECT type, name, value, items FROM reading_tally WHERE ${condition}`)
        .all();
    const counted = store.db
      .prepare(
        `SELECT type, name, value, count(*) AS items FROM reading_value
         WHERE name IN ('language', 'year', 'kind', 'verification') AND value < x''
         GROUP BY type, name, value`,
      )
      .all();
    assert.deepEqual(tallied("name NOT LIKE '%:%'"), counted);
    assert.equal(counted.length, 5);
    assert.deepEqual(tallied("name LIKE '%:%'"), countLinks(store));
    assert.equal(countLinks(store).length, 0);
  });

  it("finds all links counted once by language and by author, after every change", () => {
    using store = storeWithQuotations();
    const onTopics = (...topics: string[]) => ({ relations: { topics } });
    const by = (author: string) => ({ relations: { topics: ["/topics/a"], authors: [author] } });
    for (const name of ["x", "y"]) store.put("author", `/authors/${name}`);
    const steps = [
      () => store.put("quotation", "/quotations/fr", { ...onTopics("/topics/a"), language: "fr" }),
      () => store.put("quotation", "/quotations/de", { ...onTopics("/topics/a"), language: "fr" }),
      () => store.put("quotation", "/quotations/en", onTopics("/topics/b", "/topics/a")),
      () => store.put("quotation", "/quotations/en", onTopics("/topics/b", "/topics/b")),
      () =>
        store.put("quotation", "/quotations/fr", { title: "Renamed", ...onTopics("/topics/a") }),
      () => store.put("quotation", "/quotations/fr", by("/authors/x")),
      () => store.put("quotation", "/quotations/en", by("/authors/x")),
      () => store.put("quotation", "/quotations/fr", by("/authors/y")),
      () => store.retire("/topics/a", true),
      () => store.retire("/quotations/de", true),
    ];
    const lengths = steps.map((step) => {
      step();
      const tally = store.db
        .prepare("SELECT type, name, value, items FROM reading_tally WHERE name LIKE '%:%'")
        .all();
      assert.deepEqual(tally, countLinks(store));
      return tally.length;
    });
    assert.deepEqual(lengths, [3, 2, 3, 2, 3, 5, 4, 6, 6, 5]);
  });

  it("never gives a number of items that differs from its hash", () => {
    using store = storeWithTopics();
    store.db.exec("UPDATE reading_count SET items = items + 1");
    incrementCommitCount();
    assert.throws(
      () => store.reading.list({ ...ALL_TOPICS, limit: 10 }),
      isDamage("reading_count"),
    );
  });

  it("never gives a range of a field whose end differs from its hash", () => {
    using store = openReading();
    for (const year of [1580, 1854]) store.put("work", `/works/${year}`, { fields: { year } });
    assert.deepEqual(rangeOfYears(store), { field: "year", min: 1580, max: 1854 });
    store.db.exec("UPDATE reading_value SET value = 1856 WHERE value = 1854");
    incrementCommitCount();
    assert.throws(() => rangeOfYears(store), isDamage("reading_value"));
  });
});

function countLinks({ db }: ReadingStore) {
  const count = (kind: string, value: string) =>
    `SELECT source_type AS type, '${kind}:' || relation || '@' || target AS name, ${value} AS value,
       count(*) AS items
     FROM reading_link l JOIN reading_item i ON i.row = l.source WHERE ${value} IS NOT NULL GROUP BY 1, 2, 3`;
  return db
    .prepare(
      `${count("author", "l.author")} UNION ALL ${count("link", "i.language")} ORDER BY 1, 2, 3`,
    )
    .all();
}

/** Counts a list without the cached plan, which is kept until the content changes. */
function listAnew({ db, reading }: ReadingStore, list: ListQuery): number {
  db.exec("UPDATE reading_state SET version = version + 1");
  incrementCommitCount();
  return reading.list(list).total;
}

function rangeOfYears({ reading }: ReadingStore) {
  return reading.ranges("work").find(({ field }) => field === "year");
}

function storeWithTopics(): ReadingStore {
  const store = openReading();
  for (const name of ["a", "b", "c"]) store.put("topic", `/topics/${name}`);
  return store;
}

function storeWithQuotations(): ReadingStore {
  const store = storeWithTopics();
  for (const language of ["en", "de"]) {
    store.put("quotation", `/quotations/${language}`, {
      relations: { topics: ["/topics/a"] },
      fields: { verification: language === "en" ? "verified" : "attributed" },
      language,
    });
  }
  return store;
}

/** As a bit that is turned over in an entry of the index does. */
function hideFromIndex({ file }: ReadingStore, name: string, isShown: string): void {
  using db = new DatabaseSync(file, { defensive: false });
  const sql = String(db.prepare("SELECT sql FROM sqlite_schema WHERE name = ?").get(name)?.["sql"]);
  db.exec(`DROP INDEX ${name}; ${sql} WHERE ${isShown}; PRAGMA writable_schema = ON`);
  db.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = ?").run(sql, name);
  incrementCommitCount();
}

function isDamage(table: string) {
  return (error: unknown) => error instanceof DamageError && error.place.table === table;
}
