import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { issueKey } from "../../../src/access/keys/keys.ts";
import { purgeOldStatistics } from "../../../src/access/statistics.ts";
import { openRecordForCommand } from "../../../src/app/store.ts";
import { readConfig } from "../../../src/config.ts";
import { type ApiClient, type Loose, openApiClient } from "../../support/api-client.ts";
import { openSiteLine } from "../../support/command-line.ts";
import { onlyOnSqlite } from "../../support/engine.ts";
import { sendTo } from "../../support/send-to.ts";
import { serve, stop } from "../../support/served.ts";
import { until } from "../../support/until.ts";

const DAY_MILLISECONDS = 86_400_000;

async function tool(client: ApiClient, key: string, name: string, args: object): Promise<Loose> {
  return await mcp(client, key, "tools/call", { name, arguments: args });
}

async function mcp(client: ApiClient, key: string, method: string, params = {}): Promise<Loose> {
  const response = await sendTo(client.app.http, "/mcp", {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      Host: "quotations.example",
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const body: Loose = await response.json();
  return { status: response.status, ...body };
}

/** As the clock does each second. */
async function tick(client: ApiClient): Promise<void> {
  await client.app.counting.saveAll();
}

async function search(client: ApiClient, text: string, more = ""): Promise<void> {
  const { status } = await client.app.get(`/search?q=${encodeURIComponent(text)}${more}`);
  assert.equal(status, 200);
}

async function statistics(client: ApiClient, query = ""): Promise<Loose> {
  const { status, body, text } = await client.request("GET", `/stats?${query}`);
  assert.equal(status, 200, text);
  return body;
}

describe("the use of a key", () => {
  it("is counted by day and tool, in both services, for accepted requests", async () => {
    await using api = await openApiClient({ ticks: false });
    const { key, record } = await api.issueWith({
      scopes: ["mcp:read", "content:read"],
      ratePerMinute: 8,
    });
    await mcp(api, key, "tools/list");
    await tool(api, key, "search_content", { query: "time" });
    await tool(api, key, "search_content", { query: "" });
    await tool(api, key, "drop_tables", {});
    await mcp(api, key, "secrets/list");
    await api.request("GET", "/content", { key });
    await api.request("GET", "/content/nothing", { key });
    await api.request("GET", "/keys", { key });
    await tick(api);
    api.clock.now = new Date(api.clock.now.getTime() + DAY_MILLISECONDS);
    await tool(api, key, "list_topics", {});
    await tick(api);
    const { status, body } = await api.request("GET", `/keys/${record.id}/usage`);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      since: "2026-10-23",
      until: "2026-11-21",
      total: 8,
      items: [
        { day: "2026-11-20", tool: "api GET /content", count: 1 },
        { day: "2026-11-20", tool: "api GET /content/{id}", count: 1 },
        { day: "2026-11-20", tool: "other", count: 2 },
        { day: "2026-11-20", tool: "search_content", count: 2 },
        { day: "2026-11-20", tool: "tools/list", count: 1 },
        { day: "2026-11-21", tool: "list_topics", count: 1 },
      ],
    });
    const oneDay = await api.request("GET", `/keys/${record.id}/usage?since=2026-11-21`);
    assert.equal(oneDay.body.total, 1);
  });

  it("excludes refused requests, and affects no limit", async () => {
    await using api = await openApiClient({ ticks: false });
    const { key, record } = await api.issueWith({ scopes: ["mcp:read"], ratePerMinute: 3 });
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      statuses.push((await mcp(api, key, "tools/list")).status);
      await tick(api);
    }
    assert.deepEqual(statuses, [200, 200, 200, 429, 429, 429]);
    const { body } = await api.request("GET", `/keys/${record.id}/usage`);
    assert.deepEqual(body.items, [{ day: "2026-11-20", tool: "tools/list", count: 3 }]);
  });

  it("says what is wrong with a period", async () => {
    await using api = await openApiClient({ ticks: false });
    const { record } = await api.issueWith({});
    const cases: [query: string, fault: RegExp][] = [
      ["since=2026-11-21&until=2026-11-20", /from 2026-11-21 to 2026-11-20 ends before it begins/],
      ["since=2025-01-01&until=2026-11-20", /is longer than 400 days/],
      ["since=today", /since: is not a day, such as 2026-11-21/],
      ["until=2026-02-29", /until: is not a day/],
    ];
    for (const path of [`/keys/${record.id}/usage`, "/stats"]) {
      for (const [query, fault] of cases) {
        const { status, body } = await api.request("GET", `${path}?${query}`);
        assert.equal(status, 400, query);
        assert.match(body.detail, fault);
      }
    }
    assert.equal((await api.request("GET", "/keys/nothing/usage")).status, 404);
    assert.equal(
      (await api.request("GET", "/stats?since=0001-01-01&until=0001-02-01")).status,
      200,
    );
    assert.equal((await api.request("GET", "/stats?until=9999-12-31")).status, 200);
  });
});

