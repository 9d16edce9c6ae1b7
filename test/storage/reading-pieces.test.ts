import assert from "node:assert/strict";
import { after, it } from "node:test";
import { defineType } from "../../src/content/content-type.ts";
import { itemPage } from "../../src/content/pages/item-page.ts";
import { preparedParts } from "../../src/content/pages/prepared-item.ts";
import type { PageRequest } from "../../src/content/pages/view.ts";
import { feedLinks, pageHtml } from "../../src/render/page-html.ts";
import { noticeMarkdown, pageMarkdown } from "../../src/render/page-markdown.ts";
import { joinedPieces, type PagePiece } from "../../src/render/page-pieces.ts";
import { preparedHtml, preparedMarkdown, preparedText } from "../../src/render/prepared-page.ts";
import { PieceWriter } from "../../src/storage/reading/piece-writer.ts";
import { Statements } from "../../src/storage/reading/statements.ts";
import { dice } from "../support/dice.ts";
import { ORIGIN, openReading, type PutOptions } from "../support/reading-store.ts";

const place = defineType({
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

it("shows what a page rendered whole would show, whatever happens to items", () => {
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

it("takes up what a renamed site says of itself; another language and types labelled anew make it stale", () => {
  const { reading, writer, types } = store;
  writer.saveSite({ ...reading.site(), name: "Zitate – a & b" }, types);
  store.flush();
  assertCurrent();
  const site = reading.site();
  assert.equal(writer.saveSite({ ...site, language: "de" }, types), true);
  assert.equal(writer.saveSite(site, types), true);
  const labelled = { ...place, label: "Spot" };
  assert.equal(writer.saveSite(reading.site(), new Map([...types, ["place", labelled]])), true);
  assert.equal(writer.saveSite(reading.site(), types), true);
});

/** An item with this path as its id, in some state or other, at some path or other. */
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

/** Pieces made anew are the same, and joined they are the page. */
function assertCurrent(): void {
  const before = pieces();
  store.transaction(() => {
    const writer = new PieceWriter(new Statements(store.db), { origin: ORIGIN });
    for (const { row } of before) writer.changed(Number(row));
    for (const _ of writer.finish(store.types));
  });
  assert.deepEqual(pieces(), before);
  for (const { path } of store.reading.index()) {
    for (const query of [{}, { page: "2" }, { quotations: "2", works: "2" }])
      assertSame(path, query);
  }
}

function pieces() {
  return store.db.prepare("SELECT * FROM reading_card ORDER BY row").all();
}

function assertSame(path: string, query: Record<string, string>): void {
  const { reading } = store;
  const request: PageRequest = { parameter: (name) => query[name] };
  const context = { reading, origin: ORIGIN };
  const found = reading.resolve(path);
  assert(found.kind === "item");
  const view = itemPage(reading, found.item, request);
  const feeds = [{ title: "é & c", atom: "/feed.atom", json: "/feed.json" }];
  const parts = (form: "html" | "markdown") => preparedParts(reading, path, { form, request });
  const html = parts("html");
  const markdown = parts("markdown");
  assert.equal(html === null, view === null);
  if (view === null || html === null || markdown === null) return;
  const joined = preparedHtml(html, context, feedLinks(feeds));
  assertEqualTexts(textOfPieces(joined), pageHtml(view, { ...context, feeds }));
  assertEqualTexts(textOfPieces(preparedMarkdown(markdown, context)), pageMarkdown(view, context));
  assertEqualTexts(`${preparedText(markdown, context)}\n`, noticeMarkdown(view, context));
  assert.equal(html.updatedAt, view.updatedAt);
}

function textOfPieces(pieces: readonly PagePiece[]): string {
  return joinedPieces(pieces).toString();
}

/** Tells where two texts part. */
function assertEqualTexts(actual: string, expected: string): void {
  if (actual === expected) return;
  const at = [...actual].findIndex((_, position) => actual[position] !== expected[position]);
  const part = (text: string) => text.slice(Math.max(0, at - 100), at + 100);
  assert.equal(part(actual), part(expected));
}
