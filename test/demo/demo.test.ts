import assert from "node:assert/strict";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { LIFE_YEARS } from "../../demo/build/life-years.ts";
import { authorTexts, doubtedQuotations, topicTexts } from "../../demo/build/written-texts.ts";
import { parseJsonLine } from "../../src/content/import/json-line.ts";
import { parseMarkdownFile, readMarkdown } from "../../src/content/import/markdown-file.ts";
import { parseSiteProfile, parseTypeFile } from "../../src/content/import/site-file.ts";
import { BODY_BYTES_MAX, type ItemInput } from "../../src/content/items/item.ts";
import { VERIFICATION_PATH } from "../../src/content/pages/quotations/seals.ts";
import { BUILT_IN_TYPES } from "../../src/content/types/built-in.ts";
import { renderBody } from "../../src/render/body/body.ts";

const DEMO = join(import.meta.dirname, "../../demo");
const declared = globSync("types/*.yaml", { cwd: DEMO }).map((file) => {
  const { value } = parseTypeFile(readFileSync(join(DEMO, file), "utf8"));
  if (value === null) throw new Error(`${file} declares no type`);
  return value;
});
const types = new Map([...BUILT_IN_TYPES, ...declared].map((type) => [type.name, type]));
const now = new Date("2026-11-20T12:00:00Z");
const reading = {
  types,
  unknown: "refuse",
  now,
  timeZone: "UTC",
  pathOf: () => undefined,
} as const;

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
      keep(parseMarkdownFile(readMarkdown({ file, text }, null), reading), file);
    }
  });

  function keep(parsed: ReturnType<typeof parseJsonLine>, place: string): void {
    problems.push(
      ...parsed.problems.map(({ field, message }) => `${place}: ${field}: ${message.en}`),
    );
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
    assert.deepEqual(counts, {
      page: 12,
      topic: 174,
      author: 245,
      work: 24,
      quotation: 3960,
      event: 6,
      news: 6,
    });
  });

  it("has as many items of each kind as its home page says", () => {
    const english = items.filter(({ input }) => input.language !== "de");
    const counts = Map.groupBy(english, ({ input }) => input.type);
    const home = ofType("page").find(({ path }) => path === "/")?.body ?? "";
    for (const [type, name] of [
      ["quotation", "quotations"],
      ["author", "[authors and translators]"],
      ["topic", "[topics]"],
    ] as const) {
      const count = counts.get(type)?.length.toLocaleString("en");
      assert(home.includes(`${count} ${name}`), `${count} ${name}`);
    }
  });

  it("says about when its ancient authors lived", () => {
    for (const name of ["aesop", "heraclitus", "sun-tzu"]) {
      const { fields } = ofType("author").find(({ path }) => path === `/authors/${name}`) ?? {};
      assert.deepEqual([fields?.["born"], fields?.["died"]], LIFE_YEARS[name]);
      assert.match(String(fields?.["born"]), /^~-\d{3}$/);
    }
  });

  it("lists every author once, under the family name", () => {
    const originals = ofType("author").filter(({ translationOf }) => translationOf == null);
    const people = originals.map(({ fields }) => {
      const { sort_name: name, born, died } = fields;
      return { name: String(name), key: `${String(name).split(",")[0]} ${born} ${died}`, born };
    });
    const dated = people.filter(({ born }) => born !== undefined).map(({ key }) => key);
    assert.equal(new Set(dated).size, dated.length);
    const names = people.map(({ name }) => name);
    assert(names.includes("Shaw, George Bernard") && !names.includes("Shaw, Bernard"));
  });

  it("gives every item a path and a source of its own, and publishes it", () => {
    const paths = items.map(({ input }) => input.path);
    const sources = items.flatMap(({ input }) => input.sourceKey ?? []);
    assert.equal(new Set(paths).size, items.length);
    const byHand = items.filter(({ place }) => place.endsWith(".md"));
    assert.equal(new Set(sources).size, items.length - byHand.length);
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

  it("says on what basis a topic is linked, unless its editors chose it by hand", () => {
    const notes = new Map<string | null, number>();
    const linked = ["topic", "work", "quotation"].flatMap(ofType).flatMap(targetsOf);
    for (const { relation, note } of linked) {
      if (!["topics", "broader", "see_also"].includes(relation)) continue;
      notes.set(note, (notes.get(note) ?? 0) + 1);
    }
    const about = ofType("page").find(({ path }) => path === "/about")?.body ?? "";
    assert.ok(about.includes("unless the editors of the demonstration chose it by hand"));
    assert.equal(notes.get(null), 648);
    notes.delete(null);
    for (const note of notes.keys()) assert.ok(about.includes(`| ${note} |`), `/about: ${note}`);
    assert.equal(notes.get("keyword (assigned by machine)"), 5375);
    assert.equal(notes.get("editor tag"), 555);
    assert.equal(notes.get("essay title"), 193);
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

  it("says of some quotations that they are not by whom they are ascribed to, and why", () => {
    const doubts = doubtedQuotations();
    assert(doubts.size >= 40, String(doubts.size));
    const cautions = ["disputed", "misattributed"];
    const doubted = ofType("quotation")
      .filter(({ fields }) => cautions.includes(String(fields["verification"])))
      .map(({ path = "", fields, summary }) => {
        return [path.replace("/quotations/", ""), [fields["verification"], summary]];
      });
    assert.deepEqual(Object.fromEntries(doubted), Object.fromEntries(doubts));
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

  it("has only the texts on authors that were written for it, with links that lead somewhere", () => {
    const written = authorTexts();
    assert(written.size >= 230 && topicTexts().size >= 150);
    const serviced = [VERIFICATION_PATH, `/de${VERIFICATION_PATH}`];
    const paths = new Set([...items.map(({ input }) => input.path), ...serviced]);
    for (const { path = "", body, language } of ofType("author")) {
      if (language === "de") continue;
      assert.equal(body, written.get(path.replace("/authors/", "")) ?? "", path);
    }
    const lists = [...types.values()].flatMap(({ listPath }) =>
      listPath == null ? [] : [listPath, `/de${listPath}`],
    );
    const lost = items
      .filter(({ input: { type } }) => type !== "quotation")
      .flatMap(({ place, input }) =>
        [...input.body.matchAll(/\]\((?<to>\/[^)\s]*)\)/g)]
          .map((match) => match.groups?.["to"] ?? "")
          .filter((to) => !paths.has(to) && !lists.includes(to) && !/\.\w+$/.test(to))
          .map((to) => `${place}: ${to}`),
      );
    assert.deepEqual(lost, []);
  });

  it("speaks German too, under topics that translate English ones", () => {
    const german = items.filter(({ input }) => input.language === "de");
    const counts = Object.groupBy(german, ({ input }) => input.type);
    assert((counts["page"]?.length ?? 0) >= 3 && (counts["topic"]?.length ?? 0) >= 8);
    for (const { place, input } of german) assert.match(input.path ?? "", /^\/de\b/, place);
    const topics = (counts["topic"] ?? []).flatMap(({ input }) => input.path ?? []);
    const used = (counts["quotation"] ?? []).flatMap(({ input }) =>
      targetsOf(input).map(({ to }) => to),
    );
    assert.deepEqual(
      topics.filter((path) => !used.includes(path)),
      [],
    );
  });

  it("leads from German quotations to German authors and works, and to the English of the same author", () => {
    const at = new Map(items.map(({ input }) => [input.path, input]));
    const quotations = ofType("quotation").filter(({ language }) => language === "de");
    const wrong = quotations.flatMap((input) => {
      const own = targetsOf(input).filter(({ relation }) => relation !== "topics");
      return own.filter(({ to }) => at.get(to)?.language !== "de").map(({ to }) => to);
    });
    assert.deepEqual(wrong, []);
    const pairs = quotations.flatMap((german) => {
      const english = at.get(german.translationOf ?? "");
      return english === undefined ? [] : [[german, english] as const];
    });
    assert(pairs.length >= 40, String(pairs.length));
    const authorOf = (input: ItemInput) =>
      targetsOf(input).find(({ relation }) => relation === "authors")?.to ?? "";
    for (const [german, english] of pairs) {
      assert.equal(at.get(authorOf(german))?.translationOf, authorOf(english), german.path ?? "");
    }
  });

  it("leaves out invisible characters", () => {
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
