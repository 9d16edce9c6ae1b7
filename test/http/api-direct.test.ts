import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, describe, it } from "node:test";
import { SCOPES } from "../../src/access/actor.ts";
import { issueKey } from "../../src/access/keys/keys.ts";
import { ended, listening } from "../support/listening.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";
import { sendTo } from "../support/send-to.ts";

const site = await openFixture();
const { key } = await issueKey(
  site.record.keys,
  { kind: "operator" },
  { name: "Socket", scopes: SCOPES, ratePerMinute: 1000 },
  NOW,
);
const port = await listening(site.server);

after(async () => {
  await ended(site.server);
  await site.close();
});

const authorization = `Bearer ${key}`;

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization }, ...init });
}

/** Everything that comes back on a connection of its own for these bytes. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let reply = "";
  socket.setEncoding("utf8").on("data", (piece) => {
    reply += piece;
  });
  socket.write(bytes);
  await once(socket, "close");
  return reply;
}

describe("the administrative interface at its own address", () => {
  it("answers as it does through the app, headers included", async () => {
    const direct = await ask("/api/v1/content?limit=2");
    const through = await sendTo(site.http, "/api/v1/content?limit=2", {
      headers: { authorization },
    });
    assert.deepEqual(await direct.json(), await through.json());
    const names = ({ headers }: Response) =>
      [...headers.keys()].filter((name) => !/^(?:date|keep-alive|connection)$/.test(name));
    assert.deepEqual(names(direct).sort(), names(through).sort());
    for (const name of ["content-security-policy", "cache-control", "x-robots-tag"]) {
      assert.equal(direct.headers.get(name), through.headers.get(name), name);
    }
  });

  it("logs each refusal, with the id in its reply", async () => {
    const logged = site.logged.length;
    const reply = await ask("/api/v1/nothing");
    const told = JSON.parse(await reply.text());
    assert.equal(reply.status, 404);
    assert.equal(told.requestId, reply.headers.get("x-request-id"));
    const lines = site.logged.slice(logged).filter((line) => line.includes(told.requestId));
    assert.equal(lines.length, 1);
  });

  it("refuses addresses that carry a key, and repeats it nowhere", async () => {
    const reply = await ask(`/api/v1/content?text=${key}`);
    assert.equal(reply.status, 400);
    assert.equal(reply.headers.get("content-type"), "application/problem+json");
    assert(!(await reply.text()).includes(key));
    assert(!site.logged.some((line) => line.includes(key)));
    assert.equal((await ask(`/api/v1/content?text=${"a".repeat(9000)}`)).status, 414);
  });

  it("takes addresses with a host, as a proxy may send them", async () => {
    const body = JSON.stringify({ items: 1 });
    const head = [
      "POST http://elsewhere.test/api/v1/content HTTP/1.1",
      "Host: elsewhere.test",
      `Authorization: ${authorization}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "Connection: close",
    ];
    const reply = await exchange(`${head.join("\r\n")}\r\n\r\n${body}`);
    assert.match(reply, /^HTTP\/1\.1 400 /);
    assert.match(reply, /Something is wrong with the request/);
  });

  it("leaves other paths to the site, however they are written", async () => {
    const reply = await exchange(
      "GET /api/v1/../../llms.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    );
    assert.match(reply, /^HTTP\/1\.1 200 /);
    assert.match(reply, /Content-Type: text\/(?:plain|markdown)/i);
  });

  it("answers a stream, and HEAD without it", async () => {
    const whole = await ask("/api/v1/audit/export");
    assert.match(await whole.text(), /"action":"key\.create"|"action":/);
    const head = await ask("/api/v1/audit/export", { method: "HEAD" });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), "");
  });

  it("refuses strangers before the body arrives, and waits for the rest only briefly", async () => {
    const reply = await exchange(
      "POST /api/v1/content HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{",
    );
    assert.match(reply, /^HTTP\/1\.1 401 /);
  });

  it("serves the next request on the connection after an unread one", async () => {
    const reply = await exchange(
      [
        "POST /api/v1/content HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
        "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      ].join(""),
    );
    assert.match(reply, /^HTTP\/1\.1 401 /);
    assert.match(reply, /HTTP\/1\.1 200 OK[\s\S]*alive/);
  });
});
