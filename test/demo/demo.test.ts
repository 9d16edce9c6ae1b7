import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { parseJsonLine } from "../../src/content/import/json-line.ts";
import { parseMarkdownFile } from "../../src/content/import/markdown-file.ts";
import { parseSiteProfile } from "../../src/content/import/site-file.ts";
import { BODY_BYTES_MAX, type ItemInput } from "../../src/content/items/item.ts";
import { BUILT_IN_TYPES } from "../../src/content/types/built-in.ts";
import { renderBody } from "../../src/render/body/body.ts";

const DEMO = join(import.meta.dirname, "../../demo");
const types = new Map(BUILT_IN_TYPES.map((type) => [type.name, type]));
const now = new Date("2026-11-20T12:00:00Z");
const reading = { types, unknown: "refuse", now, pathOf: () => undefined } as const;

describe("the demo association", () => {
  const items: { place: string; input: ItemInput }[] = [];
  const problems: string[] = [];

  before(() => {
    for (const file of globSync("content/*.jsonl", { cwd: DEMO }).sort()) {
      const lines = readFileSync(join(DEMO, file), "utf8").trimEnd().split("\n");
      for (const [index, text] of lines.entries()) {
        keep(parseJsonLine(text, { file, line: index + 1, ...reading }), `${file}:${index + 1}`);
      }
    }
    for (const file of globSync("content/**/*.md", { cwd: DEMO })) {
      const text = readFileSync(join(DEMO, file), "utf8");
      keep(parseMarkdownFile({ file, text }, reading), file);
    }
  });

  function keep(parsed: ReturnType<typeof parseJsonLine>, place: string): void {
    problems.push(...parsed.problems.map(({ field, message }) => `${place}: ${field}: ${message}`));
    if (parsed.input !== null) items.push({ place, input: parsed.input });
  }

  function ofType(type: string): ItemInput[] {
    return items.map(({ input }) => input).filter((input) => input.type === type);
  }

  function targetsOf(input: ItemInput): { relation: string; to: string; note: string | null }[] {
    return Object.entries(input.relations).flatMap(([relation, links]) =>
      links.map((link) =>
        typeof link === "string"
          ? { relation, to: link, note: null }
          : { relation, to: link.to, note: link.note ?? null },
      ),
    );
  }

  it("is valid item by item", () => {
    assert.deepEqual(problems, []);
    const counts = Object.fromEntries([...types.keys()].map((name) => [name, ofType(name).length]));
    assert.deepEqual(counts, { page: 4, topic: 156, author: 235, work: 20, quotation: 3883 });
  });

  it("gives every item a path and a source of its own, and publishes it", () => {
    const paths = items.map(({ input }) => input.path);
    const sources = items.flatMap(({ input }) => input.sourceKey ?? []);
    assert.equal(new Set(paths).size, items.length);
    assert.equal(new Set(sources).size, items.length - 4);
    assert.deepEqual(new Set(items.map(({ input }) => input.status)), new Set(["published"]));
  });

  it("links only to items it has, of the type the relation is declared for", () => {
    const typeAt = new Map(items.map(({ input }) => [input.path, input.type]));
    const wrong = items.flatMap(({ place, input }) =>
      targetsOf(input)
        .filter(({ relation, to }) => {
          return typeAt.get(to) !== types.get(input.type)?.relations[relation]?.target;
        })
        .map(({ to }) => `${place}: ${to}`),
    );
    assert.deepEqual(wrong, []);
  });

  it("says on what basis every topic link stands", () => {
    const notes = new Map<string, number>();
    for (const { input } of items) {
      for (const { relation, note } of targetsOf(input)) {
        if (!["topics", "broader", "see_also"].includes(relation)) continue;
        notes.set(String(note), (notes.get(String(note)) ?? 0) + 1);
      }
    }
    const about = ofType("page").find(({ path }) => path === "/about")?.body ?? "";
    for (const note of notes.keys()) assert.ok(about.includes(`| ${note} |`), `/about: ${note}`);
    assert.equal(notes.get("keyword (assigned by machine)"), 5615);
    assert.equal(notes.get("editor tag"), 568);
    assert.equal(notes.get("essay title"), 204);
  });

  it("calls verified what comes from a book, and says where it stands", () => {
    for (const { sourceKey = "", fields, relations } of ofType("quotation")) {
      if (sourceKey.startsWith("standardebooks:")) {
        assert.equal(fields["verification"], "verified", sourceKey);
      }
      if (fields["verification"] !== "verified") continue;
      assert.equal(typeof fields["locator"], "string", sourceKey);
      assert.equal(relations["work"]?.length, 1, sourceKey);
    }
  });

  it("keeps verse lines, emphasis and no HTML", () => {
    const abdication = ofType("quotation").find(({ path }) => path === "/quotations/abdication");
    assert.match(abdication?.body ?? "", /^> Poor Isabella’s Dead, whose abdication\\\n> Set all/m);
    const html = renderBody(abdication?.body ?? "", { origin: "https://x.example" }).html;
    assert.match(html, /<blockquote>\s*<p>Poor Isabella’s Dead, whose abdication<br/);
    const bodies = items.map(({ input }) => input.body).filter((body) => /<[a-z/]/i.test(body));
    assert.deepEqual(
      bodies.filter((body) => /<(?!https?:\/\/[^>\s]+>)[a-z/]/i.test(body)),
      [],
    );
  });

  it("leaves out biographies and invisible characters", () => {
    assert.deepEqual(
      ofType("author").filter(({ body }) => body !== ""),
      [],
    );
    const strange = items.filter(({ input }) =>
      /[\u00a0\u200a-\u200f\u2060\ufeff]/.test(input.body),
    );
    assert.deepEqual(strange, []);
  });

  it("describes itself, has contact addresses nobody owns, and stays small", () => {
    const site = parseSiteProfile(readFileSync(join(DEMO, "site.yaml"), "utf8"));
    assert.deepEqual(site.problems, []);
    assert.match(site.value?.contact.email ?? "", /@example\.org$/);
    const files = globSync("**/*", { cwd: DEMO }).map((file) => statSync(join(DEMO, file)));
    const bytes = files.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
    assert.ok(bytes < 6_000_000, `${bytes} bytes`);
    assert.ok(items.every(({ input }) => Buffer.byteLength(input.body) < BODY_BYTES_MAX / 10));
  });
});
