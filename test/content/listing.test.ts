import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findItemByAddress, findItemOfType } from "../../src/content/addresses/find-item.ts";
import { pathOfAddress } from "../../src/content/addresses/site-path.ts";
import { describeCatalog } from "../../src/content/lists/catalog.ts";
import {
  buildListQuery,
  encodeNextCursor,
  type ListRequest,
} from "../../src/content/lists/listing.ts";
import { listRelatedGroups, type RelatedRequest } from "../../src/content/lists/related.ts";
import type { ContentType } from "../../src/content/types/content-type.ts";
import { AppError, type ErrorCode } from "../../src/errors.ts";
import { ORIGIN, openReading, type ReadingStore } from "../support/reading-store.ts";

function withQuotations(): ReadingStore {
  const store = openReading();
  store.put("author", "/authors/seneca", { title: "Seneca", fields: { born: "-0004" } });
  store.put("author", "/authors/cicero", { title: "Cicero", fields: { born: "-0106" } });
  store.put("topic", "/topics/time", { title: "Time" });
  store.put("topic", "/topics/old-age", {
    title: "Old age",
    relations: { broader: ["/topics/time"] },
  });
  store.put("work", "/works/letters", {
    title: "Letters",
    fields: { kind: "letter", year: 65 },
    relations: { authors: ["/authors/seneca"], topics: ["/topics/time"] },
  });
  for (let n = 1; n <= 5; n++) {
    store.put("quotation", `/quotations/${n}`, {
      fields: { year: 60 + n, verification: n % 2 === 0 ? "verified" : "attributed" },
      relations: {
        authors: [n === 5 ? "/authors/cicero" : "/authors/seneca"],
        topics: ["/topics/time"],
        ...(n === 1 ? { work: ["/works/letters"] } : {}),
      },
    });
  }
  return store;
}

function listed(store: ReadingStore, request: ListRequest): string[] {
  const page = store.reading.list(buildListQuery(store.reading, request, ORIGIN));
  return page.items.map(({ path }) => path);
}

function refusal(action: () => unknown, code: ErrorCode = "invalid"): AppError {
  let refused: AppError | undefined;
  assert.throws(action, (error) => {
    assert(error instanceof AppError, `${error}`);
    refused = error;
    return true;
  });
  assert(refused !== undefined);
  assert.equal(refused.code, code);
  return refused;
}

describe("a list asked for in callers' words", () => {
  it("is narrowed by values, ranges, addresses and names", () => {
    using store = withQuotations();
    const types = ["quotation"];
    assert.deepEqual(listed(store, { types, filters: { verification: "verified" } }), [
      "/quotations/2",
      "/quotations/4",
    ]);
    assert.deepEqual(listed(store, { types, filters: { year: { from: 62, to: "63" } } }), [
      "/quotations/2",
      "/quotations/3",
    ]);
    assert.deepEqual(listed(store, { types, filters: { year: "61" } }), ["/quotations/1"]);
    for (const cicero of ["/authors/cicero", `${ORIGIN}/authors/cicero.md`, "cicero"]) {
      assert.deepEqual(listed(store, { types, filters: { authors: cicero } }), ["/quotations/5"]);
    }
    assert.equal(listed(store, { types, filters: { authors: ["cicero", "seneca"] } }).length, 5);
    assert.deepEqual(listed(store, { types: ["author"], filters: { works: "letters" } }), [
      "/authors/seneca",
    ]);
    assert.deepEqual(listed(store, { types: ["topic"], filters: { broader: "time" } }), [
      "/topics/old-age",
    ]);
    assert.deepEqual(listed(store, { types: ["author"], filters: { born: "-0106" } }), [
      "/authors/cicero",
    ]);
  });

  it("is ordered as the type declares unless asked otherwise", () => {
    using store = withQuotations();
    assert.deepEqual(listed(store, { types: ["topic"] }), ["/topics/old-age", "/topics/time"]);
    assert.deepEqual(listed(store, { types: ["author"], sort: "born" }), [
      "/authors/cicero",
      "/authors/seneca",
    ]);
    assert.deepEqual(listed(store, { types: ["author"], sort: "count:quotations" }), [
      "/authors/seneca",
      "/authors/cicero",
    ]);
    assert.equal(
      listed(store, { types: ["quotation"], sort: "year", direction: "descending" })[0],
      "/quotations/5",
    );
  });

  it("goes on by cursor, whatever the page size, and only as the same list", () => {
    using store = withQuotations();
    const request: ListRequest = { types: ["quotation"], filters: { authors: "seneca" }, limit: 3 };
    const query = buildListQuery(store.reading, request, ORIGIN);
    const cursor = encodeNextCursor(query, store.reading.list(query)) ?? assert.fail();
    assert.match(cursor, /^[\w-]+$/);
    assert.deepEqual(listed(store, { ...request, limit: 10, cursor }), ["/quotations/3"]);
    const other = { types: ["quotation"], filters: { authors: "cicero" }, cursor };
    assert.match(refusal(() => listed(store, other)).message, /belongs to another query/);
    for (const garbage of ["garbage", "AAAA", "x".repeat(5000), cursor.slice(0, -6), "{}", "é"]) {
      assert.match(refusal(() => listed(store, { ...request, cursor: garbage })).message, /cursor/);
    }
    const last = buildListQuery(store.reading, { ...request, cursor }, ORIGIN);
    assert.equal(encodeNextCursor(last, store.reading.list(last)), null);
  });

  it("refuses what it does not know and names what it does", () => {
    using store = withQuotations();
    const types = ["quotation"];
    const message = (request: ListRequest) => refusal(() => listed(store, request)).message;
    assert.match(
      message({ types: ["poem"] }),
      /"poem"; use one of page, topic, author, work, quot/,
    );
    assert.match(
      message({ types, filters: { colour: "red" } }),
      /"colour": there is no such filter here; use one of year, verification, featured, authors, work, topics/,
    );
    assert.match(
      message({ types, filters: { verification: "true" } }),
      /use one of verified, attr/,
    );
    assert.match(message({ types, filters: { year: "MM" } }), /"MM" does not fit; give a whole/);
    assert.match(message({ types, filters: { year: { since: 3 } } }), /"since" is not a bound/);
    assert.match(message({ types, filters: { year: [1, 2] } }), /one value/);
    assert.match(message({ types, filters: { verification: { from: "a" } } }), /not a range/);
    assert.match(message({ types: ["author"], filters: { born: "4 BC" } }), /YYYY-MM-DD/);
    assert.match(message({ types, filters: { authors: 3 } }), /name of an item of the type author/);
    assert.match(
      message({ types, filters: { authors: "/topics/time" } }),
      /not of the type Author/,
    );
    assert.match(
      message({ types, sort: "born" }),
      /use one of best, title, updated, added, locator, year/,
    );
    assert.match(message({ types: ["author"], sort: "count:topics" }), /count:works, count:quot/);
    assert.match(message({ types, limit: 101 }), /1 to 100/);
    assert.match(message({ types, updatedSince: "yesterday" }), /2026-01-31/);
    assert.match(message({ types, language: "english please" }), /language tag/);
    assert.match(message({ filters: { quotations: "/quotations/1" } }), /name a single type/);
    const error = refusal(
      () => listed(store, { types, filters: { authors: "senecca" } }),
      "not_found",
    );
    assert.deepEqual(error.problems, [
      { where: `${ORIGIN}/authors/seneca`, message: { en: "Seneca", de: "Seneca" } },
    ]);
  });
});

