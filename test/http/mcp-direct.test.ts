import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { issueKey } from "../../src/access/keys/keys.ts";
import { ended, listening } from "../support/listening.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
const { key } = await issueKey(
  site.record.keys,
  { kind: "operator" },
  { name: "Socket", scopes: ["mcp:read"] },
  NOW,
);
const port = await listening(site.server);

after(async () => {
  await ended(site.server);
  await site.close();
});

const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

async function post(path: string, body: string, headers: Record<string, string> = {}) {
  return await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
  });
}

describe("the MCP service at its own address", () => {
  it("answers as it does through the app, headers included", async () => {
    const direct = await post("/mcp", PING);
    const through = await post("/mcp?", PING);
    assert.equal(direct.status, 200);
    assert.deepEqual(await direct.json(), await through.json());
    const names = ({ headers }: Response) =>
      [...headers.keys()].filter((name) => !/^(?:date|keep-alive|connection)$/.test(name));
    assert.deepEqual(names(direct).sort(), names(through).sort());
    for (const name of ["content-security-policy", "content-type", "ratelimit-policy"]) {
      assert.equal(direct.headers.get(name), through.headers.get(name));
    }
  });

  it("logs a refusal, without the key", async () => {
    const before = site.logged.length;
    const reply = await post("/mcp", "{", { authorization: `Bearer ${key}x` });
    assert.equal(reply.status, 401);
    const lines = site.logged.slice(before).filter((line) => line.includes('"/mcp"'));
    assert.equal(lines.length, 1);
    assert.match(String(lines[0]), /"status":401/);
    assert.ok(!site.logged.some((line) => line.includes(key)));
  });

  it("answers without reading the body, and waits for the rest only briefly", async () => {
    const socket = connect(port, "127.0.0.1");
    let reply = "";
    socket.setEncoding("utf8").on("data", (piece) => {
      reply += piece;
    });
    const ended = once(socket, "close");
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n{`,
    );
    await ended;
    assert.match(reply, /^HTTP\/1.1 413 /);
  });

  it("answers concurrent requests", async () => {
    const ask = async (id: number) => {
      const reply = await post("/mcp", JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }));
      assert.deepEqual(await reply.json(), { jsonrpc: "2.0", id, result: {} });
    };
    await Promise.all(Array.from({ length: 40 }, (_, id) => ask(id)));
  });

  it("does not log a client that disconnects as an error", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{`,
    );
    await sleep(50);
    socket.destroy();
    await sleep(50);
    assert.equal((await post("/mcp", PING)).status, 200);
    assert.deepEqual(
      site.logged.filter((line) => line.includes('"level":50')),
      [],
    );
  });
});
