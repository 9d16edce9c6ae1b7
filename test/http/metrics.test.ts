import assert from "node:assert/strict";
import type { Server } from "node:http";
import { after, before, describe, it } from "node:test";
import { SCOPES } from "../../src/access/actor.ts";
import type { ReplicaStatus } from "../../src/http/dependencies.ts";
import { createHttpHandler } from "../../src/http/front.ts";
import { formatPrometheusText, METRIC_FAMILIES } from "../../src/metrics/text.ts";
import { type ApiClient, openApiClient } from "../support/api-client.ts";
import { idleParts } from "../support/http-parts.ts";
import { ended, listening } from "../support/listening.ts";
import { sendTo } from "../support/send-to.ts";

let client: ApiClient;
let origin = "";
let metricsOrigin = "";
let metricsServer: Server;

before(async () => {
  client = await openApiClient();
  origin = await originOf(client.app.server);
  metricsServer = client.app.metrics.server(() => [
    ['commonplace_requests_total{door="page",status="2xx"}', 1000],
  ]);
  metricsOrigin = await originOf(metricsServer);
});

after(async () => {
  await ended(client.app.server);
  await ended(metricsServer);
  await client[Symbol.asyncDispose]();
});

async function originOf(server: Server): Promise<string> {
  return `http://127.0.0.1:${await listening(server)}`;
}

async function fetched(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(`${origin}${path}`, { headers });
  await response.arrayBuffer();
  return response;
}

