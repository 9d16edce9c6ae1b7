import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ItemInput, itemInputSchema } from "../../src/content/items/item.ts";
import { saveSite } from "../../src/content/site/site-saving.ts";
import { type ContentType, defineBuiltInType } from "../../src/content/types/content-type.ts";
import { keyActor, NOW, OPERATOR, openRecordStore, SITE, topic } from "../support/record-store.ts";
import { refusedFor } from "../support/refusals.ts";

const specimen = defineBuiltInType({
  name: "specimen",
  label: "Specimen",
  plural: "Specimens",
  description: "An item with a field of each kind",
  listPath: "/specimens",
  fields: {
    text: { kind: "text", label: "Text" },
    markdown: { kind: "markdown", label: "Markdown" },
    integer: { kind: "integer", label: "Integer", filter: true },
    number: { kind: "number", label: "Number" },
    boolean: { kind: "boolean", label: "Boolean" },
    date: { kind: "date", label: "Date" },
    partial_date: { kind: "partial_date", label: "Partial date", sort: true },
    url: { kind: "url", label: "URL" },
    enum: { kind: "enum", label: "Enum", values: ["one", "two"] },
    text_list: { kind: "text_list", label: "Text list" },
  },
});

function withFields(fields: ItemInput["fields"]): ItemInput {
  return itemInputSchema.parse({ type: "specimen", title: "Specimen", fields });
}

describe("fields of a declared type", () => {
  it("are kept in the order of the declaration, empty ones left out", async () => {
    await using store = await openRecordStore({ types: [specimen] });
    const { item } = await store.save(
      withFields({
        text_list: [" a ", "b"],
        enum: "two",
        url: "https://example.org/x",
        partial_date: -44,
        date: "2024-02-29",
        boolean: false,
        number: -0.5,
        integer: 0,
        markdown: "# A\r\nb",
        text: null,
      }),
    );
    assert.equal(
      JSON.stringify(item.fields),
      JSON.stringify({
        markdown: "# A\nb",
        integer: 0,
        number: -0.5,
        boolean: false,
        date: "2024-02-29",
        partial_date: "-0044",
        url: "https://example.org/x",
        enum: "two",
        text_list: ["a", "b"],
      }),
    );
  });

  const real =
    "give a real date as YYYY, YYYY-MM or YYYY-MM-DD, with a leading - for years BCE, and ~ before an approximate date";
  const wrong: [string, unknown, string][] = [
    ["text", 12, "give a text (a number needs quotation marks)"],
    ["text", "  ", "is empty; leave it out instead"],
    ["text", "a\u0000b", "contains control characters"],
    ["text", "a\ud800", "contains control characters"],
    ["text", "x".repeat(2001), "is longer than 2000 characters"],
    ["integer", "12", "give a whole number"],
    ["integer", 1.5, "give a whole number"],
    ["number", Number.POSITIVE_INFINITY, "give a number"],
    ["boolean", "yes", "give true or false"],
    ["date", "2023-02-29", "give a day as YYYY-MM-DD"],
    ["date", "2023", "give a day as YYYY-MM-DD"],
    ["partial_date", "2023-02-29", real],
    ["partial_date", "1850-00", real],
    ["partial_date", "275761-01", real],
    ["partial_date", "~-999999-12-31", real],
    ["partial_date", "c. 1850", real],
    ["partial_date", "~", real],
    ["partial_date", "~2023-02-29", real],
    ["url", "javascript:alert(1)", "give an absolute http(s) address"],
    ["url", "/about", "give an absolute http(s) address"],
    ["enum", "three", "use one of one, two"],
    ["text_list", "a", "give a list of texts"],
    ["text_list", Array.from({ length: 201 }, () => "a"), "give at most 200 entries"],
  ];
  for (const [name, value, message] of wrong) {
    it(`are refused: ${name} = ${JSON.stringify(value)?.slice(0, 30)}`, async () => {
      await using store = await openRecordStore({ types: [specimen] });
      await assert.rejects(
        store.save(withFields({ [name]: value })),
        refusedFor([{ where: `fields.${name}`, message }], {
          message: `Cannot save "Specimen": fields.${name}: ${message}`,
        }),
      );
    });
  }

  it("are refused all at once, unknown ones with the names there are", async () => {
    await using store = await openRecordStore();
    await assert.rejects(
      store.save(topic("Time", { fields: { aliases: ["a", 1], colour: "red" } })),
      refusedFor([
        { where: "fields.aliases[1]", message: "give a text (a number needs quotation marks)" },
        { where: "fields.colour", message: "Topics have no such field (they have: aliases)" },
      ]),
    );
  });

  it("are dates that exist", async () => {
    await using store = await openRecordStore({ types: [specimen] });
    const dates = { "-0004-02-29": "-0004-02-29", "1900-12-31": "1900-12-31", "850": "0850" };
    for (const [stated, kept] of Object.entries(dates)) {
      const { item } = await store.save(withFields({ partial_date: stated }));
      assert.equal(item.fields["partial_date"], kept);
    }
  });
});