describe("the catalog", () => {
  it("tells what is published of a type and how it can be asked for", () => {
    using store = withQuotations();
    const [entry] = describeCatalog(store.reading, "quotation");
    assert(entry !== undefined);
    assert.equal(entry.items, 5);
    assert.equal(entry.examplePath, "/quotations/1");
    assert.deepEqual(entry.sorts, ["best", "title", "updated", "added", "locator", "year"]);
    assert.deepEqual(
      entry.filters.find(({ name }) => name === "year"),
      { name: "year", label: "Year", kind: "integer", min: 61, max: 65 },
    );
    assert.deepEqual(
      entry.filters
        .filter(({ kind }) => kind === "relation")
        .map(({ name, target }) => [name, target]),
      [
        ["authors", "author"],
        ["work", "work"],
        ["topics", "topic"],
      ],
    );
    assert.equal(describeCatalog(store.reading).length, 5);
    refusal(() => describeCatalog(store.reading, "poem"));
  });

  it("offers only filters and orders that lists accept", () => {
    using store = withQuotations();
    for (const { type, sorts, filters } of describeCatalog(store.reading)) {
      for (const sort of sorts) listed(store, { types: [type], sort });
      for (const { name, target } of filters.filter(({ kind }) => kind === "relation")) {
        const [anchor] = store.reading.index({ type: target ?? "", limit: 1 });
        if (anchor !== undefined)
          listed(store, { types: [type], filters: { [name]: anchor.path } });
      }
    }
  });
});

