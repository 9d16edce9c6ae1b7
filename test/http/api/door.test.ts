import assert from "node:assert/strict";
import { after, it } from "node:test";
import { openApiClient } from "../../support/api-client.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

it("tells a stranger nothing but that a key is needed, also at addresses that do not exist", async () => {
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

it("opens to no key of an agent", async () => {
  const key = await api.issue("mcp:read");
  for (const path of ["", "/content", "/no/such/address"]) {
    const { status, body } = await api.request("GET", path, { key });
    assert.equal(status, 403);
    assert.equal(body.detail, "This key opens the MCP service and nothing else");
  }
});
