import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { createMcpHandler, SITE_FEATURES } from "../../src/mcp/handler.ts";
import { type Headers, openMcpService, type RawRequest } from "../support/mcp-service.ts";

const service = await openMcpService();
after(() => service[Symbol.asyncDispose]());

const CALL = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" });
const WRONG_KEY = `Bearer cpl_${"x".repeat(38)}`;
const NO_JSON = { "content-type": "text/plain" };
const TOO_LONG = "x".repeat(256 * 1024 + 1);

/** From the outermost gate to the innermost: each request would fail at every later one as well. */
const REFUSALS: [string, RawRequest, number, number | undefined][] = [
  ["another host", refused({ host: "evil.example", origin: "https://evil.example" }), 403, 403],
  ["no host", refused({ host: undefined }), 403, 403],
  ["a host that is none", refused({ host: "a b" }), 403, 403],
  ["a foreign origin", refused({ origin: "https://evil.example" }), 403, 403],
  ["an origin on another port", refused({ origin: "https://quotations.example:444" }), 403, 403],
  ["an origin without encryption", refused({ origin: "http://quotations.example" }), 403, 403],
  ["a page on the visitor's own machine", refused({ origin: "http://localhost:3000" }), 403, 403],
  ["a sandboxed origin", refused({ origin: "null" }), 403, 403],
  ["no key", refused({ authorization: undefined }), 401, 401],
  ["an empty key", refused({ authorization: " " }), 401, 401],
  ["a wrong key", refused({ authorization: WRONG_KEY }), 401, 401],
  ["another scheme", refused({ authorization: "Basic Zm9vOmJhcg==" }), 401, 401],
  ["GET", refused({}), 405, 405],
  ["another content type", { headers: NO_JSON, body: TOO_LONG }, 415, 415],
  ["no content type", { headers: { "content-type": undefined }, body: TOO_LONG }, 415, 415],
  [
    "another charset",
    { headers: { "content-type": "application/json; charset=utf-16" } },
    415,
    415,
  ],
  ["a compressed body", { headers: { "content-encoding": "gzip" }, body: TOO_LONG }, 415, 415],
  ["a long body", { body: TOO_LONG }, 413, 413],
  ["no JSON", { body: "{" }, 400, -32700],
  ["nothing", { body: "" }, 400, -32700],
  ["no UTF-8", { body: new Uint8Array([0x22, 0xff, 0x22]) }, 400, -32700],
  ["a batch", { body: `[${CALL}]` }, 400, -32600],
  ["an empty batch", { body: "[]" }, 400, -32600],
  ["a number", { body: "5" }, 400, -32600],
  ["null", { body: "null" }, 400, -32600],
  ["an old JSON-RPC", { body: CALL.replace("2.0", "1.0") }, 400, -32600],
  ["no method", { body: '{"jsonrpc":"2.0","id":1}' }, 400, -32600],
  ["a method that is no text", { body: '{"jsonrpc":"2.0","id":1,"method":5}' }, 400, -32600],
  ["a response", { body: '{"jsonrpc":"2.0","id":1,"result":{}}' }, 400, -32600],
  [
    "parameters in a list",
    { body: '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}' },
    400,
    -32600,
  ],
  ["an id of null", { body: CALL.replace("7", "null") }, 400, -32600],
  ["an id with a fraction", { body: CALL.replace("7", "7.5") }, 400, -32600],
  ["an id that is an object", { body: CALL.replace("7", "{}") }, 400, -32600],
];

function refused(headers: Headers): RawRequest {
  return { method: "GET", headers: { ...NO_JSON, ...headers }, body: TOO_LONG };
}