describe("related items", () => {
  const groups = (store: ReadingStore, path: string, request: RelatedRequest = {}) =>
    listRelatedGroups(store.reading, findItemByAddress(store.reading, path, ORIGIN).item, request);

  it("come in groups by relation, both ways, each with its total", () => {
    using store = withQuotations();
    assert.deepEqual(
      groups(store, "/topics/time").map(({ view, total }) => [view.name, view.otherType, total]),
      [
        ["narrower", "topic", 1],
        ["works", "work", 1],
        ["quotations", "quotation", 5],
      ],
    );
    assert.deepEqual(
      groups(store, "/works/letters", { types: ["quotation"] }).map(({ items }) => items[0]?.path),
      ["/quotations/1"],
    );
  });

  it("keep the order in which the item states them", () => {
    using store = withQuotations();
    store.put("work", "/works/both", {
      relations: { authors: ["/authors/seneca", "/authors/cicero"] },
    });
    store.put("work", "/works/turned", {
      relations: { authors: ["/authors/cicero", "/authors/seneca"] },
    });
    const authors = (path: string) =>
      groups(store, path, { view: "authors" })[0]?.items.map(({ title }) => title);
    assert.deepEqual(authors("/works/both"), ["Seneca", "Cicero"]);
    assert.deepEqual(authors("/works/turned"), ["Cicero", "Seneca"]);
  });

  it("go on group by group, for the same item only", () => {
    using store = withQuotations();
    const [first] = groups(store, "/topics/time", { view: "quotations", limit: 4 });
    assert(first !== undefined && first.nextCursor !== null);
    const [rest] = groups(store, "/topics/time", { cursor: first.nextCursor });
    assert.deepEqual(
      rest?.items.map(({ path }) => path),
      ["/quotations/3"],
    );
    const { nextCursor: cursor } = first;
    refusal(() => groups(store, "/authors/seneca", { cursor }));
    assert.match(
      refusal(() => groups(store, "/topics/time", { view: "parts" })).message,
      /see_also/,
    );
    assert.deepEqual(groups(store, "/topics/time", { view: "see_also" })[0]?.items, []);
  });
});

describe("an address or a name", () => {
  it("is read in every form people and agents write it", () => {
    const forms = [
      ...["/topics/old-age", "topics/old-age", "/topics/old-age/", "/topics/old-age.md"],
      ...[`${ORIGIN}/topics/old-age?utm=1#top`, "http://quotations.example/topics/old-age.md#x"],
      ...[
        "//quotations.example/topics/old-age",
        "QUOTATIONS.example/topics/old-age",
        " /topics/old%2Dage ",
      ],
    ];
    for (const form of forms) assert.equal(pathOfAddress(form, ORIGIN), "/topics/old-age", form);
    for (const home of [ORIGIN, `${ORIGIN}/`, "/", "/index.md"]) {
      assert.equal(pathOfAddress(home, ORIGIN), "/", home);
    }
    assert.equal(pathOfAddress("/topics/e%CC%81tude", ORIGIN), "/topics/étude");
    assert.equal(pathOfAddress(`${ORIGIN}/topics/%C3%A9tude`, ORIGIN), "/topics/étude");
  });

  it("is refused when it is another site's or none at all", () => {
    const foreign = ["https://other.example/topics/time", "//other.example/", "mailto:a@b.example"];
    for (const address of [
      ...foreign,
      "https://quotations.example.evil.example/",
      "javascript:1",
    ]) {
      assert.match(
        refusal(() => pathOfAddress(address, ORIGIN)).message,
        /begin with https:\/\/quot/,
      );
    }
    for (const address of ["", " ", "/%", "/a%00b", "/\u0001", "x".repeat(3000), "http://"]) {
      refusal(() => pathOfAddress(address, ORIGIN));
    }
  });

  it("leads to the item, also after a move, and else to what was perhaps meant", () => {
    using store = withQuotations();
    store.writer.redirect("/people/seneca", "id:/authors/seneca");
    store.flush();
    const { item, movedFrom } = findItemByAddress(store.reading, "/people/seneca.md", ORIGIN);
    assert.deepEqual([item.path, movedFrom], ["/authors/seneca", "/people/seneca"]);
    assert.equal(findItemByAddress(store.reading, "/authors/seneca", ORIGIN).movedFrom, null);
    const absent = refusal(
      () => findItemByAddress(store.reading, "/authors/senecca", ORIGIN),
      "not_found",
    );
    assert.deepEqual(absent.problems[0], {
      where: `${ORIGIN}/authors/seneca`,
      message: { en: "Seneca", de: "Seneca" },
    });
    store.retire("/authors/seneca", true);
    const gone = refusal(() => findItemByAddress(store.reading, "/people/seneca", ORIGIN), "gone");
    assert.match(gone.message, /withdrawn/);
  });

  it("stands for exactly one item or brings candidates", () => {
    using store = withQuotations();
    const author: ContentType = store.types.get("author") ?? assert.fail();
    const named = (text: string) => findItemOfType(store.reading, author, { text, origin: ORIGIN });
    assert.equal(named("SENECA").path, "/authors/seneca");
    assert.equal(named("cic").path, "/authors/cicero");
    assert.equal(named("/authors/seneca").path, "/authors/seneca");
    store.put("author", "/authors/seneca-the-elder", { title: "Seneca the Elder" });
    assert.equal(named("seneca").path, "/authors/seneca");
    const several = refusal(() => named("sene"));
    assert.deepEqual(
      several.problems.map(({ message }) => message.en),
      ["Seneca", "Seneca the Elder"],
    );
    assert.match(refusal(() => named("Cicerro"), "not_found").message, /Perhaps: Cicero \(https/);
    assert.match(refusal(() => named("/topics/time")).message, /not of the type Author but Topic/);
    assert.deepEqual(refusal(() => named(" "), "not_found").problems, []);
  });
});
