import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type ApiRequest, openApiClient } from "../../support/api-client.ts";
import { SAMPLE_ROUTES } from "../../support/api-routes.ts";
import { onlyOnSqlite } from "../../support/engine.ts";

const api = await openApiClient({ routes: SAMPLE_ROUTES });
after(() => api[Symbol.asyncDispose]());

const JSON_TYPE = { "Content-Type": "application/json" };

describe("a request that cannot be answered", () => {
  const refused: [what: string, method: string, path: string, ApiRequest, number, RegExp][] = [
    ["no such address", "GET", "/nothing", {}, 404, /^There is no such address in this API/],
    ["a slash too many", "GET", "/topics/time/", {}, 404, /no such address/],
    ["a slash in place of a name", "GET", "/topics/", {}, 404, /no such address/],
    ["a broken address", "GET", "/topics/%E0%A4", {}, 400, /^The address is not well-formed/],
    ["a NUL in the address", "GET", "/topics/a%00b", {}, 400, /the address: holds the character/],
    ["an endless part", "GET", `/topics/${"a".repeat(2001)}`, {}, 400, /longer than 2000 char/],
    ["another method", "DELETE", "/topics/time", {}, 405, /^DELETE is not served here: use GET or/],
    ["a preflight", "OPTIONS", "/topics/time", {}, 405, /^OPTIONS is not served here/],
    [
      "a parameter nobody knows",
      "GET",
      "/topics/time?veiw=short",
      {},
      400,
      /the query has keys that mean nothing here: veiw$/,
    ],
    ["a parameter given twice", "GET", "/topics/time?view=long&view=short", {}, 400, /view/],
    [
      "a stream's wrong parameter",
      "POST",
      "/echo?times=3",
      { body: "a", headers: { "Content-Type": "text/plain" } },
      400,
      /times: must be one of 1, 2/,
    ],
    [
      "no content type",
      "POST",
      "/secrets",
      { body: new Uint8Array([123, 125]) },
      415,
      /^The Content-Type must be application\/json, in UTF-8$/,
    ],
    [
      "a form",
      "POST",
      "/secrets",
      { body: "name=a", headers: { "Content-Type": "application/x-www-form-urlencoded" } },
      415,
      /must be application\/json/,
    ],
    [
      "another charset",
      "POST",
      "/secrets",
      { body: "{}", headers: { "Content-Type": "application/json; charset=latin1" } },
      415,
      /in UTF-8$/,
    ],
    [
      "a packed body",
      "POST",
      "/secrets",
      { body: "{}", headers: { ...JSON_TYPE, "Content-Encoding": "gzip" } },
      415,
      /without Content-Encoding/,
    ],
    [
      "a patch of another kind",
      "PATCH",
      "/topics/time",
      { body: "[]", headers: { "Content-Type": "application/json-patch+json" } },
      415,
      /must be application\/merge-patch\+json or application\/json/,
    ],
    [
      "a stream of another type",
      "POST",
      "/echo",
      { body: {} },
      415,
      /^The Content-Type must be text\/plain$/,
    ],
    [
      "too much",
      "POST",
      "/secrets",
      { body: `"${"a".repeat(2 * 1024 * 1024)}"`, headers: JSON_TYPE },
      413,
      /longer than 2097152 bytes/,
    ],
    [
      "no JSON",
      "POST",
      "/secrets",
      { body: "{", headers: JSON_TYPE },
      400,
      /^The body is not well-formed JSON: look at character 2$/,
    ],
    [
      "no UTF-8",
      "POST",
      "/secrets",
      { body: new Uint8Array([34, 255, 34]), headers: JSON_TYPE },
      400,
      /^The body is not UTF-8$/,
    ],
    ["nothing", "POST", "/secrets", {}, 400, /the body is missing$/],
    [
      "a list",
      "POST",
      "/secrets",
      { body: [] },
      400,
      /the body must be a group of keys and values$/,
    ],
    ["a wrong type", "POST", "/secrets", { body: { name: 1 } }, 400, /name: must be a text$/],
    ["an unknown key", "POST", "/secrets", { body: { name: "a", nmae: "b" } }, 400, /nmae/],
    [
      "a prototype",
      "POST",
      "/secrets",
      { body: '{"name":"a","__proto__":{}}', headers: JSON_TYPE },
      400,
      /__proto__: is not a name that can be used/,
    ],
    [
      "half a character",
      "POST",
      "/secrets",
      { body: '{"name":"\\ud800"}', headers: JSON_TYPE },
      400,
      /name: holds half a character/,
    ],
    [
      "a NUL",
      "POST",
      "/secrets",
      { body: { name: "a\u0000" } },
      400,
      /name: holds the character U\+0000/,
    ],
    [
      "depth without end",
      "POST",
      "/secrets",
      { body: `${"[".repeat(50_000)}${"]".repeat(50_000)}`, headers: JSON_TYPE },
      400,
      /nested deeper than 100 levels/,
    ],
    [
      "a body where none is taken",
      "POST",
      "/bug",
      { body: {} },
      400,
      /the body is not taken here; leave it out$/,
    ],
    [
      "an empty Idempotency-Key",
      "POST",
      "/secrets",
      { body: { name: "a" }, headers: { "Idempotency-Key": "" } },
      400,
      /^The Idempotency-Key must be 1 to 255 printable/,
    ],
    [
      "a long Idempotency-Key",
      "POST",
      "/secrets",
      { body: { name: "a" }, headers: { "Idempotency-Key": "a".repeat(256) } },
      400,
      /1 to 255/,
    ],
    [
      "no If-Match",
      "PATCH",
      "/topics/time",
      { body: { title: "T" } },
      428,
      /^This changes what exists: send If-Match with the ETag/,
    ],
    [
      "a broken If-Match",
      "PATCH",
      "/topics/time",
      { body: { title: "T" }, headers: { "If-Match": "7" } },
      400,
      /^If-Match must be ETags in double quotes/,
    ],
  ];
  for (const [what, method, path, options, expected, told] of refused) {
    it(`${what}: ${expected}`, async () => {
      const { status, headers, body } = await api.request(method, path, options);
      assert.equal(status, expected);
      assert.match(body.detail, told);
      assert.equal(headers.get("content-type"), "application/problem+json");
      assert.equal(headers.get("cache-control"), "no-store");
      assert.deepEqual([body.type, body.status], ["about:blank", expected]);
      assert.match(body.requestId, /^[\da-f-]{36}$/);
    });
  }

  it("names the allowed methods", async () => {
    const { headers } = await api.request("PUT", "/topics/time", { body: {} });
    assert.equal(headers.get("allow"), "GET, HEAD, PATCH");
  });

  it("reports each fault", async () => {
    const { body } = await api.request("POST", "/secrets", { body: { name: "", fails: 1 } });
    assert.deepEqual(body.problems, [
      { where: "name", message: "is empty" },
      { where: "fails", message: "must be true or false" },
    ]);
  });
});