describe("the gate", () => {
  for (const [what, request, status, code] of REFUSALS) {
    it(`answers ${status}/${code} to ${what}`, async () => {
      const reply = await service.raw(request);
      assert.equal(reply.status, status);
      assert.equal(reply.body.error.code, code);
      assert.equal(reply.body.jsonrpc, "2.0");
      assert(reply.body.error.message.length > 10);
      assert.equal(reply.headers["Cache-Control"], "no-store");
      assert.equal(reply.headers["Content-Type"], "application/json");
      assert.equal("Mcp-Session-Id" in reply.headers, false);
    });
  }

  it("names the id of a message it can read but not answer", async () => {
    const { body } = await service.raw({ body: CALL.replace('"method"', '"methd"') });
    assert.equal(body.id, 7);
    assert.equal("id" in (await service.raw({ body: "{" })).body, false);
  });

  it("asks for a key when none was sent", async () => {
    const { headers, body } = await service.raw({ headers: { authorization: undefined } });
    assert.equal(headers["WWW-Authenticate"], 'Bearer realm="https://quotations.example/mcp"');
    assert.equal(
      body.error.message,
      'No key was sent. Send the header "Authorization: Bearer <key>"; ask for a key at https://quotations.example/contact',
    );
  });

  it("says what is wrong with a wrong key, and never repeats it", async () => {
    const { headers, body } = await service.raw({ headers: { authorization: WRONG_KEY } });
    assert.match(
      headers["WWW-Authenticate"] ?? "",
      /realm=".*", error="invalid_token", error_description="[^"]+"$/,
    );
    assert.doesNotMatch(JSON.stringify([headers, body]), /cpl_x/);
  });

  it("names the scope a key lacks, and counts the request", async () => {
    const authorization = `Bearer ${await service.issue({ scopes: ["content:read"], rate: 2 })}`;
    const replies = await Promise.all(
      [1, 2, 3].map(() => service.raw({ headers: { authorization }, body: CALL })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [403, 403, 429]);
    const refusal = replies.find(({ status }) => status === 403);
    assert.match(
      refusal?.headers["WWW-Authenticate"] ?? "",
      /error="insufficient_scope", scope="mcp:read"/,
    );
  });

  it("tells clients that fall back to GET or DELETE to use POST, and does not count them", async () => {
    const authorization = `Bearer ${await service.issue({ rate: 1 })}`;
    for (const method of ["GET", "DELETE", "PUT", "HEAD", "GET"]) {
      const reply = await service.raw({ method, headers: { authorization } });
      assert.equal(reply.status, 405);
      assert.equal(reply.headers["Allow"], "POST");
    }
    assert.equal((await service.raw({ headers: { authorization }, body: CALL })).status, 200);
  });

  it("takes any Accept and answers JSON", async () => {
    for (const accept of [undefined, "*/*", "text/event-stream", "text/html"]) {
      const reply = await service.raw({ headers: { accept }, body: CALL });
      assert.equal(reply.status, 200);
      assert.equal(reply.headers["Content-Type"], "application/json");
    }
  });

  it("answers under loopback names, as a proxy on the same machine uses", async () => {
    for (const host of ["localhost:8080", "127.0.0.1", "[::1]:8080", "QUOTATIONS.example:443"]) {
      assert.equal((await service.raw({ headers: { host }, body: CALL })).status, 200, host);
    }
  });

  it("lets scripts of its own origin and of allowed hosts in", async () => {
    for (const origin of ["https://quotations.example", "https://apps.example"]) {
      const reply = await service.raw({ headers: { origin }, body: CALL });
      assert.equal(reply.headers["Access-Control-Allow-Origin"], origin);
      assert.equal(reply.headers["Vary"], "Origin");
      const denied = await service.raw({ headers: { origin, authorization: undefined } });
      assert.equal(denied.headers["Access-Control-Allow-Origin"], origin);
      assert.match(denied.headers["Access-Control-Expose-Headers"] ?? "", /WWW-Authenticate/);
    }
    const reply = await service.raw({ body: CALL });
    assert.equal("Access-Control-Allow-Origin" in reply.headers, false);
  });

  it("lets local pages call a local service, and foreign ones not", async () => {
    const handle = createMcpHandler({ ...service.parts, origin: "http://127.0.0.1:8080" });
    const statusFor = async (origin: string) => {
      const known: Headers = { host: "localhost:8080", origin };
      const request = { method: "POST", address: "127.0.0.1", body: async () => new Uint8Array() };
      return (await handle({ ...request, header: (name) => known[name] })).status;
    };
    for (const origin of ["http://127.0.0.1:8080", "http://localhost:3000", "http://[::1]"]) {
      assert.equal(await statusFor(origin), 401, origin);
    }
    for (const origin of ["https://evil.example", "http://localhost.evil.example", "null"]) {
      assert.equal(await statusFor(origin), 403, origin);
    }
  });

  it("answers a preflight without a key, of allowed origins only", async () => {
    const preflight = (origin: string) =>
      service.raw({
        method: "OPTIONS",
        headers: { origin, "access-control-request-method": "POST", authorization: undefined },
      });
    const reply = await preflight("https://quotations.example");
    assert.equal(reply.status, 204);
    assert.match(reply.headers["Access-Control-Allow-Headers"] ?? "", /Authorization.*Mcp-Name/);
    assert.equal((await preflight("https://evil.example")).status, 403);
  });

  it("reports a bug to the log only", async () => {
    const handle = createMcpHandler(service.parts, {
      ...SITE_FEATURES,
      resources: {
        ...SITE_FEATURES.resources,
        list: () => {
          throw new Error("secret detail");
        },
      },
    });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "resources/list" });
    const known: Headers = {
      host: "localhost",
      authorization: `Bearer ${service.key}`,
      "content-type": "application/json",
    };
    const reply = await handle({
      method: "POST",
      address: "192.0.2.1",
      header: (name) => known[name],
      body: async () => new TextEncoder().encode(body),
    });
    assert.equal(reply.status, 500);
    assert.doesNotMatch(reply.body ?? "", /secret/);
    const incident = /Internal error ([0-9a-f-]{36})/.exec(reply.body ?? "")?.[1] ?? "none";
    assert.match(JSON.stringify(service.logged), new RegExp(incident));
  });
});