describe("the statistics", () => {
  it("report searches, their source, and those without a result", async () => {
    await using api = await openApiClient({ ticks: false });
    const key = await api.issue("mcp:read");
    for (const text of ["Time", "  time ", "xyzzyplugh", "TÍME", "Mühle"]) await search(api, text);
    await search(api, "time", "&page=2");
    await tool(api, key, "search_content", { query: "time" });
    await tool(api, key, "search_content", { query: "xyzzyplugh frotz" });
    await tick(api);
    const { searches, use, since, until } = await statistics(api);
    assert.deepEqual([since, until], ["2026-10-22", "2026-11-20"]);
    assert.deepEqual(searches.byDay, [
      { day: "2026-11-20", source: "mcp", searches: 2, withoutResult: 1 },
      { day: "2026-11-20", source: "page", searches: 5, withoutResult: 2 },
    ]);
    assert.deepEqual([searches.total, searches.withoutResult], [7, 3]);
    const [top] = searches.top;
    assert.deepEqual([top.text, top.count], ["time", 4], "as it was typed most");
    assert(top.hits > 0);
    assert.deepEqual(searches.topWithoutResult, [
      { text: "Mühle", count: 1 },
      { text: "xyzzyplugh", count: 1 },
      { text: "xyzzyplugh frotz", count: 1 },
    ]);
    assert.deepEqual(use.byTool, [{ tool: "search_content", count: 2 }]);
    assert.deepEqual(
      use.byKey.map(({ name, count }: Loose) => [name, count]),
      [["test", 2]],
    );
    assert.deepEqual(use.byDay, [{ day: "2026-11-20", count: 2 }]);
    const one = await statistics(api, "limit=1");
    assert.deepEqual([one.searches.top.length, one.searches.topWithoutResult.length], [1, 1]);
    assert.equal((await statistics(api, "until=2026-11-19")).searches.total, 0);
  });

  it("store no secret or address that was searched for", async () => {
    await using api = await openApiClient({ ticks: false });
    const key = await api.issue("mcp:read");
    const texts = [
      `my key ${key} is lost`,
      key.toLowerCase(),
      "ada@example.org letters",
      "password=hunter2",
      "api_key: sk-proj-4f9a8b7c6d5e4f3a2b1c",
      "Bearer abcdef",
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
    ];
    for (const query of texts) await tool(api, key, "search_content", { query });
    await search(api, "letters to lucilius 1887");
    await tick(api);
    const { searches } = await statistics(api);
    const told = JSON.stringify(searches);
    for (const secret of [
      key.slice(4, 30).toLowerCase(),
      "ada@",
      "hunter2",
      "4f9a",
      "abcdef",
      "eyj",
    ]) {
      assert(!told.toLowerCase().includes(secret), `${secret} in ${told}`);
    }
    assert(searches.top.some(({ text }: Loose) => text === "letters to lucilius 1887"));
    assert(searches.top.some(({ text }: Loose) => text === "[redacted] letters"));
  });

  it("keep at most about 2,000 texts of a day, the frequent ones, and count all searches", async () => {
    await using api = await openApiClient({ ticks: false });
    const { counting } = api.app;
    for (let n = 0; n < 3000; n += 1) {
      counting.noteSearch({ source: "page", text: `rare ${n}`, hits: 0 });
      counting.noteSearch({ source: "mcp", text: "frequent", hits: 5 });
      if (n % 300 === 299) await counting.saveAll();
    }
    const [day] = (await statistics(api)).searches.byDay.filter(
      ({ source }: Loose) => source === "page",
    );
    assert.equal(day.searches, 3000);
    const texts = await api.app.record.searches.textsOfDay("2026-11-20");
    assert(texts.length >= 2000 && texts.length <= 2301, `${texts.length} texts`);
    assert(texts.some(({ text, count }) => text === "frequent" && count === 3000));
    assert(
      texts.some(({ text }) => text === "rare 2999"),
      "the latest of the rare are kept",
    );
  });

  it("forget texts after 90 days or as the settings say, and counts after 400", async () => {
    await using api = await openApiClient({ ticks: false });
    const { counting, record } = api.app;
    counting.noteSearch({ source: "page", text: "old", hits: 1 });
    counting.countUse("k", "tools/list");
    await counting.saveAll();
    const later = async (days: number) => {
      api.clock.now = new Date(Date.UTC(2026, 10, 20) + days * DAY_MILLISECONDS);
      await purgeOldStatistics(record, api.clock.now);
      const period = { since: "2026-11-20", until: "2026-11-20" };
      return [
        (await record.searches.textsOfDay("2026-11-20")).length,
        (await record.searches.days(period)).length,
        (await record.keyUse.ofDay("2026-11-20")).length,
      ];
    };
    const keep = async (statisticsDays: number) => {
      const patch = { body: { retention: { statisticsDays } }, headers: { "If-Match": "*" } };
      return (await api.request("PATCH", "/settings", patch)).status;
    };
    assert.deepEqual(await later(90), [1, 1, 1]);
    assert.deepEqual([await keep(401), await keep(95)], [400, 200]);
    assert.deepEqual(await later(95), [1, 1, 1]);
    assert.deepEqual(await later(96), [0, 1, 1]);
    assert.deepEqual(await later(400), [0, 1, 1]);
    assert.deepEqual(await later(401), [0, 0, 0]);
  });

  it("lose nothing when the store cannot be written for a while", onlyOnSqlite(), async () => {
    await using api = await openApiClient({ ticks: false });
    const { counting, record } = api.app;
    counting.noteSearch({ source: "page", text: "kept", hits: 1 });
    counting.countUse("k", "tools/list");
    using db = new DatabaseSync(`${api.app.dataDir}/commonplace.db`);
    db.exec("CREATE TRIGGER full BEFORE INSERT ON key_use BEGIN SELECT RAISE(ABORT, 'full'); END");
    await assert.rejects(counting.saveAll(), /full/);
    db.exec("DROP TRIGGER full");
    counting.countUse("k", "tools/list");
    await counting.saveAll();
    assert.deepEqual(await record.keyUse.ofDay("2026-11-20"), [
      { keyId: "k", day: "2026-11-20", tool: "tools/list", count: 2 },
    ]);
    assert.equal((await statistics(api)).searches.total, 1);
  });
});