async function told(): Promise<Map<string, number>> {
  const text = await (await fetch(`${metricsOrigin}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

describe("/metrics", () => {
  it("has the findings of the latest health check", async () => {
    assert(![...(await told()).keys()].some((name) => name.startsWith("commonplace_health")));
    const { noteFindings } = client.app.metrics;
    noteFindings([{ check: "mail", state: "bad" }]);
    noteFindings([
      { check: "disk", state: "bad" },
      { check: "mail", state: "good" },
    ]);
    const found = await told();
    assert.equal(found.get('commonplace_health{check="disk"}'), 2);
    assert.equal(found.get('commonplace_health{check="mail"}'), 0);
  });

  it("is for keys with metrics:read alone", async () => {
    const key = await client.issue("metrics:read");
    const others = await client.issue(...SCOPES.filter((scope) => scope !== "metrics:read"));
    const none = await client.app.get("/metrics");
    assert.equal(none.status, 401);
    assert.match(none.headers.get("www-authenticate") ?? "", /^Bearer realm="[^"]+\/metrics"$/);
    const refused = await client.app.get("/metrics", { Authorization: `Bearer ${others}` });
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /lacks the scope metrics:read/);
    const wrong = await client.app.get("/metrics", { Authorization: "Bearer cpl_x" });
    assert.equal(wrong.status, 401);

    const answer = await client.app.get("/metrics", { Authorization: `Bearer ${key}` });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    assert.match(await answer.text(), /^# HELP commonplace_info /);
  });

  it("applies the rate limit of the key", async () => {
    const { key } = await client.issueWith({ scopes: ["metrics:read"], ratePerMinute: 2 });
    const statuses: number[] = [];
    for (let request = 0; request < 3; request += 1) {
      statuses.push((await client.app.get("/metrics", { Authorization: `Bearer ${key}` })).status);
    }
    assert.deepEqual(statuses, [200, 200, 429]);
  });
});

describe("metrics", () => {
  it("count answers by door and status, with what other processes have counted", async () => {
    const start = await told();
    for (const path of ["/", "/", "/", "/gone-for-good", "/media/none.png"]) await fetched(path);
    await fetched("/api/v1/", { Authorization: `Bearer ${client.key}` });
    const { key } = await client.issueWith({ scopes: ["mcp:read"], ratePerMinute: 2 });
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_topics" } };
    for (let request = 0; request < 3; request += 1) {
      await fetch(`${origin}/mcp`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify(call),
      });
    }
    const end = await told();
    const more = (series: string) => (end.get(series) ?? 0) - (start.get(series) ?? 0);
    const requests = (door: string, status: string) =>
      more(`commonplace_requests_total{door="${door}",status="${status}"}`);
    assert.deepEqual(
      [requests("page", "2xx"), requests("page", "4xx"), requests("media", "4xx")],
      [3, 1, 1],
    );
    assert.deepEqual(
      [requests("api", "2xx"), requests("mcp", "2xx"), requests("mcp", "4xx")],
      [1, 2, 1],
    );
    assert.equal(more("commonplace_repeated_answers_total"), 2);
    assert.equal(more('commonplace_mcp_calls_total{tool="list_topics"}'), 2);
    assert.equal(more('commonplace_rate_refusals_total{door="mcp"}'), 1);
    assert.equal(more('commonplace_request_seconds_count{door="page"}'), 4);
    assert.equal(more('commonplace_request_seconds_bucket{door="page",le="+Inf"}'), 4);
    assert((end.get('commonplace_requests_total{door="page",status="2xx"}') ?? 0) > 1000);
    assert((end.get('commonplace_items_published{type="topic"}') ?? 0) > 0);
    assert((end.get("process_resident_memory_bytes") ?? 0) > 10_000_000);
  });

  it("contain nothing about callers or requests", async () => {
    const { key, record } = await client.issueWith({
      name: "Very particular",
      scopes: ["mcp:read"],
    });
    await fetched("/search?q=particularly");
    await fetched("/topics/time?particular=1");
    await fetch(`${origin}/mcp`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "particular", params: {} }),
    });
    const text = await (await fetch(`${metricsOrigin}/metrics`)).text();
    for (const secret of ["articular", record.id, key, "topics/time", "127.0.0.1"]) {
      assert(!text.includes(secret), secret);
    }
  });

  it("are nowhere else at their port, and for reading only", async () => {
    assert.equal((await fetch(`${metricsOrigin}/`)).status, 404);
    assert.equal((await fetch(`${metricsOrigin}/metrics`, { method: "POST" })).status, 405);
  });

  it("are declared in the table with their kinds; an undeclared metric is an error", () => {
    assert.equal(new Set(METRIC_FAMILIES.map(({ name }) => name)).size, METRIC_FAMILIES.length);
    assert.throws(() => formatPrometheusText([["commonplace_unheard_of", 1]]), /in no family/);
  });
});

describe("/readyz", () => {
  const READY: [when: string, replicaStatus: ReplicaStatus | null, status: number, text: RegExp][] =
    [
      ["with one store", null, 200, /^ready$/m],
      ["current", replicaStatusWith({}), 200, /^ready$/m],
      ["a little behind", replicaStatusWith({ isCurrent: false, lagSeconds: 2 }), 200, /^ready$/m],
      [
        "far behind",
        replicaStatusWith({ isCurrent: false, lagSeconds: 30 }),
        503,
        /30 seconds behind/,
      ],
      [
        "without a database",
        replicaStatusWith({ isReachable: false, lagSeconds: 600 }),
        200,
        /changes .* wait/,
      ],
    ];
  for (const [when, replicaStatus, status, text] of READY) {
    it(`answers ${status}: ${when}`, async () => {
      const app = createHttpHandler({
        ...idleParts(client.app.reading),
        replicaStatus: () => replicaStatus,
      });
      const answer = await sendTo(app, "/readyz");
      assert.equal(answer.status, status);
      assert.match(await answer.text(), text);
    });
  }
});

describe("/status.json", () => {
  const STATES: [replicaStatus: ReplicaStatus | null, status: number, body: object][] = [
    [null, 200, { status: "up", reading: true, changing: true }],
    [
      replicaStatusWith({ isReachable: false }),
      200,
      { status: "degraded", reading: true, changing: false },
    ],
    [
      replicaStatusWith({ isCurrent: false, lagSeconds: 30 }),
      503,
      { status: "down", reading: false, changing: false },
    ],
  ];
  for (const [replicaStatus, status, body] of STATES) {
    it(`says ${Object.values(body)[0]} and nothing else`, async () => {
      const parts = { ...idleParts(client.app.reading), replicaStatus: () => replicaStatus };
      const answer = await sendTo(createHttpHandler(parts), "/status.json");
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get("cache-control"), "no-store");
      assert.equal(answer.headers.get("access-control-allow-origin"), "*");
      assert.deepEqual(await answer.json(), body);
    });
  }
});

function replicaStatusWith(more: Partial<ReplicaStatus>): ReplicaStatus {
  return { isCurrent: true, isReachable: true, position: 7, lagSeconds: 0, ...more };
}
