import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseMarkdownFile, readMarkdown } from "../../src/content/import/markdown-file.ts";
import type { Item } from "../../src/content/items/item.ts";
import { trimBody } from "../../src/content/items/trimmed-body.ts";
import { BUILT_IN_TYPES } from "../../src/content/types/built-in.ts";
import type { ContentTypes } from "../../src/content/types/content-type.ts";
import { defaultFileName } from "../../src/syncing/item-files.ts";
import { formatItemFileText } from "../../src/syncing/item-text.ts";
import { parseItemText } from "../../src/syncing/read-item-text.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";
import { itemsInSnapshot } from "../support/snapshot-items.ts";

const TYPES: ContentTypes = new Map(BUILT_IN_TYPES.map((type) => [type.name, type]));
const TEXT_OPTIONS = { now: NOW, timeZone: "UTC" };

const QUOTATION: Item = {
  ...{ id: "01980000-0000-7000-8000-000000000000", type: "quotation", path: "/quotations/one" },
  ...{ title: "One", summary: "", body: "", fields: {}, relations: {}, language: "en" },
  ...{ translationOf: null, status: "draft", publishAt: null, publishedAt: null, expireAt: null },
  ...{ reviewAt: null, createdAt: NOW.toISOString(), updatedAt: NOW.toISOString(), revision: 1 },
  sourceKey: null,
};

/** What a text says of an item, by part. */
async function partsOf(text: string, file: string, types: ContentTypes = TYPES) {
  const read = await parseItemText(text, file, { types, ...TEXT_OPTIONS });
  assert(!("problems" in read), `${JSON.stringify(read)}\n${text}`);
  return read.parts;
}

describe("an item as a file", () => {
  it("says every part of the items of a whole site", async () => {
    await using site = await openFixture();
    const types = await site.record.content.types();
    await using snapshot = site.record.snapshot();
    const items = await itemsInSnapshot(snapshot);
    assert(items.length > 20 && items.some(({ item }) => item.translationOf !== null));
    for (const { item, paths, redirectFrom } of items) {
      const file = defaultFileName(item);
      const text = formatItemFileText({ item, paths, redirectFrom }, file, types);
      const parts = await partsOf(text, file, types);
      const links = Object.entries(item.relations).map(([name, to]) => [
        `relations.${name}`,
        to.map((link) =>
          link.note === null ? paths.get(link.to) : { ...link, to: paths.get(link.to) },
        ),
      ]);
      const fields = Object.entries(item.fields).map(([name, value]) => [`fields.${name}`, value]);
      const plain = { type: item.type, path: item.path, title: item.title, summary: item.summary };
      const { status, language, body } = item;
      const expected = { ...plain, status, language, body: trimBody(body) };
      const named = { ...Object.fromEntries(fields), ...Object.fromEntries(links) };
      for (const [part, value] of Object.entries({ ...expected, ...named })) {
        if (Array.isArray(value) && value.length === 0) continue;
        assert.deepEqual(parts[part], value, `${item.path}: ${part}`);
      }
    }
  });

  it("keeps any text, line by line", async () => {
    const characters = fc.constantFrom(..."ab #-:|>'\"%@`{}[]&*!?,~\\0eé😀\u00a0\t\n".split(""));
    const text = fc.string({ unit: characters, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, text, text, async (title, field, body) => {
        const line = title.replace(/\s+/g, " ").trim();
        const item = {
          ...QUOTATION,
          ...{ title: line === "" ? "One" : line, summary: line, body },
          fields: { original_text: field, translator: line },
        };
        const file = "quotations/one.md";
        const written = formatItemFileText(
          { item, paths: new Map(), redirectFrom: [] },
          file,
          TYPES,
        );
        const parts = await partsOf(written, file);
        assert.equal(parts["title"], item.title);
        assert.equal(parts["summary"] ?? "", line);
        assert.equal(parts["body"], trimBody(body));
        assert.equal(parts["fields.original_text"] ?? "", field);
        assert.equal(parts["fields.translator"] ?? "", line);
        const imported = parseMarkdownFile(readMarkdown({ file, text: written }, null), {
          ...{ types: TYPES, ...TEXT_OPTIONS, unknown: "refuse", pathOf: () => undefined },
        });
        assert.equal(imported.input?.body, parts["body"], written);
      }),
      { numRuns: 300 },
    );
  });
});