describe("texts of an item", () => {
  it("are one line where they must be, and clean", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("On\ntime", { summary: "a\t b", body: "a\r\nb\rc" }));
    assert.deepEqual([item.title, item.summary, item.body], ["On time", "a b", "a\nb\nc"]);
    await assert.rejects(store.save(topic("Hit \u0002marks\u0003", { body: "\u0000" })), {
      message:
        'Cannot save "Hit \u0002marks\u0003": title: contains control characters; body: contains control characters',
    });
  });
});

describe("the site", () => {
  const event: ContentType = { ...specimen, name: "event", listPath: "/events", plural: "Events" };

  it("is saved with its types, once", async () => {
    await using store = await openRecordStore();
    assert.equal(await saveSite(store.content, OPERATOR, SITE, [], NOW), false);
    const renamed = { ...SITE, name: "Another" };
    assert.equal(await saveSite(store.content, OPERATOR, renamed, [event], NOW), true);
    assert.equal(store.reading.site().name, "Another");
    assert.deepEqual([...store.reading.types().keys()].at(-1), "event");
    assert.deepEqual(await store.content.site(), renamed);
    await assert.rejects(
      saveSite(store.content, keyActor("content:write"), SITE, [], NOW),
      /lacks the scope settings:write/,
    );
  });

  it("keeps showing everything when a declaration changes", async () => {
    await using store = await openRecordStore({ types: [specimen] });
    await store.save({ ...withFields({ integer: 5 }), status: "published" });
    const { item } = await store.save(topic("Time", { slug: "time" }));
    await store.save(topic("Time", { slug: "tide" }), { id: item.id });
    const integer = { kind: "integer", label: "Integer", filter: true, sort: true } as const;
    const changed = { ...specimen, fields: { ...specimen.fields, integer } };
    assert.equal(await saveSite(store.content, OPERATOR, SITE, [changed], NOW), true);
    assert.deepEqual(store.reading.counts()["specimen"], 1);
    const page = store.reading.list({
      types: ["specimen"],
      filters: [],
      links: [],
      sort: "integer",
      descending: false,
      limit: 5,
    });
    assert.equal(page.items[0]?.fields["integer"], 5);
    assert.deepEqual(store.reading.resolve("/topics/time"), { kind: "moved", to: "/topics/tide" });
  });

  it("cannot drop a type that has items", async () => {
    await using store = await openRecordStore({ types: [specimen] });
    await store.save(withFields({}));
    await assert.rejects(saveSite(store.content, OPERATOR, SITE, [], NOW), {
      code: "conflict",
      message:
        "Cannot drop the content type specimen: there are Specimens in the record, deleted ones included",
    });
  });

  const wrong: [string, ContentType[], RegExp][] = [
    ["a built-in name", [{ ...event, name: "topic" }], /types\.topic: is declared twice/],
    ["a list path twice", [specimen, { ...event, listPath: "/specimens" }], /used by two types/],
    ["a reserved list path", [{ ...event, listPath: "/search" }], /\/search is reserved/],
    [
      "an unknown target",
      [{ ...event, relations: { at: { label: "At", target: "place", many: false } } }],
      /types\.event\.relations\.at: there is no content type "place"/,
    ],
    [
      "a group called like another",
      [
        {
          ...event,
          relations: {
            topics: {
              label: "Topics",
              target: "topic",
              many: true,
              inverse: { name: "aliases", label: "Events" },
            },
          },
        },
      ],
      /types\.topic: two of its fields and relations.* "aliases"/,
    ],
  ];
  for (const [what, types, told] of wrong) {
    it(`cannot declare ${what}`, async () => {
      await using store = await openRecordStore();
      await assert.rejects(saveSite(store.content, OPERATOR, SITE, types, NOW), {
        code: "invalid",
        message: told,
      });
    });
  }
});
