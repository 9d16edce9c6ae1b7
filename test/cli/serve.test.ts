import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { commandName } from "../../src/cli/command-name.ts";
import { MAIN, openCommandLine, openSiteLine } from "../support/command-line.ts";
import { ended, listening } from "../support/listening.ts";
import { type Served, serve, stop } from "../support/served.ts";
import { until } from "../support/until.ts";

async function mcp(origin: string, key?: string): Promise<number> {
  const response = await fetch(`${origin}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
  });
  return response.status;
}

describe("commonplace serve with the demo", () => {
  const line = openCommandLine({ LOG_LEVEL: "debug" });
  let served: Served;

  before(async () => {
    served = await serve(line);
  });

  after(() => {
    served.process.kill("SIGKILL");
    line[Symbol.dispose]();
  });

  it("greets with addresses that open and the command that issues a key, never a key", async () => {
    const greeting = served.output();
    for (const address of greeting.match(/http:\S+(?:\/|\.md|\.txt)(?=\s)/g) ?? []) {
      assert.equal((await fetch(address)).status, 200, address);
    }
    assert.match(greeting, /DATA_DIR=\S+ npm run -s commonplace -- keys issue --name/);
    assert.ok(!greeting.includes("cpl_"));
    const home = await (await fetch(`${served.origin}/index.md`)).text();
    assert.match(home, /^# The Commonplace Society \(demo\)$/m);
  });

  it("names the package where npx runs it, as another one may be called like the command", () => {
    assert.equal(commandName("npx"), "npx commonplace-server");
    assert.equal(commandName("start"), "npm run -s commonplace --");
  });

  it("takes keys issued, rotated and revoked beside it, and logs none of them", async () => {
    const { key, id } = JSON.parse(
      (await line.run("keys", "issue", "--name", "Agent", "--json")).out,
    );
    assert.deepEqual([await mcp(served.origin), await mcp(served.origin, key)], [401, 200]);
    const next = (await line.run("keys", "rotate", id)).out;
    assert.deepEqual([await mcp(served.origin, key), await mcp(served.origin, next)], [200, 200]);
    assert.equal((await line.run("keys", "revoke", id)).code, 0);
    assert.deepEqual([await mcp(served.origin, key), await mcp(served.origin, next)], [401, 200]);

    assert.equal((await fetch(`${served.origin}/?api_key=${next}`)).status, 400);
    assert.equal((await fetch(`${served.origin}/topics/${next}`)).status, 400);
    for (const secret of [key, next]) assert.ok(!served.output().includes(secret));
  });

  it("shows what was imported beside it", async () => {
    const address = `${served.origin}/bulletin`;
    assert.equal((await fetch(address)).status, 404);
    const file = line.file(
      "bulletin.md",
      "---\nstatus: published\n---\n# Bulletin\n\nSomething happened",
    );
    assert.equal((await line.run("import", file)).code, 0);
    const page = await fetch(address, { headers: { accept: "text/markdown" } });
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Something happened/);
  });

  it("passes its own check", async () => {
    const { code, out, err } = await line.run("check", served.origin);
    assert.equal(code, 0, out + err);
    assert.match(out, /^18 of 18 checks passed$/m);
    assert.ok(!/^FAIL/m.test(out));
  });

  it("names a mistyped setting, and cannot be started twice on one port", async () => {
    const port = new URL(served.origin).port;
    using other = openCommandLine({ PORT: port, TRUST_PROXYY: "1" });
    const { code, err } = await other.spawn("serve");
    assert.equal(code, 1);
    assert.equal(
      err,
      `warning: TRUST_PROXYY is not a setting; did you mean TRUST_PROXY?\nerror: Cannot listen on 127.0.0.1, port ${port}: another program uses that port; stop it or set PORT`,
    );
  });

  it("is the only server on its folder", async () => {
    const { code, err } = await line.spawn("serve");
    assert.equal(code, 1);
    assert.match(err, /^error: Cannot use the data folder \S+: another server uses it; stop that/);
  });

  it("ends what is under way when told to stop, also twice, and exits with 0", async () => {
    const { hostname, port } = new URL(served.origin);
    const slow = connect(Number(port), hostname);
    await once(slow, "connect");
    slow.write("GET /topics/time HTTP/1.1\r\nHost: x\r\n");
    await fetch(served.origin);
    const exit = stop(served, "SIGTERM");
    const isRefused = () =>
      fetch(served.origin).then(
        () => false,
        () => true,
      );
    await until(isRefused);
    served.process.kill("SIGTERM");
    slow.write("Connection: close\r\n\r\n");
    let answer = "";
    for await (const chunk of slow) answer += chunk;
    assert.match(answer, /^HTTP\/1\.1 200 OK/);
    assert.equal(await exit, 0);
  });

  it("starts again on the same store without importing anything", async () => {
    await using again = await serve(line, {
      more: { DEMO: "0", PORT: new URL(served.origin).port },
    });
    const page = await fetch(`${again.origin}/news`);
    assert.equal(page.status, 200);
    assert.equal(await stop(again, "SIGINT"), 0);
  });
});

describe("commonplace serve with DEMO=0", () => {
  it("serves the site that init made, and nothing else", async () => {
    using line = await openSiteLine();
    await using served = await serve(line, { more: { DEMO: "0" } });
    const sitemap = await (await fetch(`${served.origin}/sitemap.xml`)).text();
    assert.ok(!sitemap.includes("/topics/"));
    assert.equal((await fetch(`${served.origin}/contact`)).status, 200);
    assert.equal(await stop(served, "SIGTERM"), 0);
  });
});

describe("a server whose PUBLIC_URL leads elsewhere", () => {
  it("greets with its local address too, where an account can be created before the move", async () => {
    using line = await openSiteLine();
    const more = { DEMO: "0", PUBLIC_URL: "https://quotations.example" };
    await using served = await serve(line, { more });
    const local = /Locally +(\S+)\/$/m.exec(served.output())?.[1];
    assert.match(local ?? "", /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await fetch(`${local}/admin/setup`)).status, 200);
  });
});

describe("a server behind a load balancer", () => {
  it("refuses readiness and goes on serving for a while before it stops", async () => {
    using line = await openSiteLine();
    await using served = await serve(line, { more: { DEMO: "0", DRAIN_SECONDS: "1" } });
    const statusOf = async (path: string) => (await fetch(served.origin + path)).status;
    assert.equal(await statusOf("/readyz"), 200);
    const exit = stop(served, "SIGTERM");
    await until(async () => (await statusOf("/readyz")) === 503);
    assert.deepEqual([await statusOf("/"), await statusOf("/healthz")], [200, 200]);
    assert.equal(await exit, 0);
  });
});

describe("a bulk under way when the server is told to stop", () => {
  it("ends in order, saying how far it came", async () => {
    using line = await openSiteLine();
    await using served = await serve(line, { more: { DEMO: "0" } });
    const words = ["keys", "issue", "--name", "Bulk", "--scope", "content:write", "--json"];
    const { key } = JSON.parse((await line.spawn(...words)).out);
    const { port } = new URL(served.origin);
    const bulk = request({
      ...{ port, method: "POST", path: "/api/v1/content/bulk" },
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/x-ndjson" },
    });
    bulk.write('{"type":"topic","title":"One","sourceKey":"1"}\n{"type":"topic","tit');
    const [response] = await once(bulk, "response");
    const lines = createInterface(response)[Symbol.asyncIterator]();
    const next = async () => JSON.parse(String((await lines.next()).value));
    assert.equal((await next()).outcome, "created");
    const exit = stop(served, "SIGTERM");
    assert.equal((await next()).summary.created, 1);
    assert.match((await next()).error.detail, /^The server is stopping/);
    assert.equal((await lines.next()).done, true);
    bulk.destroy();
    assert.equal(await exit, 0);
  });
});

describe("commonplace serve under npm", () => {
  it("ends with the shell npm started it in", { skip: process.platform === "win32" }, async () => {
    using line = await openSiteLine();
    await using served = await serve(line, {
      more: { DEMO: "0", npm_lifecycle_event: "start" },
      command: ["sh", "-c", `"${process.execPath}" "${MAIN}" serve; true`],
    });
    const group = -(served.process.pid ?? Number.NaN);
    await stop(served, "SIGTERM");
    try {
      await until(() =>
        fetch(served.origin).then(
          () => false,
          () => true,
        ),
      );
    } catch (error) {
      process.kill(group, "SIGKILL");
      throw error;
    }
  });
});

describe("commonplace check", () => {
  it("finds fault with a site that answers everything alike", async () => {
    using line = openCommandLine();
    const server = createServer((_request, response) => response.end("<h1>Welcome</h1>"));
    const address = `http://127.0.0.1:${await listening(server)}`;
    const { code, out } = await line.run("check", address, "--json");
    await ended(server);
    assert.equal(code, 1);
    const report: { passed: boolean; findings: { check: string; passed: boolean }[] } =
      JSON.parse(out);
    assert.equal(report.passed, false);
    assert.equal(report.findings.length, 18);
    assert.deepEqual(
      report.findings.filter(({ passed }) => passed),
      [],
    );
  });

  it("says that nobody answers", async () => {
    using line = openCommandLine();
    const { code, err } = await line.run("check", "http://127.0.0.1:9");
    assert.equal(code, 1);
    assert.match(err, /^error: Cannot reach http:\/\/127\.0\.0\.1:9: .+$/);
    assert.equal((await line.run("check", "example.org")).code, 2);
  });
});
