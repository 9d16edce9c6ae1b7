import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { contentTypeSchema } from "../../src/content/types/content-type.ts";
import { ANSWER_TOKENS_MAX, estimateTokens } from "../../src/mcp/results/token-estimate.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { type Loose, ORIGIN, openMcpService } from "../support/mcp-service.ts";

/** What it may be off where a text is in no ordinary language. */
const TOKENS_MAX = ANSWER_TOKENS_MAX * 1.1;

const PROSE: Record<string, string> = {
  ar: "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. ",
  de: "Alle Menschen sind frei und gleich an Würde und Rechten geboren. ",
  el: "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια. ",
  en: "All human beings are born free and equal in dignity and rights. ",
  hi: "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता प्राप्त है। ",
  ja: "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
  ru: "Все люди рождаются свободными и равными в своем достоинстве и правах. ",
  zh: "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心。",
};
const LANGUAGES = Object.keys(PROSE);

/** With as many fields as a form can hold, all long. */
const record = contentTypeSchema.parse({
  name: "record",
  label: "Record",
  plural: "Records",
  description: "D".repeat(300),
  listPath: "/records",
  fields: Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `field_${n}`,
      n % 2 === 0
        ? { kind: "text", label: "L".repeat(80), description: "Long. ".repeat(50), filter: true }
        : {
            kind: "enum",
            label: "E".repeat(80),
            values: Array.from({ length: 100 }, (_, v) => `${v}${"v".repeat(70)}`),
            filter: true,
          },
    ]),
  ),
  relations: { subjects: { label: "Subjects", target: "topic", many: true } },
});

const service = await openMcpService({ types: [record] });
after(() => service[Symbol.asyncDispose]());

before(async () => {
  const prose = (language: string, length: number) =>
    (PROSE[language] ?? "")
      .repeat(Math.ceil(length / 30))
      .slice(0, length)
      .trim();
  const topics = Array.from({ length: 40 }, (_, n) => ({
    type: "topic",
    path: `/topics/long-${n}`,
    title: `${n} ${prose(LANGUAGES[n % 8] ?? "en", 280)}`,
    summary: prose(LANGUAGES[n % 8] ?? "en", 300),
    status: "published",
  }));
  const paths = topics.map(({ path }) => path);
  const quotations = Array.from({ length: 100 }, (_, n) => {
    const language = LANGUAGES[n % 8] ?? "en";
    return {
      type: "quotation",
      path: `/quotations/long-${n}`,
      title: `${n} ${prose(language, 200)}`,
      body: `Time ${prose(language, n % 3 === 0 ? 3000 : 980)}`,
      fields: { locator: prose(language, 200), verification: "disputed" },
      relations: {
        authors: ["/authors/epictetus"],
        topics: ["/topics/time", ...paths.slice(0, n % 40)],
      },
      language,
      status: "published",
    };
  });
  const works = LANGUAGES.map((language) => ({
    type: "work",
    path: `/works/long-${language}`,
    title: `Long ${language}`,
    body: prose(language, 60_000),
    relations: { authors: ["/authors/epictetus"], topics: paths },
    language,
    status: "published",
  }));
  const records = Array.from({ length: 20 }, (_, n) => ({
    type: "record",
    path: `/records/r-${n}`,
    title: `Record ${n}`,
    fields: Object.fromEntries(
      Array.from({ length: 30 }, (_, f) => [`field_${f * 2}`, prose("en", 299)]),
    ),
    relations: { subjects: paths },
    status: "published",
  }));
  await service.save(...topics, ...quotations, ...works, ...records);
});

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const ADDRESSES = fc.oneof(
  fc.constantFrom("/topics/time", "Epictetus", "/authors/epictetus", "/", "/records", "/topics"),
  fc.constantFrom(...LANGUAGES).map((language) => `/works/long-${language}`),
  fc.nat(99).map((n) => `${ORIGIN}/quotations/long-${n}`),
  fc.constant(`/${"x".repeat(1900)}`),
  fc.constant("no such item ".repeat(1000)),
);
const LIST = { limit: some(fc.integer({ min: 1, max: 100 })) };
const TYPES = fc.constantFrom("topic", "author", "work", "quotation", "record");
const COUNTS = some(fc.constantFrom("topics", "authors", "verification", "language", "field_0"));

