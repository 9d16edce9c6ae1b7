import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openCommandLine } from "../support/command-line.ts";
import { type Served, serve, stop } from "../support/served.ts";
import { until } from "../support/until.ts";

describe("two workers on one port", () => {
  const line = openCommandLine({ LOG_LEVEL: "info", DEMO: "0", WORKERS: "2" });
  let served: Served;

  before(async () => {
    await line.run("init");
    served = await serve(line);
  });

  after(() => {
    served.process.kill("SIGKILL");
    line[Symbol.dispose]();
  });

  it("accept exactly 60 of 200 requests with one key between them", async () => {
    assert.equal(new Set(workers(served)).size, 2);
    const key = await issue("Busy");
    const statuses = await Promise.all(Array.from({ length: 200 }, () => ping(served, key)));
    assert.equal(statuses.filter((status) => status === 200).length, 60);
    assert.equal(statuses.filter((status) => status === 429).length, 140);
    assert.equal(await ping(served, await issue("Another")), 200);
  });

  it("show on the next request what one of them changed", async () => {
    const scopes = ["content:read", "content:write", "content:publish"];
    const key = await issue("Editor", ...scopes.flatMap((scope) => ["--scope", scope]));
    for (let round = 1; round <= 5; round += 1) {
      const path = `/topics/t-${round}`;
      assert.deepEqual(await statusesOf(path), new Set([404]));
      const body = JSON.stringify({ type: "topic", title: "T", path, status: "published" });
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const made = await ask(served, "/api/v1/content", { method: "POST", headers, body });
      assert.equal(made.statusCode, 201);
      assert.deepEqual(await statusesOf(path), new Set([200]));
    }
  });

  it("are replaced when they exit unexpectedly", async () => {
    const [lost = 0] = workers(served);
    process.kill(lost, "SIGKILL");
    while (workers(served).length < 3) await sleep(50);
    assert.match(served.output(), /"A worker ended and is replaced"/);
    assert.deepEqual(await statusesOf("/"), new Set([200]));
  });

  it("stop cleanly, and keep the limits over a restart", async () => {
    const key = await issue("Restarted");
    for (let count = 0; count < 60; count += 1) assert.equal(await ping(served, key), 200);
    const all = workers(served);
    assert.equal(await stop(served, "SIGTERM"), 0);
    for (const pid of all) assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
    served = await serve(line);
    assert.equal(await ping(served, key), 429);
  });

  it("tell of damage that the first process has found", async () => {
    assert.equal(await stop(served, "SIGTERM"), 0);
    {
      using db = new DatabaseSync(join(line.folder, "data", "commonplace.db"));
      db.exec("UPDATE items SET body = body || 'x'");
    }
    served = await serve(line);
    await until(async () => {
      const texts = await Promise.all(Array.from({ length: 6 }, () => textAt("/readyz")));
      return texts.every((each) => each.includes("the record is damaged"));
    });
  });

  it("exit with the first process, however it exits", async () => {
    const all = workers(served);
    served.process.kill("SIGKILL");
    await once(served.process, "exit");
    const isAlive = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    while (all.some(isAlive)) await sleep(50);
  });

  async function issue(name: string, ...more: string[]): Promise<string> {
    return (await line.run("keys", "issue", "--name", name, ...more)).out;
  }

  async function textAt(path: string): Promise<string> {
    return (await ask(served, path, {})).body;
  }

  async function statusesOf(path: string): Promise<Set<number | undefined>> {
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(served, path, {})));
    return new Set(answers.map(({ statusCode }) => statusCode));
  }
});

/** Process ids, as the log tells them. */
function workers(served: Served): number[] {
  const told = served.output().matchAll(/"worker":(\d+),"msg":"A worker listens"/g);
  return [...told].map(([, pid]) => Number(pid));
}

async function ping(served: Served, key: string): Promise<number | undefined> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  return (await ask(served, "/mcp", { method: "POST", headers, body })).statusCode;
}

/** Each by a connection of its own, which go to the workers in turn. */
async function ask(
  { origin }: Served,
  path: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<{ statusCode: number | undefined; body: string }> {
  return await new Promise((resolve, reject) => {
    request(origin + path, { method, headers, agent: false }, (answer) => {
      const { statusCode } = answer;
      text(answer).then((body) => resolve({ statusCode, body }), reject);
    })
      .on("error", reject)
      .end(body);
  });
}
