import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { DEFAULT_DESK_TIMEOUTS } from "../../src/storage/desk/following.ts";
import { type ApiClient, openApiClient } from "../support/api-client.ts";
import { openContactSite, REQUEST } from "../support/contact.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { openWay } from "../support/way-to-database.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Writes from 16 clients to a PostgreSQL that is 50 ms away (round trip), suspended, or locked by another
 * session: `npm run prove:far-database`. Takes less than a minute.
 */
const CLIENTS = 16;
const ONE_WAY_MILLISECONDS = 25;
const SECONDS = 4;
const ANSWERED_MILLISECONDS_MAX = 3000;
const WRITES_PER_SECOND_MIN = 20;
const RECORD_LOCK = 4_022_250_974;

interface Load {
  statuses: Map<number, number>;
  slowest: number;
  perSecond: number;
}

/** The connection is measured, not the disk. */
await using postgres = await startPrivatePostgres(["fsync=off"]);
await using way = await openWay(postgres.url);
await using api = await openApiClient({
  config: { databaseUrl: way.url },
  deskTimeouts: DEFAULT_DESK_TIMEOUTS,
});
await using contact = await openContactSite({ config: { databaseUrl: way.url } });
const items = await Promise.all(Array.from({ length: CLIENTS }, (_, at) => createItem(at)));
const verdicts: Verdict[] = [];

way.delay(ONE_WAY_MILLISECONDS);
await load(1);
const slowest = await slowestSingleWrite();
const far = await load(SECONDS);
verdicts.push(
  {
    what: "50 ms away: each kind of write within 3 s",
    isOfTime: true,
    passed: slowest <= ANSWERED_MILLISECONDS_MAX,
    detail: `slowest ${slowest} ms`,
  },
  ...answered("50 ms away", far, 200),
  {
    what: `50 ms away: ≥ ${WRITES_PER_SECOND_MIN} writes/s from ${CLIENTS} clients`,
    isOfTime: true,
    passed: far.perSecond >= WRITES_PER_SECOND_MIN,
    detail: `${far.perSecond.toFixed(1)} writes/s`,
  },
);
way.delay(0);
await load(1);

postgres.halt();
verdicts.push(...answered("halted", await load(SECONDS), 503));
const page = await api.app.get("/topics/time");
verdicts.push({ what: "halted: pages go on", passed: page.status === 200, detail: "" });
postgres.resume();
const resumed = performance.now();
while ((await patch(0, "resumed")) !== 200 && performance.now() - resumed < 30_000) await sleep(50);
const recovery = Math.round(performance.now() - resumed);
verdicts.push({
  what: "resumed: writing goes on by itself",
  isOfTime: true,
  passed: recovery < 10_000,
  detail: `after ${recovery} ms`,
});

for (const [what, lock] of [
  ["the lock of the record", `SELECT pg_advisory_xact_lock(${RECORD_LOCK})`],
  ["a table", "LOCK TABLE items IN ACCESS EXCLUSIVE MODE"],
] as const) {
  const other = new Client({ connectionString: postgres.url });
  await other.connect();
  await other.query("BEGIN");
  await other.query(lock);
  verdicts.push(...answered(`${what} held elsewhere`, await load(SECONDS), 503));
  await other.query("ROLLBACK");
  await other.end();
  verdicts.push(...answered(`${what} let go`, await load(1), 200));
}
process.exitCode = announce(verdicts);

async function createItem(at: number): Promise<string> {
  const { body } = await api.request("POST", "/content", {
    body: { type: "topic", title: `Far ${at}`, status: "published" },
  });
  return body.id;
}

async function patch(client: number, summary: string): Promise<number> {
  const headers = { "Content-Type": "application/merge-patch+json", "If-Match": "*" };
  const body = JSON.stringify({ summary });
  const path = `/content/${items[client]}`;
  return (await api.request("PATCH", path, { body, headers })).status;
}

/** Each client changes a separate item again and again. */
async function load(seconds: number): Promise<Load> {
  const statuses = new Map<number, number>();
  let slowest = 0;
  const begun = performance.now();
  const until = begun + seconds * 1000;
  const change = async (_: unknown, client: number) => {
    for (let number = 0; performance.now() < until; number += 1) {
      const asked = performance.now();
      const status = await patch(client, `Change ${number} at ${asked}`);
      slowest = Math.max(slowest, performance.now() - asked);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 503) await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, change));
  const total = statuses.get(200) ?? 0;
  return { statuses, slowest, perSecond: total / ((performance.now() - begun) / 1000) };
}

/** Prints how long each kind of write takes alone. @returns the longest, in milliseconds. */
async function slowestSingleWrite(): Promise<number> {
  const json = (body: unknown) => ({ body });
  const writes: Record<string, (api: ApiClient) => Promise<unknown>> = {
    "PATCH content": async () => await patch(0, `alone ${performance.now()}`),
    "POST content": async () =>
      await api.request("POST", "/content", json({ type: "topic", title: `${performance.now()}` })),
    unpublish: async () =>
      await api.request("POST", `/content/${items[1]}/unpublish`, {
        headers: { "If-Match": "*" },
      }),
    publish: async () =>
      await api.request("POST", `/content/${items[1]}/publish`, { headers: { "If-Match": "*" } }),
    "keys issue": async () =>
      await api.request("POST", "/keys", json({ name: "far", scopes: ["mcp:read"] })),
    "bulk, one line": async () =>
      await api.request("POST", "/content/bulk", {
        headers: { "Content-Type": "application/x-ndjson" },
        body: `${JSON.stringify({ type: "topic", title: "Bulk", sourceKey: `b${performance.now()}` })}\n`,
      }),
    "form for a key": async () => await contact.send("key-request", REQUEST),
  };
  let slowest = 0;
  for (const [name, write] of Object.entries(writes)) {
    const begun = performance.now();
    const answer = await write(api);
    const milliseconds = Math.round(performance.now() - begun);
    const status = typeof answer === "number" ? answer : Object(answer).status;
    console.log(`${name.padEnd(16)} ${status}  ${milliseconds} ms`);
    slowest = Math.max(slowest, milliseconds);
  }
  return slowest;
}

/** All writes are answered with this status, and in time. */
function answered(when: string, { statuses, slowest }: Load, status: number): Verdict[] {
  const counts = [...statuses].map(([each, count]) => `${count} × ${each}`).join(", ");
  return [
    {
      what: `${when}: every write answered ${status}`,
      passed: statuses.size === 1 && statuses.has(status),
      detail: counts,
    },
    {
      what: `${when}: within 3 s`,
      isOfTime: true,
      passed: slowest <= ANSWERED_MILLISECONDS_MAX,
      detail: `slowest ${Math.round(slowest)} ms`,
    },
  ];
}
