import assert from "node:assert/strict";
import { after, it } from "node:test";
import type { HttpDependencies } from "../../src/http/dependencies.ts";
import { createHttpHandler } from "../../src/http/front.ts";
import { createHttpServer } from "../../src/http/socket/listener.ts";
import { createLog } from "../../src/log.ts";
import { idleParts } from "../support/http-parts.ts";
import { ended, listening } from "../support/listening.ts";
import { openFixture } from "../support/open-fixture.ts";
import { sendTo } from "../support/send-to.ts";

const site = await openFixture();
after(() => site.close());

type Mcp = HttpDependencies["mcp"];

function appWith(mcp: (request: Parameters<Mcp>[0]) => Promise<void>) {
  return createHttpHandler({
    ...idleParts(site.reading),
    mcp: async (request) => {
      await mcp(request);
      return { status: 202, headers: { "X-Mark": request.method }, body: null };
    },
  });
}

it("trusts the address its proxy saw, only when configured to", async () => {
  const headers = { "x-forwarded-for": "203.0.113.9, 192.0.2.7" };
  for (const [trustProxy, expected] of [
    [true, "192.0.2.7"],
    [false, "127.0.0.1"],
  ] as const) {
    const app = appWith(async ({ address }) => assert.equal(address, expected));
    const server = createHttpServer(app, { log: createLog("silent"), trustProxy });
    const port = await listening(server);
    const url = `http://127.0.0.1:${port}/mcp`;
    const response = await fetch(url, { method: "POST", headers, body: "{}" });
    assert.equal(response.status, 202);
    await ended(server);
  }
});

it("reads a body up to the limit the service names", async () => {
  const app = appWith(async ({ body }) => {
    assert.equal(String(Buffer.from(await body(5))), "12345");
  });
  assert.equal((await sendTo(app, "/mcp", { method: "POST", body: "12345" })).status, 202);
  assert.equal((await sendTo(app, "/mcp", { method: "POST", body: "123456" })).status, 413);
  const stream = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("1234")),
  });
  const endless = { method: "POST", body: stream, duplex: "half" } as const;
  assert.equal((await sendTo(app, "/mcp", endless)).status, 413);
});

it("hands every method through", async () => {
  const app = appWith(async () => {});
  for (const method of ["GET", "DELETE", "OPTIONS", "PUT"]) {
    assert.equal((await sendTo(app, "/mcp", { method })).headers.get("x-mark"), method);
  }
});
