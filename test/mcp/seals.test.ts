import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { TOOLS } from "../../src/mcp/tools.ts";
import { type Loose, openMcpService } from "../support/mcp-service.ts";

const service = await openMcpService();
after(() => service[Symbol.asyncDispose]());

/** No text, path or title has the word of its seal, which an answer could then do without. */
const SEALS = [
  ["verified", "warm"],
  ["attributed", "mild"],
  ["disputed", "cool"],
  ["misattributed", "cold"],
] as const;
const CAUTIONS: readonly string[] = ["disputed", "misattributed"];

/** Calls whose answers have all four quotations. A tool without any never answers with quotations. */
const CALLS: Readonly<Record<string, readonly object[]>> = {
  describe_content_catalog: [],
  search_content: [{ query: "zeal" }, { query: "zeal", detail: "detailed" }],
  get_content_by_url: [
    { url: "/topics/courage" },
    { url: "/authors/marcus-aurelius" },
    { url: "/quotations" },
    { url: ["/topics/courage", "/about"] },
  ],
  list_content: [{ type: "quotation" }],
  get_related_content: [{ url: "/topics/courage" }, { url: "/authors/marcus-aurelius" }],
  list_topics: [],
  list_quotations_by_topic: [{ topic: "Courage" }],
  list_works_by_author: [],
};

before(async () => {
  await service.save(
    ...SEALS.map(([verification, word]) => ({
      type: "quotation",
      path: `/quotations/zeal-is-${word}`,
      title: `Zeal is ${word}`,
      body: `Zeal is ${word} here.`,
      fields: { verification, featured: true },
      relations: { authors: ["/authors/marcus-aurelius"], topics: ["/topics/courage"] },
      status: "published",
    })),
  );
});

describe("how far a quotation can be trusted", () => {
  it("has a call for every tool", () => {
    assert.deepEqual(
      Object.keys(CALLS),
      TOOLS.map(({ definition }) => definition.name),
    );
  });

  for (const [tool, calls] of Object.entries(CALLS)) {
    for (const call of calls) {
      it(`is said by ${tool} ${JSON.stringify(call)}`, async () => {
        const text = await service.text(tool, call);
        for (const [value, word] of SEALS) {
          if (tool === "get_content_by_url") assertSealed(text, value, word);
          else assertSealedObject(JSON.parse(text), value, word);
        }
      });
    }
  }

  it("is said of a quotation that is read alone, as a tool's answer and as a resource", async () => {
    for (const [value, word] of SEALS) {
      const url = `/quotations/zeal-is-${word}`;
      const { contents } = (await service.modern("resources/read", { uri: url })).body.result;
      for (const text of [await service.text("get_content_by_url", { url }), contents[0].text]) {
        assertSealed(text, value, word);
      }
    }
  });

  it("is said in the list of resources before the names of those with a warning", async () => {
    const titles = new Map<string, string>();
    let cursor: string | undefined;
    do {
      const { result } = (await service.modern("resources/list", { cursor })).body;
      for (const { name, title } of result.resources) titles.set(name, title);
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(
      SEALS.map(([, word]) => titles.get(`/quotations/zeal-is-${word}`)),
      ["Zeal is warm", "Zeal is mild", "Disputed: Zeal is cool", "Misattributed: Zeal is cold"],
    );
  });
});

/** Between this quotation and the next in Markdown: a warning stands before the text, any other seal after it. */
function assertSealed(text: string, value: string, word: string): void {
  const at = text.indexOf(`> Zeal is ${word} here.`);
  assert.notEqual(at, -1, word);
  const next = text.indexOf("\n> ", at);
  const after = text.slice(at, next === -1 ? undefined : next).replace(/\*\*\w+:\*\*\s*$/, "");
  const said = CAUTIONS.includes(value) ? text.slice(0, at).trimEnd().slice(-20) : after;
  assert.match(said, new RegExp(`\\b${value}\\b`, "i"), word);
}

function assertSealedObject(answer: Loose, value: string, word: string): void {
  const found = objectsIn(answer).filter(({ url }) => /zeal-is-/.test(url ?? ""));
  const quotation = found.find(({ url }) => url.endsWith(`-${word}`));
  assert.equal(found.length, SEALS.length);
  assert.equal(quotation?.verification, value);
  const names = Object.keys(quotation);
  if (!CAUTIONS.includes(value)) return;
  assert(names.indexOf("verification") < names.indexOf("text"), names.join());
}

function objectsIn(value: Loose): Loose[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