it("hides the details of a bug, except for its log id", async () => {
  const { status, body, text } = await api.request("POST", "/bug");
  assert.equal(status, 500);
  assert.equal(body.detail, "Internal error");
  assert.doesNotMatch(text, /SQLITE|somebody/);
  const line = api.app.logged.find((each) => each.includes(body.requestId));
  assert.match(line ?? "", /SQLITE_SECRET/);
});

it("takes a named address before one with a part in its place", async () => {
  assert.deepEqual((await api.request("GET", "/topics/first")).body, { isFirst: true });
});

it("answers HEAD as GET, without the body", async () => {
  const get = await api.request("GET", "/topics/time");
  const head = await api.request("HEAD", "/topics/time");
  assert.deepEqual([head.status, head.text], [200, ""]);
  for (const name of ["etag", "content-type", "content-length"]) {
    assert.equal(head.headers.get(name), get.headers.get(name));
  }
});

it("streams its body", async () => {
  const headers = { "Content-Type": "text/plain" };
  const { status, text } = await api.request("POST", "/echo", { body: "again", headers });
  assert.deepEqual([status, text], [200, "again"]);
});

it(
  "counts the requests of a key exactly, at ten times its rate, and apart from the MCP service",
  onlyOnSqlite(),
  async () => {
    const { key } = await api.issueWith({ scopes: ["content:read"], ratePerMinute: 2 });
    const ask = () => api.request("GET", "/topics/time", { key });
    for (let number = 1; number <= 20; number += 1) {
      const { status, headers } = await ask();
      assert.equal(status, 200);
      assert.equal(headers.get("ratelimit"), `"key";r=${20 - number};t=60`);
      assert.equal(headers.get("ratelimit-policy"), '"key";q=20;w=60');
    }
    const { status, headers, body } = await ask();
    assert.equal(status, 429);
    assert.equal(headers.get("retry-after"), "60");
    assert.equal(
      body.detail,
      "Too many requests: this key may make 20 in any 60 seconds. Wait 60 seconds, then repeat the request",
    );
    const unknown = await api.request("GET", "/nothing", { key });
    assert.equal(unknown.status, 429, "before the address is looked at");
    api.clock.now = new Date(api.clock.now.getTime() + 60_000);
    assert.equal((await ask()).status, 200);
  },
);