/** Legal arguments of each tool. */
const ARGUMENTS: Record<string, fc.Arbitrary<object>> = {
  describe_content_catalog: fc.record({ type: some(TYPES) }),
  search_content: fc.record({
    query: fc.constantFrom("time", "free equal dignity rights", "Würde", "人人", "record"),
    types: some(fc.array(TYPES, { minLength: 1, maxLength: 3 })),
    limit: some(fc.integer({ min: 1, max: 25 })),
    detail: some(fc.constantFrom("concise", "detailed")),
    count_by: COUNTS,
  }),
  get_content_by_url: fc.record({
    url: fc.oneof(ADDRESSES, fc.array(ADDRESSES, { minLength: 1, maxLength: 20 })),
    max_chars: some(fc.integer({ min: 1, max: 40_000 })),
  }),
  list_content: fc.record({ type: TYPES, count_by: COUNTS, ...LIST }),
  get_related_content: fc.record({ url: ADDRESSES, ...LIST }),
  list_topics: fc.record({ query: some(fc.constantFrom("alle", "人人", "time")), ...LIST }),
  list_quotations_by_topic: fc.record({
    topic: fc.constantFrom("/topics/time", "/topics/long-3"),
    ...LIST,
  }),
  list_works_by_author: fc.record({ author: fc.constant("Epictetus"), ...LIST }),
};

describe("every answer", () => {
  for (const { definition } of TOOLS) {
    const { name } = definition;
    const generated = ARGUMENTS[name] ?? assert.fail(`ARGUMENTS lacks ${name}`);
    it(`of ${name} fits into ${ANSWER_TOKENS_MAX} tokens, and nothing is cut silently`, async () => {
      await fc.assert(
        fc.asyncProperty(generated, async (args) => {
          const { result } = (await service.modern("tools/call", { name, arguments: args })).body;
          const text: string = result.content[0].text;
          const estimate = estimateTokens(text);
          assert(estimate <= ANSWER_TOKENS_MAX, `estimated ${estimate}`);
          if (estimate > ANSWER_TOKENS_MAX / 2) {
            assert(countTokens(text) <= TOKENS_MAX, `${countTokens(text)} tokens`);
          }
          const isList = result.isError !== true && !("count_by" in args && args.count_by);
          if (isList) saysWhatIsCut(args, result.structuredContent ?? text);
        }),
        { numRuns: 15, seed: 15 },
      );
    });
  }
});

function saysWhatIsCut(args: Loose, answer: Loose): void {
  if (typeof answer === "string") textsSayWhatFollows(answer);
  else for (const list of answer.groups ?? [answer]) listSaysWhatIsCut(args, list, answer.notes);
}

/** The lists of rows in answers. */
const ROW_LISTS = ["hits", "items", "topics", "quotations", "works"];

function listSaysWhatIsCut({ limit = 0, query }: Loose, list: Loose, notes: Loose): void {
  const name = ROW_LISTS.find((each) => list[each] !== undefined);
  const isList = list.total !== undefined;
  assert(name !== undefined || !isList, `ROW_LISTS names no list of ${Object.keys(list)}`);
  const rows = name === undefined ? [] : list[name];
  for (const row of rows) rowSaysWhatIsCut(row);
  if (query !== undefined) return;
  if (rows.length < list.total) assert.equal(typeof list.next_cursor, "string");
  if (rows.length < Math.min(limit, list.total)) {
    assert.match(notes.at(-1), /^cut to \d+ rows a list.*next_cursor and limit \d+$/);
  }
}

function rowSaysWhatIsCut(row: Loose): void {
  const path = new URL(row.url).pathname;
  const found = service.reading.resolve(decodeURI(path));
  assert.equal(found.kind, "item");
  if (found.kind !== "item") return;
  const { links, text } = found.item;
  for (const [relation, linked] of Object.entries(links)) {
    const shown = [row[relation]].flat().length;
    if (shown < linked.length)
      assert.match(row[`${relation}_cut`], new RegExp(` of ${linked.length};`));
  }
  if (typeof row.text === "string" && text.length >= 999) {
    assert.match(row.text_is_cut, /get_content_by_url reads all/);
  }
}

function textsSayWhatFollows(text: string): void {
  const outside = text.replaceAll(/^(`{3,})\n.*?\n\1$/gms, "");
  const parts = [...outside.matchAll(/^characters: \d+-(\d+) of (\d+)$/gm)];
  const cut = parts.filter(([, end, total]) => Number(end) < Number(total)).length;
  assert.equal([...outside.matchAll(/characters follow\. To continue, call/g)].length, cut);
}
