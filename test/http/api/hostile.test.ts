import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import type { Route } from "../../../src/http/api/route.ts";
import { ROUTES } from "../../../src/http/api/routes.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { type ApiAnswer, type Loose, openApiClient } from "../../support/api-client.ts";

const RUNS = 25;

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());
const ids = await idsInUse();

const STRANGE_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "",
  "a.b",
  "\u0000",
  "ä",
];
const STRANGE_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  "",
  " ",
  "\u0000",
  "\ud800",
  "__proto__",
  "../../etc/passwd",
  "' OR 1=1 --",
  "%",
  "9".repeat(400),
  "🏺".repeat(200),
  "https://[::1]:99999/",
  "9999-99-99T99:99:99Z",
  "-271821-04-20",
  [],
  {},
  [[[[]]]],
  { constructor: { prototype: { polluted: true } } },
];

const strange = fc.oneof(
  fc.constantFrom(...STRANGE_VALUES),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: anyCharacter, maxLength: 50 }),
  fc.constantFrom(...ids),
);

describe("no request can make it fail", () => {
  for (const route of ROUTES) {
    it(`${route.method} ${route.path}`, async () => {
      await fc.assert(
        fc.asyncProperty(requestFor(route), async ({ path, headers, body }) => {
          const options = { headers, ...(body === undefined ? {} : { body }) };
          const answer = await api.request(route.method, path, options);
          checkAnswer(answer, () => JSON.stringify({ path, headers, body: String(body) }));
        }),
        { numRuns: RUNS },
      );
      assert.equal(Reflect.get({}, "polluted"), undefined);
    });
  }
});

it("no address can make it fail", async () => {
  const segment = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 20 }).map(encoded),
    fc.constantFrom(
      "content",
      "keys",
      "%",
      "%00",
      "%ff",
      "..",
      ".",
      "%2e%2e",
      "%2F",
      ";a=b",
      "*",
      "",
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "REPORT"),
      fc.array(segment, { maxLength: 5 }),
      async (method, segments) => {
        const path = `/${segments.join("/")}`;
        fc.pre(new URL(`/api/v1${path}`, "http://localhost").pathname.startsWith("/api/v1"));
        checkAnswer(await api.request(method, path), () => `${method} ${path}`);
      },
    ),
    { numRuns: 300 },
  );
});

function checkAnswer({ status, headers, body, text }: ApiAnswer, told: () => string): void {
  assert(status < 500 && status !== 401 && status !== 429, `${status}: ${told()}`);
  if (status < 400 || text === "") return;
  assert.equal(headers.get("content-type"), "application/problem+json", told());
  assert.equal(body.status, status, told());
  assert(
    body.detail.length > 5 && !/\b(zod|sql|undefined|Invalid input)\b/i.test(body.detail),
    body.detail,
  );
  assert.equal(headers.get("access-control-allow-origin"), null);
}

interface Sent {
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

function requestFor(route: Route): fc.Arbitrary<Sent> {
  const part = fc.oneof(
    fc.constantFrom(...ids, "1", "0", "-1", "1e9", "__proto__", "constructor"),
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 }),
  );
  const path = fc
    .array(part, { minLength: 3, maxLength: 3 })
    .map((parts) => route.path.replaceAll(/\{\w+\}/g, () => encoded(parts.pop() ?? "")));
  const query = fc
    .dictionary(
      nameIn(route.query),
      fc.oneof(
        fc.string({ maxLength: 20 }),
        strange.map((value) => JSON.stringify(value)),
      ),
      {
        maxKeys: 3,
      },
    )
    .map((given) => new URLSearchParams(given).toString());
  return fc
    .record({ path, query, headers: headersFor(route), body: bodyFor(route) })
    .map((sent) => ({
      ...sent,
      path: sent.query === "" ? sent.path : `${sent.path}?${sent.query}`,
      body: route.method === "GET" ? undefined : sent.body,
    }));
}

function headersFor(route: Route): fc.Arbitrary<Record<string, string>> {
  const type = route.kind === "json" ? "application/json" : (route.accepts[0] ?? "text/plain");
  const value = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom('"1"', "*", 'W/"1"', '"', ","),
  );
  return fc
    .record(
      {
        "If-Match": fc.oneof(fc.constant("*"), value),
        "If-None-Match": value,
        "Idempotency-Key": value,
      },
      { requiredKeys: ["If-Match"] },
    )
    .map((headers) => ({ "Content-Type": type === "*/*" ? "image/png" : type, ...headers }));
}

/** Mostly what the route wants, with something wrong in it; otherwise any JSON, or any bytes. */
function bodyFor(route: Route): fc.Arbitrary<unknown> {
  const bytes = fc.uint8Array({ maxLength: 100 });
  const json = strange.map((value) => JSON.stringify(value));
  const deep = fc.constant(`${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`);
  if (route.kind === "stream") return fc.oneof(bytes, json, deep, fc.constant(undefined));
  const near = fc.dictionary(nameIn(route.body), strange, { maxKeys: 6 });
  return fc.oneof(
    { weight: 6, arbitrary: near.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: json },
    { weight: 1, arbitrary: bytes },
    { weight: 1, arbitrary: fc.oneof(deep, fc.constant('{"__proto__":{"polluted":true}}')) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** A name the schema knows, more often than not. */
function nameIn(schema: z.ZodType): fc.Arbitrary<string> {
  const described: Loose = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const known = Object.keys(described.properties ?? {});
  const strangeName = fc.constantFrom(...STRANGE_NAMES);
  if (known.length === 0) return strangeName;
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: strangeName },
  );
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** All but the key it asks with, which it could take from itself. */
async function idsInUse(): Promise<string[]> {
  const { body: own } = await api.request("GET", "/");
  const { body: content } = await api.request("GET", "/content?limit=5");
  const { body: keys } = await api.request("GET", "/keys");
  const found: string[] = [...content.items, ...keys.items].map(({ id }: Loose) => id);
  assert(found.length > 3);
  return found.filter((id) => id !== own.key.id);
}
