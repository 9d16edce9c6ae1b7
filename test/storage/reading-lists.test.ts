import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type {
  FieldFilter,
  ItemSummary,
  ListPosition,
  ListQuery,
} from "../../src/content/library.ts";
import { openReading, type PutOptions, type ReadingStore } from "../support/reading-store.ts";

const EVERY: ListQuery = {
  types: [],
  filters: [],
  links: [],
  sort: "added",
  descending: false,
  limit: 100,
};

function paths(store: ReadingStore, query: Partial<ListQuery>): string[] {
  return store.reading.list({ ...EVERY, ...query }).items.map(({ path }) => path);
}

function born(store: ReadingStore, ...dates: (string | undefined)[]): void {
  for (const [n, date] of dates.entries()) {
    store.put("author", `/authors/${n}`, { fields: date === undefined ? {} : { born: date } });
  }
}

describe("lists of the reading copy", () => {
  it("orders partial dates across the era, those without one last either way", () => {
    using store = openReading();
    born(store, "1850-05", undefined, "-0004", "1850", "-0004-12-31", "0065-04-12", "1849");
    const order = { types: ["author"], sort: "born" };
    const ascending = [2, 4, 5, 6, 3, 0, 1].map((n) => `/authors/${n}`);
    const descending = [0, 3, 6, 5, 4, 2, 1].map((n) => `/authors/${n}`);
    assert.deepEqual(paths(store, order), ascending);
    assert.deepEqual(paths(store, { ...order, descending: true }), descending);
    assert.deepEqual(paths(store, { ...order, offset: 6 }), ["/authors/1"]);
    assert.deepEqual(paths(store, { ...order, offset: 7 }), []);
  });

  it("takes a partial date for every day it may mean", () => {
    using store = openReading();
    born(store, "1850", "1850-05", "1850-05-17", "1851", "-0050", "1849-12-31");
    const kept = (filter: Omit<FieldFilter, "field">) =>
      paths(store, { filters: [{ field: "born", ...filter }] }).map((path) => path.slice(-1));
    assert.deepEqual(kept({ operator: "eq", value: "1850" }), ["0", "1", "2"]);
    assert.deepEqual(kept({ operator: "eq", value: "1850-05" }), ["1", "2"]);
    assert.deepEqual(kept({ operator: "to", value: "1850" }), ["0", "1", "2", "4", "5"]);
    assert.deepEqual(kept({ operator: "from", value: "1850-05" }), ["1", "2", "3"]);
    assert.deepEqual(kept({ operator: "to", value: "-0001" }), ["4"]);
  });

  it("orders titles without regard to case, accents and quotation marks", () => {
    using store = openReading();
    for (const title of ["zeal", "“Émile”", "Eden", "etude", "Ångström"]) {
      store.put("topic", `/topics/${encodeURIComponent(title)}`, { title });
    }
    const titles = store.reading.list({ ...EVERY, sort: "title" }).items.map(({ title }) => title);
    assert.deepEqual(titles, ["Ångström", "Eden", "“Émile”", "etude", "zeal"]);
  });

  it("puts the most related first, and those alike as they came in", () => {
    using store = openReading();
    for (const name of ["a", "b", "c", "d"]) store.put("topic", `/topics/${name}`);
    for (const [n, topic] of ["c", "c", "b"].entries()) {
      store.put("quotation", `/quotations/${n}`, { relations: { topics: [`/topics/${topic}`] } });
    }
    const order = { sort: "count:quotations", types: ["topic"] };
    const most = ["/topics/c", "/topics/b", "/topics/a", "/topics/d"];
    assert.deepEqual(paths(store, { ...order, descending: true }), most);
    assert.deepEqual(paths(store, order), most.toReversed());
  });

  it("counts the items of an author again after a change", () => {
    using store = openReading();
    store.put("author", "/authors/seneca");
    const links: ListQuery["links"] = [
      { direction: "in", relation: "authors", anchors: ["/authors/seneca"] },
    ];
    for (const count of [1, 2]) {
      store.put("work", `/works/${count}`, { relations: { authors: ["/authors/seneca"] } });
      const { total } = store.reading.list({ ...EVERY, types: ["work"], links, sort: "title" });
      assert.equal(total, count);
    }
  });

  it("keeps items related to any anchor of every filter", () => {
    using store = openReading();
    for (const name of ["seneca", "cicero"]) store.put("author", `/authors/${name}`);
    store.put("topic", "/topics/time");
    store.put("quotation", "/quotations/1", {
      relations: { authors: ["/authors/seneca"], topics: ["/topics/time"] },
    });
    store.put("quotation", "/quotations/2", { relations: { authors: ["/authors/cicero"] } });
    store.put("quotation", "/quotations/3", {
      relations: { authors: ["/authors/cicero", "/authors/seneca"], topics: ["/topics/time"] },
    });
    store.put("work", "/works/1", { relations: { authors: ["/authors/seneca"] } });
    const by = (...anchors: string[]) =>
      ({ direction: "in", relation: "authors", anchors }) as const;
    const about = { direction: "in", relation: "topics", anchors: ["/topics/time"] } as const;
    const types = ["quotation"];
    assert.deepEqual(paths(store, { types, links: [by("/authors/seneca")] }), [
      "/quotations/1",
      "/quotations/3",
    ]);
    assert.equal(
      store.reading.list({ ...EVERY, types, links: [by("/authors/seneca", "/authors/cicero")] })
        .total,
      3,
    );
    assert.deepEqual(paths(store, { types, links: [by("/authors/cicero"), about] }), [
      "/quotations/3",
    ]);
    assert.deepEqual(paths(store, { links: [by("/authors/seneca")] }), [
      "/quotations/1",
      "/quotations/3",
      "/works/1",
    ]);
    assert.deepEqual(paths(store, { links: [by("/authors/nobody")] }), []);
    const stated = { direction: "out", relation: "authors", anchors: ["/quotations/3"] } as const;
    assert.deepEqual(paths(store, { types: ["author"], links: [stated] }), [
      "/authors/seneca",
      "/authors/cicero",
    ]);
  });

  it("reads a symmetric relation from either end", () => {
    using store = openReading();
    store.put("topic", "/topics/a", { relations: { see_also: ["/topics/b"] } });
    store.put("topic", "/topics/b", { relations: { see_also: ["/topics/a", "/topics/c"] } });
    store.put("topic", "/topics/c");
    for (const direction of ["in", "out"] as const) {
      const alike = (path: string) =>
        paths(store, { links: [{ direction, relation: "see_also", anchors: [path] }] });
      assert.deepEqual(alike("/topics/a"), ["/topics/b"]);
      assert.deepEqual(alike("/topics/b"), ["/topics/a", "/topics/c"]);
      assert.deepEqual(alike("/topics/c"), ["/topics/b"]);
    }
  });

  it("keeps a language with its regions, and what changed since", () => {
    using store = openReading();
    store.put("page", "/a", { language: "en", updatedAt: "2026-01-01T00:00:00.000Z" });
    store.put("page", "/b", { language: "en-GB", updatedAt: "2026-01-02T00:00:00.000Z" });
    store.put("page", "/c", { language: "eo", updatedAt: "2026-01-03T00:00:00.000Z" });
    assert.deepEqual(paths(store, { language: "en" }), ["/a", "/b"]);
    assert.deepEqual(paths(store, { updatedSince: "2026-01-02T00:00:00.000Z" }), ["/b", "/c"]);
  });

  it("continues after an item that has since been removed", () => {
    using store = openReading();
    for (const name of ["a", "b", "c", "d"]) store.put("page", `/${name}`);
    const query = { ...EVERY, sort: "title", limit: 2 };
    const first = store.reading.list(query);
    assert(first.next !== null);
    assert.equal(first.total, 4);
    store.retire("/b", true);
    const second = store.reading.list({ ...query, after: first.next });
    assert.deepEqual(
      second.items.map(({ path }) => path),
      ["/c", "/d"],
    );
    assert.equal(second.next, null);
    assert.equal(second.total, 3);
  });

  it("shows each item as it is after every change, its links too", () => {
    using store = openReading();
    store.put("author", "/authors/a", { title: "Seneca" });
    for (const name of ["x", "y"]) {
      const relations = { authors: ["/authors/a"] };
      store.put("work", `/works/${name}`, { title: name, relations });
    }
    const shown = () =>
      store.reading
        .list({ ...EVERY, types: ["work"], sort: "title" })
        .items.map(
          ({ title, links }) => `${title} by ${links["authors"]?.map(({ title }) => title)}`,
        );
    assert.deepEqual(shown(), ["x by Seneca", "y by Seneca"]);
    store.put("author", "/authors/a", { title: "Lucius" });
    assert.deepEqual(shown(), ["x by Lucius", "y by Lucius"]);
    store.put("work", "/works/x", { title: "xx", relations: { authors: ["/authors/a"] } });
    assert.deepEqual(shown(), ["xx by Lucius", "y by Lucius"]);
    store.retire("/works/x", false);
    assert.deepEqual(shown(), ["y by Lucius"]);
    store.put("work", "/works/x", { title: "xx", relations: { authors: ["/authors/a"] } });
    assert.deepEqual(shown(), ["xx by Lucius", "y by Lucius"]);
  });

  it("reports the range of numbers and dates", () => {
    using store = openReading();
    born(store, "1850-05", undefined, "-0004");
    assert.deepEqual(store.reading.ranges("author"), [
      { field: "born", min: "-0004", max: "1850-05" },
      { field: "died", min: null, max: null },
    ]);
  });

  it("walks the order when many match, with the same result", () => {
    using store = openReading();
    store.transaction(() => {
      store.put("topic", "/topics/all");
      for (let n = 0; n < 2600; n++) {
        store.put("quotation", `/quotations/${n}`, {
          fields: { year: n % 7 },
          ...(n % 13 === 0 ? {} : { relations: { topics: ["/topics/all"] } }),
        });
      }
    });
    const links = [{ direction: "in", relation: "topics", anchors: ["/topics/all"] } as const];
    const query = { ...EVERY, types: ["quotation"], links, sort: "year", limit: 50 };
    const page = store.reading.list({ ...query, offset: 1000 });
    assert.equal(page.total, 2400);
    const expected = Array.from({ length: 2600 }, (_, n) => n)
      .filter((n) => n % 13 !== 0)
      .sort((a, b) => (a % 7) - (b % 7) || a - b)
      .slice(1000, 1050);
    assert.deepEqual(
      page.items.map(({ path }) => path),
      expected.map((n) => `/quotations/${n}`),
    );
  });
});

