import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { type ApiClient, type Loose, openApiClient } from "../../support/api-client.ts";
import { openSiteLine } from "../../support/command-line.ts";
import { sendTo } from "../../support/send-to.ts";
import { serve, stop } from "../../support/served.ts";

/** As a stop does. */
async function tick(client: ApiClient): Promise<void> {
  await client.app.counting.saveAll();
}

async function statistics(client: ApiClient, query = ""): Promise<Loose> {
  const { status, body, text } = await client.request("GET", `/stats?${query}`);
  assert.equal(status, 200, text);
  return body;
}

describe("views of pages", () => {
  it("are reported by day, path and form, and addresses where nothing is", async () => {
    await using api = await openApiClient({ ticks: false });
    const paths = [
      "/topics",
      "/topics",
      "/topics?page=1",
      "/topics.md",
      "/llms.txt",
      "/old",
      "/old",
    ];
    for (const path of paths) await api.app.get(path);
    await api.app.get("/topics", { Accept: "text/markdown" });
    await sendTo(api.app.http, "/topics", { method: "HEAD" });
    await tick(api);
    await api.app.get("/topics");
    await tick(api);
    const { views } = await statistics(api);
    assert.deepEqual(views, {
      total: 4,
      byDay: [
        { day: "2026-11-20", kind: "markdown", count: 2 },
        { day: "2026-11-20", kind: "missing", count: 2 },
        { day: "2026-11-20", kind: "page", count: 4 },
      ],
      top: [{ path: "/topics", count: 6 }],
      missing: [{ path: "/old", count: 2 }],
    });
    assert.equal((await statistics(api, "until=2026-11-19")).views.total, 0);
  });

  it("are saved every ten seconds, and for the day on which they were made", async () => {
    await using api = await openApiClient({ ticks: false });
    const { counting } = api.app;
    const total = async () => (await statistics(api, "until=2026-11-30")).views.total;
    await counting.saveAll();
    await api.app.get("/topics");
    await counting.saveDue();
    assert.equal(await total(), 0);
    api.clock.now = new Date(api.clock.now.getTime() + 11_000);
    await counting.saveDue();
    assert.equal(await total(), 1);
    await api.app.get("/topics");
    await counting.saveDue();
    assert.equal(await total(), 1);
    api.clock.now = new Date("2026-11-21T00:00:00.500Z");
    await counting.saveDue();
    assert.deepEqual((await statistics(api)).views.byDay, [
      { day: "2026-11-20", kind: "page", count: 2 },
    ]);
  });

  it("count for the day on which they were made, however late they are saved", async () => {
    await using api = await openApiClient({ ticks: false });
    const { counting } = api.app;
    await counting.saveAll();
    api.clock.now = new Date("2026-11-20T23:59:59.900Z");
    await api.app.get("/topics");
    api.clock.now = new Date("2026-11-21T00:00:00.100Z");
    await api.app.get("/topics");
    await api.app.get("/topics");
    await api.app.sql("ALTER TABLE views RENAME TO unreachable");
    await assert.rejects(counting.saveAll());
    await api.app.sql("ALTER TABLE unreachable RENAME TO views");
    await api.app.get("/topics");
    await counting.saveAll();
    assert.deepEqual((await statistics(api)).views.byDay, [
      { day: "2026-11-20", kind: "page", count: 1 },
      { day: "2026-11-21", kind: "page", count: 3 },
    ]);
  });

  it("are counted for pages that are repeated from memory at the socket", async () => {
    const line = await openSiteLine();
    await using served = await serve(line);
    for (let n = 0; n < 5; n += 1) await (await fetch(`${served.origin}/about`)).text();
    await stop(served, "SIGINT");
    using db = new DatabaseSync(join(line.folder, "data/commonplace.db"));
    const rows = db
      .prepare("SELECT path, count FROM views WHERE kind = 'page' ORDER BY path")
      .all();
    assert.deepEqual(
      rows.map(({ path, count }) => [path, count]),
      [
        ["", 5],
        ["/about", 5],
      ],
    );
    line[Symbol.dispose]();
  });

  it("tell nothing of who asked: no cookie is set, and the rows have a day, a form, a path and a number", async () => {
    await using api = await openApiClient({ ticks: false });
    const headers = {
      "X-Forwarded-For": "203.0.113.77",
      "User-Agent": "Unmistakable/1.0",
      Cookie: "visitor=unmistakable",
      Referer: "https://unmistakable.example/",
    };
    const answer = await api.app.get("/topics?who=unmistakable", headers);
    assert.equal(answer.headers.get("set-cookie"), null);
    for (const path of [
      "/people/ada@example.org",
      "/people/ada%2540example.org",
      "/people/ada(at)example.org",
      "/call/+43-660-123%2045%2067",
      "/reset/6f1e2d3c-0a1b-4c2d-8e3f-0123456789ab",
      "/share/aB3kLm9xQ",
      `/go/${"Token".repeat(9)}`,
      `/unsubscribe/${"4f9a8b7c6d5e4f3a2b1c"}`,
      "/reset/password=hunter2",
      `/${"x".repeat(400)}`,
    ]) {
      await api.app.get(path, headers);
    }
    // Addresses of a former site are kept.
    await api.app.get("/2019/05/12/choir-trip-2", headers);
    await tick(api);
    const rows = await api.app.sql("SELECT * FROM views WHERE path <> '' ORDER BY path");
    assert.deepEqual(
      rows.map((row) => Object.entries(row).map(String)),
      [
        ["day,2026-11-20", "kind,missing", "path,/2019/05/12/choir-trip-2", "count,1"],
        ["day,2026-11-20", "kind,page", "path,/topics", "count,1"],
      ],
    );
  });

  it("are kept of the paths most asked for, and addresses only of those", async () => {
    await using api = await openApiClient({ ticks: false });
    for (let n = 0; n < 2600; n += 1) {
      await api.app.get(`/gone/${n}`);
      if (n < 3) await api.app.get(`/gone/${n}`);
      if (n % 1000 === 999) await tick(api);
    }
    await tick(api);
    const { views } = await statistics(api, "limit=4");
    assert.equal(views.byDay[0].count, 2603);
    assert.deepEqual(
      views.missing.map(({ count }: Loose) => count),
      [2, 2, 2, 1],
    );
    const [kept] = await api.app.sql("SELECT count(*) AS count FROM views WHERE path <> ''");
    assert(Number(kept?.["count"]) <= 2500, JSON.stringify(kept));
  });
});
