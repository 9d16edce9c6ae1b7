import assert from "node:assert/strict";
import { after, it } from "node:test";
import fc from "fast-check";
import { anyCharacter } from "../../support/any-character.ts";
import { openApiClient } from "../../support/api-client.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());
const { body: made } = await api.request("POST", "/content", {
  body: { type: "author", title: "Target", status: "published" },
});
const ANY = { "If-Match": "*" };

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.constantFrom(
    "",
    " ",
    "/topics/time",
    "/authors/target",
    "/a/../b",
    "//x",
    "/%2e%2e",
    "\ud800",
    "\u0000",
    "__proto__",
    "2027-02-30",
    "-0044",
    "9".repeat(400),
    "javascript:alert(1)",
    "https://quotations.example/about",
  ),
);
const value = fc.oneof(
  { maxDepth: 3 },
  text,
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e300, Number.MAX_SAFE_INTEGER + 2),
  fc.array(text, { maxLength: 4 }),
  fc.jsonValue({ maxDepth: 4 }),
);
const keyed = (...keys: string[]) =>
  fc.dictionary(
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...keys) }, { weight: 1, arbitrary: text }),
    value,
    {
      maxKeys: 5,
    },
  );

const ITEM_KEYS = [
  ...["type", "path", "slug", "title", "summary", "body", "language", "translationOf", "status"],
  ...["publishAt", "publishedAt", "sourceKey", "redirectFrom", "fields", "relations", "id"],
];
const item = fc
  .tuple(
    keyed(...ITEM_KEYS),
    keyed("born", "died", "aliases", "sort_name", "same_as", "authors", "work", "year"),
    keyed("authors", "topics", "work", "broader"),
    fc.constantFrom("author", "quotation", "topic", "page", "work", "event"),
  )
  .map(([top, fields, relations, type]) => ({ type, title: "A", fields, relations, ...top }));

/** Nothing anybody sends is our fault, and every refusal says why in a sentence of ours. */
async function assertAnswered(method: string, path: string, body: unknown): Promise<void> {
  const answer = await api.request(method, path, {
    body: JSON.stringify(body),
    headers: { ...ANY, "Content-Type": "application/json" },
  });
  assert(answer.status < 500, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`);
  assert(answer.text.length < 20_000, "repeats what it was sent");
  if (answer.status < 400) return;
  assert.doesNotMatch(answer.text, /Invalid|Expected|zod|SQLITE|undefined|\[object/, answer.text);
}

it("whatever is sent as an item is taken or refused in words", async () => {
  await fc.assert(
    fc.asyncProperty(item, async (body) => {
      await assertAnswered("POST", "/content", body);
      await assertAnswered("PATCH", `/content/${made.id}`, body);
      const read = await api.request("GET", `/content/${made.id}`);
      assert.equal(read.status, 200, read.text);
      const { relations, fields, language, translationOf, title } = read.body;
      const sent = { relations, fields, language, translationOf, title };
      const same = await api.request("PATCH", `/content/${made.id}`, { body: sent, headers: ANY });
      assert.deepEqual(same.body, read.body, "takes back what it showed");
    }),
    { numRuns: 150 },
  );
});

it("whatever is sent as settings, types or redirects is taken or refused in words", async () => {
  const profile = keyed(
    ...["name", "description", "language", "languages", "whenToUse", "whenNotToUse", "contact"],
    ...["organization", "contentSignal", "licence", "navigation"],
  );
  const type = keyed("name", "label", "plural", "listPath", "fields", "relations", "defaultSort");
  await fc.assert(
    fc.asyncProperty(profile, type, text, text, async (settings, declared, from, to) => {
      await assertAnswered("PATCH", "/settings", settings);
      await assertAnswered("PUT", "/settings/types", { types: [declared] });
      await assertAnswered("POST", "/redirects", { from, to });
      await assertAnswered("POST", `/content/${made.id}/schedule`, { publishAt: to });
      const { status } = await api.app.get("/", { Accept: "text/html" });
      assert.equal(status, 200);
    }),
    { numRuns: 100 },
  );
});

it("whatever is asked of a list is answered or refused in words", async () => {
  const names = ["type", "status", "text", "path", "sort", "order", "limit", "cursor", "relatedTo"];
  const query = fc.dictionary(fc.constantFrom(...names, "updatedSince", "x"), text, { maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(query, async (asked) => {
      const safe = Object.entries(asked).map(([name, given]) => [name, given.toWellFormed()]);
      const path = `/content?${new URLSearchParams(safe)}`;
      const answer = await api.request("GET", path);
      assert([200, 400].includes(answer.status), `${path}: ${answer.text}`);
    }),
    { numRuns: 150 },
  );
});