const AUTHORS = ["/authors/a", "/authors/b", "/authors/c"];
const changeArbitrary = fc.record({
  n: fc.integer({ min: 0, max: 9 }),
  what: fc.constantFrom("put", "put", "put", "retire", "author", "no author"),
  authors: fc.subarray(AUTHORS),
  year: fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined }),
});

/** Applies the change to the store and to a plain list of published items. */
function apply(
  store: ReadingStore,
  published: Map<string, PutOptions>,
  {
    n,
    what,
    authors,
    year,
  }: typeof changeArbitrary extends fc.Arbitrary<infer Change> ? Change : never,
): void {
  const path = what.endsWith("author") ? (AUTHORS[n % 3] ?? "") : `/quotations/${n}`;
  if (what === "retire" || what === "no author") {
    if (!published.delete(path)) return;
    store.retire(path, n % 2 === 0);
    return;
  }
  const isAuthor = what === "author";
  const options: PutOptions = isAuthor
    ? {}
    : { relations: { authors }, fields: year === undefined ? {} : { year } };
  store.put(isAuthor ? "author" : "quotation", path, options);
  published.set(path, options);
}

function authorsOf(options: PutOptions): string[] {
  return (options.relations?.["authors"] ?? []).filter((link) => typeof link === "string");
}

