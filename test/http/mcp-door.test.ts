import assert from "node:assert/strict";
import { it } from "node:test";
import { createHttpApp } from "../../src/http/app.ts";
import type { PlainRequest } from "../../src/http/parts.ts";
import { idleParts } from "../support/http-parts.ts";
import { openFixture } from "../support/open-fixture.ts";

await using site = await openFixture();

function appWith(mcp: (request: PlainRequest) => Promise<void>, trustProxy: boolean) {
  return createHttpApp({
    ...idleParts(site.reading),
    trustProxy,
    mcp: async (request) => {
      await mcp(request);
      return { status: 202, headers: { "X-Mark": request.method }, body: null };
    },
  });
}

it("believes the address its proxy saw, and only when told to", async () => {
  const headers = { "x-forwarded-for": "203.0.113.9, 192.0.2.7" };
  for (const [trustProxy, expected] of [
    [true, "192.0.2.7"],
    [false, ""],
  ] as const) {
    const app = appWith(async ({ address }) => assert.equal(address, expected), trustProxy);
    const response = await app.request("/mcp", { method: "POST", headers, body: "{}" });
    assert.equal(response.status, 202);
  }
});

it("reads a body up to the limit the service names", async () => {
  const app = appWith(async ({ body }) => {
    assert.equal(String(Buffer.from(await body(5))), "12345");
  }, false);
  assert.equal((await app.request("/mcp", { method: "POST", body: "12345" })).status, 202);
  assert.equal((await app.request("/mcp", { method: "POST", body: "123456" })).status, 413);
  const stream = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("1234")),
  });
  const endless = { method: "POST", body: stream, duplex: "half" } as const;
  assert.equal((await app.request("/mcp", endless)).status, 413);
});

it("hands every method through", async () => {
  const app = appWith(async () => {}, false);
  for (const method of ["GET", "DELETE", "OPTIONS", "PUT"]) {
    assert.equal((await app.request("/mcp", { method })).headers.get("x-mark"), method);
  }
});
