import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, it } from "node:test";
import fc from "fast-check";
import { Client } from "pg";
import { type RateLimitDecision, SlidingWindowRateLimiter } from "../../src/access/rate-limits.ts";
import { createLog } from "../../src/log.ts";
import { PostgresRateLimits } from "../../src/storage/record/postgres/rate-limits.ts";
import { createDatabase, onPostgres, type TestDatabase } from "../support/postgres-store.ts";
import { until } from "../support/until.ts";
import { openWay } from "../support/way-to-database.ts";

const MINUTE = 60_000;
const START = 1_800_000_000_000;
const MIGRATION = new URL(
  "../../src/storage/record/postgres/migrations/002-rate-windows.sql",
  import.meta.url,
);

onPostgres("rate limits", () => {
  let database: TestDatabase;
  let url: string;
  let db: Client;

  before(async () => {
    database = await createDatabase();
    url = database.url;
    db = new Client(url);
    await db.connect();
    await db.query(readFileSync(MIGRATION, "utf8"));
  });

  after(async () => {
    await db.end();
    await database[Symbol.asyncDispose]();
  });

  beforeEach(async () => {
    await db.query("TRUNCATE rate_windows, rate_turns, rate_memory");
  });

  it("accept exactly 60 of 200 calls spread over two instances", async () => {
    await using instances = twoInstances();
    const { one, other } = instances;
    for (let round = 0; round < 20; round += 1) {
      const decisions = await Promise.all(
        Array.from({ length: 200 }, (_, call) =>
          take(call % 2 === 0 ? one : other, `key-${round}`),
        ),
      );
      const accepted = decisions.filter((decision) => decision.accepted);
      assert.equal(accepted.length, 60);
      const remaining = accepted.map((decision) => decision.remaining);
      assert.deepEqual(
        remaining.sort((a, b) => b - a),
        Array.from({ length: 60 }, (_, call) => 59 - call),
        "each is told another number, whoever told it",
      );
    }
    assert.equal((await take(one, "another")).accepted, true);
  });

  it("accept exactly 60 of 200 that both are asked about in a race", async () => {
    const told: string[] = [];
    const instances = Array.from({ length: 4 }, () => openLimits(url, told));
    for (let round = 0; round < 5; round += 1) {
      const each = instances.map(async (limits) => {
        let accepted = 0;
        for (let call = 0; call < 50; call += 1) {
          if ((await take(limits, `key-${round}`)).accepted) accepted += 1;
        }
        return accepted;
      });
      const accepted = await Promise.all(each);
      assert.equal(
        accepted.reduce((sum, count) => sum + count, 0),
        60,
      );
    }
    for (const limits of instances) await limits.close();
    assert.deepEqual(told, []);
  });

  it("are the same for an instance that starts later", async () => {
    const first = openLimits(url);
    assert.equal(await accepted(first, "key", 50), 50);
    await first.close();
    await using second = openLimits(url);
    assert.equal(await accepted(second, "key", 50), 10);
  });

  it("keep keys apart, however many are asked about at once by both", async () => {
    await using instances = twoInstances();
    const keys = Array.from({ length: 300 }, (_, key) => `key-${key}`);
    const calls = keys.flatMap((key) => Array.from({ length: 6 }, () => key));
    const from = async (limits: PostgresRateLimits, order: readonly string[]) =>
      await Promise.all(order.map((key) => take(limits, key, 5)));
    const both = await Promise.all([
      from(instances.one, calls),
      from(instances.other, calls.toReversed()),
    ]);
    assert.equal(both.flat().filter(({ accepted }) => accepted).length, 5 * keys.length);
  });

  it("decide as the window of one process does, with limits that change and a clock set back", async () => {
    const requests = fc.array(
      fc.record({
        window: fc.constantFrom("a", "b"),
        limit: fc.constantFrom(1, 2, 3, 5, 8, 120),
        asked: fc.integer({ min: 1, max: 5 }),
        after: fc.oneof(
          { weight: 4, arbitrary: fc.integer({ min: 0, max: 100 }) },
          { weight: 4, arbitrary: fc.integer({ min: 0, max: 2 * MINUTE }) },
          { weight: 2, arbitrary: fc.integer({ min: MINUTE - 1, max: MINUTE + 1 }) },
          { weight: 1, arbitrary: fc.integer({ min: -2 * MINUTE, max: 0 }) },
        ),
        isTidied: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(requests, fc.boolean(), async (sequence, isSteady) => {
        await db.query("TRUNCATE rate_windows, rate_turns");
        const model = new SlidingWindowRateLimiter();
        let now = START;
        for (const { window, limit, asked, after, isTidied } of sequence) {
          now += isSteady ? Math.abs(after) : after;
          const expected = Array.from({ length: asked }, () => model.take(window, limit, now));
          if (isTidied && isSteady) await db.query("SELECT forget_turns($1)", [now]);
          const told = await db.query(
            "SELECT * FROM take_turns(NULL, $1, $2, $3, '{0}', '{0}', $4)",
            [[window], [limit], [asked], now],
          );
          assert.deepEqual(summary(told.rows[0], limit), summaryOf(expected));
        }
      }),
      { numRuns: 80 },
    );
  });

  it("keep as much as a high limit needs, and let go of it", async () => {
    const ask = async (asked: number, at: number) => {
      const values = [["high"], [100_000], [asked], at];
      const text = "SELECT * FROM take_turns(NULL, $1, $2, $3, '{0}', '{0}', $4)";
      return (await db.query(text, values)).rows[0].accepted;
    };
    for (let round = 0; round < 500; round += 1) assert.equal(await ask(200, START + round), 200);
    assert.equal(await ask(1, START + MINUTE - 1), 0);
    assert.equal(await ask(300, START + MINUTE), 200);
    assert.equal(await ask(100_000, START + 2 * MINUTE - 1), 99_800);
    assert.equal(await rows("rate_turns"), 2);
    await db.query("SELECT forget_turns($1)", [START + 3 * MINUTE - 2]);
    assert.equal(await rows("rate_windows"), 1);
    await db.query("SELECT forget_turns($1)", [START + 3 * MINUTE]);
    assert.deepEqual([await rows("rate_windows"), await rows("rate_turns")], [0, 0]);
  });

  it("go on by themselves while the database is away, and are exact again when it is back", async () => {
    await using way = await openWay(url);
    const told: string[] = [];
    await using away = openLimits(way.url, told);
    await using other = openLimits(url, told);
    assert.equal(await accepted(away, "key", 20), 20);
    await way.cut();
    assert.equal(await accepted(away, "key", 100), 40, "60 with what was accepted before");
    assert.equal(await accepted(other, "key", 10), 10, "the other knows of 20 only");
    assert.deepEqual(told.length, 1, "it is told once");
    await way.mend();
    await until(() => told.length === 2);
    const latest = "SELECT latest FROM rate_windows WHERE name = 'key'";
    await until(async () => Number((await db.query(latest)).rows[0]?.latest) === 70);
    assert.equal(await accepted(other, "key", 10), 0, "60 are known to it now");
    assert.equal(await accepted(away, "fresh", 100), 60);
    assert.equal(await accepted(other, "fresh", 1), 0);
    assert.match(told.join("\n"), /^The database does not answer: .+\nThe database answers: /);
  });

  it("wait no longer than half a second for a database that hangs, and only once", async () => {
    await using way = await openWay(url);
    await using limits = new PostgresRateLimits({ url: way.url, log: null });
    await take(limits, "key");
    way.hang();
    const started = performance.now();
    assert.equal(await accepted(limits, "key", 100), 59);
    const waited = performance.now() - started;
    assert(waited > 400 && waited < 10_000, `waited ${waited} ms, and not for each`);
    const again = performance.now();
    for (let call = 0; call < 50; call += 1) await take(limits, `key-${call}`);
    assert(performance.now() - again < 10_000, "none of them waits for itself");
  });

  it("tell a database that has lost its memory what they accepted in the last minute", async () => {
    await using instances = twoInstances();
    assert.equal(await accepted(instances.one, "key", 40), 40);
    assert.equal(await accepted(instances.one, "other", 1), 1);
    assert.equal(await accepted(instances.other, "key", 10), 10);
    await db.query("TRUNCATE rate_windows, rate_turns, rate_memory");
    assert.equal(await accepted(instances.one, "other", 1), 1);
    assert.equal(await accepted(instances.other, "other", 1), 1);
    assert.equal(await accepted(instances.one, "key", 30), 10);
  });

  it("cost no query for a key that is beyond its limit by one instance alone", async () => {
    await using way = await openWay(url);
    const told: string[] = [];
    await using limits = openLimits(way.url, told);
    assert.equal(await accepted(limits, "key", 61), 60);
    way.hang();
    assert.equal(await accepted(limits, "key", 1000), 0);
    assert.deepEqual(told, [], "nobody has noticed that the database does not answer");
  });

  function twoInstances() {
    const [one, other] = [openLimits(url), openLimits(url)];
    return {
      one,
      other,
      async [Symbol.asyncDispose]() {
        await one.close();
        await other.close();
      },
    };
  }

  async function rows(table: string): Promise<number> {
    return Number((await db.query(`SELECT count(*) FROM ${table}`)).rows[0].count);
  }
});

/** With patience, as on a busy machine an answer may take longer than an agent is kept waiting. */
function openLimits(url: string, told: string[] = []): PostgresRateLimits {
  const log = createLog("info", (line) => told.push(JSON.parse(line).msg));
  return new PostgresRateLimits({ url, log, responseMilliseconds: 10_000 });
}

async function take(
  limits: PostgresRateLimits,
  window: string,
  limit = 60,
): Promise<RateLimitDecision> {
  return await limits.take(window, limit, Date.now());
}

async function accepted(limits: PostgresRateLimits, window: string, calls: number) {
  const decisions = await Promise.all(Array.from({ length: calls }, () => take(limits, window)));
  return decisions.filter((decision) => decision.accepted).length;
}

interface Answer {
  accepted: number;
  before: number;
  resets_in: number;
  frees_in: number | null;
}

/** What all decisions of one question come down to. */
function summary({ accepted, before, resets_in, frees_in }: Answer, limit: number) {
  return {
    accepted,
    remaining: accepted === 0 ? null : limit - before - accepted,
    resetSeconds: accepted === 0 ? null : Math.max(1, Math.ceil(resets_in / 1000)),
    retryAfterSeconds: frees_in === null ? null : Math.max(1, Math.ceil(frees_in / 1000)),
  };
}

function summaryOf(decisions: readonly RateLimitDecision[]) {
  const accepted = decisions.filter((decision) => decision.accepted);
  const refused = decisions.find((decision) => !decision.accepted);
  return {
    accepted: accepted.length,
    remaining: accepted.at(-1)?.remaining ?? null,
    resetSeconds: accepted.at(-1)?.resetSeconds ?? null,
    retryAfterSeconds: refused?.retryAfterSeconds ?? null,
  };
}
