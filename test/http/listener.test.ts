import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { issueKey } from "../../src/access/keys/keys.ts";
import type { Handler } from "../../src/http/exchange.ts";
import { createHttpServer } from "../../src/http/socket/listener.ts";
import { createLog } from "../../src/log.ts";
import { ended, listening } from "../support/listening.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
const input = { name: "Writing", scopes: ["mcp:read", "content:write"] } as const;
const { key: writing } = await issueKey(site.record.keys, { kind: "operator" }, input, NOW);
const port = await listening(site.server);
after(async () => {
  await ended(site.server);
  await site.close();
});

describe("the listener", () => {
  it("ends a request whose headers take too long, soon after their time", async () => {
    const log = createLog("silent");
    const slow = createHttpServer(site.http, {
      log,
      trustProxy: false,
      headersMilliseconds: 200,
    });
    const slowPort = await listening(slow);
    const reply = await raw("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", slowPort);
    assert.match(reply, /^HTTP\/1.1 408 .*did not arrive/s);
    slow.close();
  });

  it("answers a request that throws with 500, and concurrent ones as usual", async () => {
    const lines: string[] = [];
    const throwing: Handler = (request) => {
      if (request.target === "/broken") throw new Error("a bug");
      return site.http(request);
    };
    const log = createLog("error", (line) => lines.push(line));
    const server = createHttpServer(throwing, { log, trustProxy: false });
    const brokenPort = await listening(server);
    const statuses = ["/broken", "/topics", "/broken", "/about"].map(async (path) => {
      const { status } = await fetch(`http://127.0.0.1:${brokenPort}${path}`);
      return status;
    });
    assert.deepEqual(await Promise.all(statuses), [500, 200, 500, 200]);
    assert.equal(lines.length, 2);
    await ended(server);
  });

  it("sends an answer to its end when it stops, and closes the connection after it", async () => {
    const draining = new AbortController();
    const body = "a".repeat(30_000_000);
    const large: Handler = async () => {
      draining.abort();
      return { status: 200, headers: {}, body };
    };
    const log = createLog("silent");
    const server = createHttpServer(large, { log, trustProxy: false, draining: draining.signal });
    const socket = connect(await listening(server), "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const [first] = await once(socket, "data");
    assert.match(String(first), /^HTTP\/1.1 200 .*\r\nConnection: close\r\n/s);
    socket.pause();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    let bytes = first.length;
    socket.on("data", (piece) => {
      bytes += piece.length;
    });
    socket.resume();
    await once(socket, "close");
    assert(bytes > body.length, String(bytes));
    await closed;
  });

  it("answers a malformed request only after the answers before it", async () => {
    const slow: Handler = async ({ target }) => {
      await sleep(50);
      return { status: 200, headers: { "Content-Length": "6" }, body: `${target.slice(1)}\n` };
    };
    const server = createHttpServer(slow, { log: createLog("silent"), trustProxy: false });
    const slowPort = await listening(server);
    const good = (name: string) => `GET /${name} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const bad = "nonsense\r\n\r\n";
    for (const names of [["first"], ["first", "after"]]) {
      const reply = await raw(names.map(good).join("") + bad, slowPort);
      const statuses = [...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      assert.deepEqual(statuses, [...names.map(() => "200"), "400"], reply);
    }
    await ended(server);
  });

  it("refuses headers beyond 16 KiB in words", async () => {
    const reply = await raw(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"a".repeat(17_000)}\r\n\r\n`);
    assert.match(reply, /^HTTP\/1.1 431 .*application\/problem\+json.*longer than 16 KiB/s);
  });

  it("refuses addresses beyond 8,000 characters", async () => {
    const reply = await raw(
      `GET /${"a".repeat(9000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    assert.match(reply, /^HTTP\/1.1 414 .*longer than 8000 characters/s);
  });

  it("does not log a body that is cut off as an error", async () => {
    for (const path of ["/mcp", "/api/v1/content", "/api/v1/content/bulk"]) {
      const type = path.endsWith("bulk") ? "application/x-ndjson" : "application/json";
      const before = site.logged.length;
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${writing}\r\nContent-Type: ${type}\r\nContent-Length: 99\r\n\r\n{`,
      );
      await sleep(100);
      socket.destroy();
      await sleep(300);
      const errors = site.logged.slice(before).filter((line) => line.includes('"level":50'));
      assert.deepEqual(errors, [], path);
    }
  });

  it("answers immediately when an expected body is missing", async () => {
    for (const target of ["/mcp", "/api/v1/content", "/api/v1/content/bulk", "/contact"]) {
      const type = target.endsWith("bulk") ? "application/x-ndjson" : "application/json";
      const reply = await raw(
        `POST ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${writing}\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n`,
      );
      assert.match(reply, /^HTTP\/1.1 (200|4\d\d) /, target);
    }
  });

  it("refuses what is not HTTP", async () => {
    for (const request of [
      "nonsense\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n",
    ]) {
      assert.match(await raw(request), /^HTTP\/1.1 400 .*not well-formed/s);
    }
  });

  it("takes any Host and any form of target without believing it", async () => {
    for (const request of [
      "GET /topics HTTP/1.1\r\nHost: evil.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n",
      "GET http://evil.example/topics HTTP/1.1\r\nHost: evil.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n",
    ]) {
      const reply = await raw(request);
      assert.match(reply, /^HTTP\/1.1 200 /);
      assert.doesNotMatch(reply, /evil/);
    }
  });

  it("answers strange targets with less than 500", async () => {
    for (const target of [
      "*",
      "//",
      "///x",
      "/..",
      "/../../etc/passwd",
      "/\\..\\x",
      "http://",
      "/%",
      "/a b",
      "?x=1",
      "/#a",
    ]) {
      const reply = await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      assert.match(reply, /^HTTP\/1.1 (200|308|4\d\d) /, target);
    }
  });

  it("reports a malformed Host or target", async () => {
    for (const [target, host] of [
      ["/", "a b<>@/"],
      ["/", "evil/x?"],
      ["/\\x", "x"],
      ["ftp://evil.example/topics", "x"],
    ]) {
      const reply = await raw(
        `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      assert.match(reply, /^HTTP\/1.1 400 .*application\/problem\+json.*not well-formed/s);
    }
  });

  it("refuses headers that proxies may read in another way", async () => {
    const chunked = "Transfer-Encoding: chunked";
    const heads: Record<string, [line: string, ...headers: string[]]> = {
      "two Host": ["GET / HTTP/1.1", "Host: a", "Host: b"],
      "the same Host twice": ["GET / HTTP/1.1", "Host: a", "Host: a"],
      "an empty Host": ["GET / HTTP/1.1", "Host:"],
      "no Host": ["GET / HTTP/1.1"],
      "a folded header": ["GET / HTTP/1.1", "Host: a", "X-A: 1", " 2"],
      "two Authorization": ["GET / HTTP/1.1", "Host: a", "Authorization: x", "Authorization: y"],
      "two lengths": ["POST / HTTP/1.1", "Host: a", "Content-Length: 0", "Content-Length: 1"],
      "one length twice": ["POST / HTTP/1.1", "Host: a", "Content-Length: 0", "Content-Length: 0"],
      "a signed length": ["POST / HTTP/1.1", "Host: a", "Content-Length: +0"],
      "a length and chunks": ["POST / HTTP/1.1", "Host: a", "Content-Length: 5", chunked],
      "chunks and a length": ["POST / HTTP/1.1", "Host: a", chunked, "Content-Length: 5"],
      "an unknown coding": ["POST / HTTP/1.1", "Host: a", "Transfer-Encoding: gzip"],
      "chunks over HTTP/1.0": ["POST / HTTP/1.0", chunked],
      "a space before the colon": ["GET / HTTP/1.1", "Host : a"],
    };
    for (const target of ["/", "/mcp", "/api/v1/content", "/healthz", "/topics/stoicism"]) {
      for (const [name, [line, ...headers]] of Object.entries(heads)) {
        const request = [line.replace(" / ", ` ${target} `), ...headers].join("\r\n");
        const reply = await raw(`${request}\r\n\r\n`);
        assert.match(reply, /^HTTP\/1.1 400 /, `${name} at ${target}`);
        assert.doesNotMatch(reply, /HTTP\/1\.1 200/, `${name} at ${target}`);
      }
    }
  });

  it("serves clients of HTTP/1.0, which send no Host", async () => {
    assert.match(await raw("GET /healthz HTTP/1.0\r\n\r\n"), /^HTTP\/1.1 200 OK.*alive\n$/s);
  });

  it("keeps a connection for the next request after a refused one", async () => {
    const reply = await raw(
      "POST /topics HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbodyGET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    );
    assert.match(reply, /^HTTP\/1.1 405 .*HTTP\/1.1 200 OK.*alive\n$/s);
  });
});

/** All that comes back until the server closes. */
async function raw(request: string, to = port): Promise<string> {
  const socket = connect(to, "127.0.0.1");
  let reply = "";
  socket.setTimeout(30_000, () =>
    socket.destroy(new Error(`No end of the answer: ${reply.slice(0, 200)}`)),
  );
  socket.on("data", (piece) => {
    reply += piece;
  });
  socket.write(request);
  await once(socket, "close");
  return reply;
}
