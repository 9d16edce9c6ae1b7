import assert from "node:assert/strict";
import { after, it } from "node:test";
import { defineBuiltInType } from "../../src/content/types/content-type.ts";
import { RelatedWriter } from "../../src/storage/reading/writing/related-writer.ts";
import { StatementCache } from "../../src/storage/sqlite/statements.ts";
import { dice } from "../support/dice.ts";
import { openReading, type PutOptions } from "../support/reading-store.ts";

const place = defineBuiltInType({
  name: "place",
  label: "Place",
  plural: "Places",
  description: "Where something was said.",
  listPath: "/places",
  fields: { size: { kind: "integer", label: "Size", sort: true, filter: true } },
  relations: {
    within: {
      label: "Within",
      target: "place",
      many: false,
      inverse: { name: "places", label: "Places in it" },
    },
    near: { label: "Near", target: "place", many: true, symmetric: true },
    seen_by: {
      label: "Seen by",
      target: "author",
      many: true,
      inverse: { name: "places", label: "Places seen" },
    },
  },
  defaultSort: "size",
});
const store = openReading([place]);
after(() => store[Symbol.dispose]());

const random = dice(20_261_121);
const pick = <T>(values: readonly T[]): T => {
  const value = values[random(values.length)];
  assert(value !== undefined);
  return value;
};

const TITLES = [
  "Time",
  "Zeit & Weile",
  "l’été",
  "O'Brien",
  "العدل",
  "[Of] *Friendship*",
  "<b>",
  "1. One",
];
const TEXTS = [
  "",
  "Time flies.",
  "One line,\n\nand _another_ — “quoted” <i>here</i>.",
  "> A quotation\n\n- with a list\n- of two\n\n## And a heading\n\n```\ncode\n\nmore\n```",
  "Look: ![](/media/none.png) ![A](https://example.org/a.jpg) [away](https://example.org/?a=1&b=2)",
];
const LANGUAGES = ["en", "en", "en-GB", "ar", "he", "de"];
const NOTES = [null, null, "word “time”", "a & b <c> *d* [e](f) _g_"];
const TYPES = ["quotation", "topic", "author", "work", "place"] as const;
const paths = TYPES.flatMap((type) =>
  Array.from({ length: type === "quotation" ? 60 : 6 }, (_, at) => `/${type}s/${type}-${at}`),
);
const typeOf = (path: string) => TYPES.find((type) => path.startsWith(`/${type}s/`)) ?? "topic";
const ofType = (type: string) => paths.filter((path) => typeOf(path) === type);

it("stores the same rows as a rebuild after random changes", () => {
  for (const path of paths) change(path);
  assertCurrent();
  for (let round = 0; round < 10; round += 1) {
    store.transaction(() => {
      for (let step = 0; step < 12; step += 1) {
        const path = pick(paths);
        if (random(4) === 0) store.retire(path, random(2) === 0);
        else change(path);
      }
    });
    assertCurrent();
  }
});

it("becomes stale when types change, not when the site is renamed or changes its language", () => {
  const { reading, writer, types } = store;
  const site = reading.site();
  assert.equal(writer.saveSite({ ...site, name: "Zitate – a & b" }, types), false);
  assert.equal(writer.saveSite({ ...site, language: "de" }, types), false);
  const labelled = { ...place, label: "Spot" };
  assert.equal(writer.saveSite(site, new Map([...types, ["place", labelled]])), true);
  assert.equal(writer.saveSite(site, types), true);
});

/** An item with this id, in a random status and at a random path. */
function change(id: string): void {
  const type = typeOf(id);
  const moved = random(5) === 0 ? `${id}-${random(3)}` : id;
  const related = (target: string, most: number) =>
    Array.from({ length: random(most + 1) }, () => ({
      to: pick(ofType(target)),
      note: pick(NOTES),
    }));
  const relations: Record<string, PutOptions["relations"]> = {
    quotation: {
      authors: related("author", 2),
      work: related("work", 1),
      topics: related("topic", 3),
    },
    topic: { broader: related("topic", 1), see_also: related("topic", 2) },
    author: {},
    work: {
      authors: related("author", 2),
      part_of: related("work", 1),
      topics: related("topic", 2),
    },
    place: {
      within: related("place", 1),
      near: related("place", 2),
      seen_by: related("author", 2),
    },
  };
  const year = 1900 + random(90);
  store.put(type, id, {
    at: moved,
    title: pick(TITLES),
    body: pick(TEXTS),
    summary: random(3) === 0 ? "A summary & more" : "",
    language: pick(LANGUAGES),
    fields: {
      ...(type === "quotation" && random(2) === 0 ? { locator: "p. 3 & <4>", year } : {}),
      ...(type === "quotation" && random(4) === 0 ? { original_text: "*Tempus* fugit" } : {}),
      ...(type === "author" ? { born: String(year), aliases: ["A. & B."] } : {}),
      ...(type === "place" && random(2) === 0 ? { size: random(9) } : {}),
    },
    relations: relations[type] ?? {},
    ...(random(6) === 0 ? { translationOf: pick(ofType(type)) } : {}),
    updatedAt: new Date(Date.UTC(2026, random(12), 1 + random(28))).toISOString(),
  });
}

/** Checks that rows rebuilt from the links are the same. */
function assertCurrent(): void {
  const before = storedRows();
  store.transaction(() => {
    const writer = new RelatedWriter(new StatementCache(store.db));
    for (const { row } of before) writer.changed(Number(row));
    for (const _ of writer.finish(store.types));
  });
  assert.deepEqual(storedRows(), before);
}

function storedRows() {
  return store.db
    .prepare("SELECT row, related, surroundings FROM reading_related ORDER BY row")
    .all();
}
