import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { anyCharacter } from "../support/any-character.ts";
import { openMcpService } from "../support/mcp-service.ts";

const service = await openMcpService();
after(() => service[Symbol.asyncDispose]());

const PIECES = fc.constantFrom(
  ...['"', "-", "*", "(", ")", ":", "^", "+", "{", "}", "\0", "\u0002", "AND", "OR", "NOT"],
  ...["NEAR(", "title:", "body", "rowid", "--", ";", "'", "\\", "%", "🙂", "שלום", "\u202e"],
  ...["\ud800", "时间", "谊", "ﬁ", "ﷺ", "İ", "ß", "time", "courage", "co*", " ", " ", " "],
);
const QUERIES = fc.oneof(
  fc.array(PIECES, { maxLength: 40 }).map((parts) => parts.join("")),
  fc.string({ unit: anyCharacter, maxLength: 310 }),
  fc.string({ unit: "grapheme", maxLength: 100 }),
);

const ANSWER = /^\{.*"total":\d+.*"hits":\[/s;

/** The tool's reply: hits or a refusal. */
async function ask(args: object): Promise<string> {
  const { status, body } = await service.modern("tools/call", {
    name: "search_content",
    arguments: args,
  });
  assert.equal(status, 200);
  assert.equal(body.error, undefined, JSON.stringify(body.error));
  return body.result.content[0].text;
}

describe("search_content", () => {
  it("answers any query with hits or with advice", async () => {
    await fc.assert(
      fc.asyncProperty(QUERIES, fc.boolean(), async (query, narrowed) => {
        const filters = narrowed ? { types: ["quotation"], language: "en" } : {};
        const text = await ask({ query, ...filters });
        assert(
          ANSWER.test(text) || text.startsWith("The search text "),
          `${JSON.stringify(query)}: ${text}`,
        );
      }),
      { numRuns: 200 },
    );
  });

  it("answers queries that are too long by their beginning", async () => {
    for (const query of ["word ".repeat(10_000), '"'.repeat(100_000), "time ".repeat(2000), '"']) {
      assert.match(await ask({ query }), ANSWER);
    }
    assert.match(await ask({ query: '"a" '.repeat(400) }), /400 phrases in quotation marks/);
  });

  it("filters by every filter of its types, including names of related items", async () => {
    const urls = async (args: object) =>
      JSON.parse(await ask({ query: "time life death courage", limit: 25, ...args })).hits.map(
        ({ url }: { url: string }) => url,
      );
    const all: string[] = await urls({ types: ["quotation"] });
    const narrowings = [
      { filters: { authors: "Epictetus" } },
      { filters: { topics: "/topics/time" } },
      { filters: { year: { from: -500, to: 3000 } } },
      { filters: { verification: "verified" } },
      { language: "de" },
    ];
    for (const narrowing of narrowings) {
      const narrowed: string[] = await urls({ types: ["quotation"], ...narrowing });
      assert(narrowed.length <= all.length, JSON.stringify(narrowing));
    }
    const byAuthor: string[] = await urls({
      types: ["quotation"],
      filters: { authors: "Epictetus" },
    });
    assert(byAuthor.length > 0 && byAuthor.length < 25);
    assert.deepEqual(await urls({ types: ["quotation"], language: "de" }), []);
  });
});