describe("the rate", () => {
  it("accepts exactly 60 of 200 requests in a burst, tells the wait, and spares other keys", async () => {
    const authorization = `Bearer ${await service.issue()}`;
    const other = `Bearer ${await service.issue()}`;
    const burst = await Promise.all(
      Array.from({ length: 200 }, () => service.raw({ headers: { authorization }, body: CALL })),
    );
    const accepted = burst.filter(({ status }) => status === 200);
    const refusals = burst.filter(({ status }) => status === 429);
    assert.deepEqual([accepted.length, refusals.length], [60, 140]);
    for (const { headers, body } of refusals) {
      assert.equal(headers["Retry-After"], "60");
      assert.equal(headers["RateLimit"], '"key";r=0;t=60');
      assert.equal(headers["RateLimit-Policy"], '"key";q=60;w=60');
      assert.equal(body.error.code, 429);
      assert.match(body.error.message, /60 in any 60 seconds\. Wait 60 seconds/);
    }
    assert.equal(accepted[0]?.headers["RateLimit"], '"key";r=59;t=60');
    assert.equal(
      (await service.raw({ headers: { authorization: other }, body: CALL })).status,
      200,
    );
  });

  it("slides: the next request is accepted once the first is a minute old", async () => {
    const authorization = `Bearer ${await service.issue({ rate: 2 })}`;
    const start = service.clock.now.getTime();
    const at = async (seconds: number) => {
      service.clock.now = new Date(start + seconds * 1000);
      return await service.raw({ headers: { authorization }, body: CALL });
    };
    const statuses = [];
    for (const seconds of [0, 30, 45, 59.9, 60, 75, 90]) statuses.push((await at(seconds)).status);
    assert.deepEqual(statuses, [200, 200, 429, 429, 200, 429, 200]);
    const refusal = await at(100);
    assert.equal(refusal.headers["Retry-After"], "20");
    assert.match(refusal.body.error.message, /Wait 20 seconds/);
  });

  it("does not count requests refused for a wrong key", async () => {
    const authorization = `Bearer ${await service.issue({ rate: 1 })}`;
    for (let time = 0; time < 70; time += 1) {
      const reply = await service.raw({
        headers: { authorization: `${authorization}x` },
        body: CALL,
      });
      assert.equal(reply.status, 401);
    }
    assert.equal((await service.raw({ headers: { authorization }, body: CALL })).status, 200);
  });
});