describe("a server as a process", onlyOnSqlite(), () => {
  it("has counted everything right after a restart, also what two workers did", async () => {
    using line = await openSiteLine({ DEMO: "0", LOG_LEVEL: "error", WORKERS: "2" });
    await using server = await serve(line);
    const config = readConfig(line.environment);
    const { key, id } = await issued(config);
    await Promise.all([
      ask(server.origin, key, 40),
      ask(server.origin, key, 60),
      findNothing(server.origin),
      findNothing(server.origin),
    ]);
    await stop(server, "SIGTERM");
    await using record = await openRecordForCommand(config);
    const today = new Date().toISOString().slice(0, 10);
    const use = await record.keyUse.ofKey(id, { since: "2000-01-01", until: today });
    const count = use.reduce((sum, each) => sum + each.count, 0);
    assert.deepEqual([count, use[0]?.tool], [100, "ping"]);
    const days = await record.searches.days({ since: "2000-01-01", until: today });
    assert.equal(
      days.reduce((sum, { searches }) => sum + searches, 0),
      2,
    );
    assert.equal((await record.keys.byId(id))?.lastUsedAt?.slice(0, 10), today);
  });
});

/** Repeats a search that a busy server refuses with 503. */
async function findNothing(url: string): Promise<void> {
  await until(async () => (await fetch(`${url}/search?q=nothing+there`)).status === 200);
}

async function issued(
  config: Parameters<typeof openRecordForCommand>[0],
): Promise<{ key: string; id: string }> {
  await using record = await openRecordForCommand(config);
  const input = { name: "Busy", scopes: ["mcp:read"] as const, ratePerMinute: 1000 };
  const { key, record: made } = await issueKey(
    record.keys,
    { kind: "operator" },
    input,
    new Date(),
  );
  return { key, id: made.id };
}

async function ask(url: string, key: string, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: n, method: "ping", params: {} }),
    });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
  }
}
