import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type ApiClient, openApiClient } from "../../support/api-client.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

interface Entry {
  number: number;
  at: string;
  actor: string;
  action: string;
  target: string;
}

/** Entries beyond those of the fixture, every minute one from midnight on. */
async function fill(client: ApiClient, count: number): Promise<void> {
  const entries = Array.from({ length: count }, (_, n) => {
    const at = new Date(Date.UTC(2026, 11, 1) + n * 60_000).toISOString();
    const action = n % 1000 === 0 ? "rare.event" : "common.event";
    return `('${at}', '${n % 2 === 0 ? "even" : "odd"}', '${action}', '/n/${n}')`;
  });
  await client.app.sql(`INSERT INTO audit (at, actor, action, target) VALUES ${entries.join()}`);
}

async function entries(query: string): Promise<Entry[]> {
  const { status, body, text } = await api.request("GET", `/audit?${query}`);
  assert.equal(status, 200, text);
  return body.items;
}

async function exported(query: string, client = api): Promise<Entry[]> {
  const { status, headers, text } = await client.request("GET", `/audit/export?${query}`);
  assert.equal(status, 200, text);
  assert.equal(headers.get("content-type"), "application/x-ndjson");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

await fill(api, 25_000);

describe("the audit log", () => {
  it("is read from its latest entry back, page by page, to the very first", async () => {
    const numbers: number[] = [];
    let cursor: string | null = null;
    do {
      const place: string = cursor === null ? "" : `&cursor=${cursor}`;
      const { body } = await api.request("GET", `/audit?action=rare&limit=4${place}`);
      numbers.push(...body.items.map(({ number }: Entry) => number));
      cursor = body.nextCursor;
    } while (cursor !== null);
    assert.equal(numbers.length, 25);
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => b - a),
    );
    const [latest] = await entries("limit=1");
    const first = await entries(`target=site&limit=1`);
    assert.equal(latest?.target, "/n/24999");
    assert.equal(first[0]?.number, 1);
  });

  it("is searched by actor, beginning of the action, target and time", async () => {
    const actions = (found: Entry[]) => [...new Set(found.map(({ action }) => action))];
    assert.deepEqual(actions(await entries("action=key.&limit=100")), ["key.issue"]);
    assert.deepEqual(actions(await entries("action=key.issue")), ["key.issue"]);
    assert.deepEqual(await entries("action=ey.issue"), []);
    assert.deepEqual(await entries("action=%25"), []);
    const [one, ...more] = await entries("target=/n/7");
    assert.deepEqual([one?.actor, more.length], ["odd", 0]);
    const odd = await entries("actor=odd&limit=3");
    assert.deepEqual(
      odd.map(({ target }) => target),
      ["/n/24999", "/n/24997", "/n/24995"],
    );
    const minute = "2026-12-02T00:00:00.000Z";
    const [at] = await entries(`since=${minute}&until=${minute}`);
    assert.equal(at?.target, "/n/1440");
    const day = await exported("since=2026-12-02&until=2026-12-02");
    assert.deepEqual(
      [day.length, day[0]?.target, day.at(-1)?.target],
      [1440, "/n/1440", "/n/2879"],
    );
    const zone = await entries(
      "since=2026-12-02T01:00:00%2B01:00&until=2026-12-02T01:00:00%2B01:00",
    );
    assert.equal(zone[0]?.target, "/n/1440");
  });

  it("is exported in full, oldest first, as a stream", async () => {
    const all = await exported("");
    assert.deepEqual(
      all.map(({ number }) => number),
      all.map((_, at) => at + 1),
    );
    assert(all.length > 25_000);
    const rare = await exported("action=rare");
    assert.equal(rare.length, 25);
    assert.deepEqual(await exported("actor=nobody"), []);
  });

  it("reports an invalid query", async () => {
    const cases: [query: string, fault: RegExp][] = [
      ["since=yesterday", /since: is not a day, such as 2026-11-21, and not a moment/],
      ["until=2026-02-30", /until: is not a day/],
      ["actor=", /actor: is empty/],
      ["limit=1000", /limit: /],
      ["cursor=eyJ", /This cursor is damaged/],
      ["who=me", /keys that mean nothing here: who/],
    ];
    for (const [query, fault] of cases) {
      const { status, body } = await api.request("GET", `/audit?${query}`);
      assert.equal(status, 400, query);
      assert.match(body.detail, fault);
    }
    const { status, body } = await api.request("GET", "/audit/export?since=x");
    assert.deepEqual([status, body.title], [400, "Bad Request"]);
    const first = await api.request("GET", "/audit?actor=odd&limit=1");
    const wrong = await api.request("GET", `/audit?actor=even&cursor=${first.body.nextCursor}`);
    assert.match(wrong.body.detail, /This cursor belongs to another query/);
  });

  it("never has a key in it", async () => {
    const key = await api.issue("keys:manage", "audit:read");
    await api.request("POST", "/keys", { key, body: { name: "n", scopes: ["mcp:read"] } });
    assert.doesNotMatch(JSON.stringify(await exported("")), /cpl_[0-9A-Za-z]/);
  });
});
