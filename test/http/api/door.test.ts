import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openApiClient } from "../../support/api-client.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

it("tells strangers only that a key is needed, also at unknown addresses", async () => {
  for (const path of ["", "/", "/content", "/no/such/address"]) {
    const { status, headers, body } = await api.request("GET", path, { key: null });
    assert.equal(status, 401);
    assert.match(headers.get("www-authenticate") ?? "", /^Bearer /);
    assert.equal(headers.get("content-type"), "application/problem+json");
    assert.match(body.detail, /^No key was sent\. Send the header "Authorization: Bearer <key>"/);
  }
});

it("knows the addresses that do not exist", async () => {
  const { status, body, headers } = await api.request("GET", "/no/such/address");
  assert.equal(status, 404);
  assert.match(headers.get("ratelimit") ?? "", /^"key";r=\d+;t=\d+$/);
  assert.equal(body.requestId, headers.get("x-request-id"));
});

it("refuses keys of agents", async () => {
  const key = await api.issue("mcp:read");
  for (const path of ["", "/content", "/no/such/address"]) {
    const { status, body } = await api.request("GET", path, { key });
    assert.equal(status, 403);
    assert.equal(body.detail, "This key opens the MCP service and nothing else");
  }
});

it("answers a problem document also to browsers, whatever is wrong", async () => {
  const { key } = api;
  const asBrowser = { Accept: "text/html" };
  for (const [path, expected] of [
    [`/content?key=${key}`, 400],
    [`/content?${"a".repeat(9000)}`, 414],
    ["/nothing", 404],
  ] as const) {
    const { status, headers, body } = await api.request("GET", path, { headers: asBrowser });
    assert.equal(status, expected);
    assert.equal(headers.get("content-type"), "application/problem+json");
    assert.equal(headers.get("access-control-allow-origin"), null);
    assert.equal(body.requestId, headers.get("x-request-id"));
  }
});

describe("GET /", () => {
  it("lists what the key can do here, and no more", async () => {
    const key = await api.issue("content:read");
    const { status, body, headers } = await api.request("GET", "/", { key });
    assert.equal(status, 200);
    assert.deepEqual(body.key.scopes, ["content:read"]);
    assert.equal(body.key.requestsPerMinute, 600);
    const scopes = new Set(body.routes.map(({ scope }: { scope: string | null }) => scope));
    assert.deepEqual(scopes, new Set([null, "content:read"]));
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("x-robots-tag"), "noindex");
    assert.equal(headers.get("access-control-allow-origin"), null);
    assert.equal(
      (await api.request("GET", "", { key })).text,
      (await api.request("GET", "/", { key })).text,
    );
  });
});

describe("GET /content-types", () => {
  it("describes every type of the site with what there is of it", async () => {
    const { status, body } = await api.request("GET", "/content-types");
    assert.equal(status, 200);
    const names = body.items.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ["page", "topic", "author", "work", "quotation", "event"]);
    const [page, , , work] = body.items;
    assert.equal(page.pathPattern, null);
    assert.equal(page.counts.draft, 1);
    assert(page.counts.published > 3);
    assert.equal(work.pathPattern, "/works/{slug}");
    assert(
      work.fields.some(
        ({ name, kind }: { name: string; kind: string }) => name === "kind" && kind === "enum",
      ),
    );
  });
});