describe("after any sequence of changes", () => {
  it("counts are what lists find, and pages together are the list", () => {
    fc.assert(
      fc.property(
        fc.array(changeArbitrary, { minLength: 5, maxLength: 40 }),
        fc.constantFrom("added", "title", "year"),
        fc.boolean(),
        (changes, sort, descending) => {
          using store = openReading();
          const published = new Map<string, PutOptions>();
          store.transaction(() => {
            for (const change of changes) apply(store, published, change);
          });
          for (const author of AUTHORS.filter((path) => published.has(path))) {
            const expected = [...published].filter(([, options]) =>
              authorsOf(options).includes(author),
            );
            const found = store.reading.resolve(author);
            assert(found.kind === "item");
            assert.equal(found.item.counts["quotations"], expected.length);
            const links = [{ direction: "in", relation: "authors", anchors: [author] } as const];
            const listed = paths(store, { types: ["quotation"], links });
            assert.deepEqual(listed.sort(), expected.map(([path]) => path).sort());
          }
          const query = { ...EVERY, types: ["quotation"], sort, descending, limit: 3 };
          const whole = paths(store, { ...query, limit: 100 });
          const quotations = [...published.keys()].filter((path) => path.startsWith("/quotations"));
          assert.deepEqual(whole.toSorted(), quotations.toSorted());
          assert.deepEqual(
            pages(store, query).map(({ path }) => path),
            whole,
          );
          assertOrder(store.reading.list({ ...query, limit: 100 }).items, { sort, descending });
        },
      ),
      { numRuns: 60 },
    );
  });
});

function pages(store: ReadingStore, query: ListQuery): ItemSummary[] {
  const items: ItemSummary[] = [];
  let after: ListPosition | null | undefined;
  while (after !== null) {
    const page = store.reading.list(after === undefined ? query : { ...query, after });
    items.push(...page.items);
    after = page.next;
  }
  return items;
}

function assertOrder(
  items: ItemSummary[],
  { sort, descending }: { sort: string; descending: boolean },
): void {
  if (sort !== "year") return;
  const years = items.map(({ fields }) => fields["year"]);
  const present = years.filter((year) => typeof year === "number");
  assert.deepEqual(years, [
    ...present.toSorted((a, b) => (descending ? b - a : a - b)),
    ...years.filter((year) => year === undefined),
  ]);
}
