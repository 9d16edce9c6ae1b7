import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { authenticate, type IssuedKey, issueKey } from "../../src/access/keys/keys.ts";
import { approveKeyRequest } from "../../src/access/submissions/key-approvals.ts";
import { claimKey } from "../../src/access/submissions/key-claims.ts";
import { receiveKeyRequest } from "../../src/access/submissions/key-requests.ts";
import { createStarterSite } from "../../src/content/site/starter-site.ts";
import { createLog } from "../../src/log.ts";
import { openPostgresRecord } from "../../src/storage/record/postgres/open.ts";
import type { OpenRecord } from "../../src/storage/record/stores.ts";
import { createDatabase, onPostgres, type TestDatabase } from "../support/postgres-store.ts";
import { NOW, OPERATOR, RECORD_ORIGIN } from "../support/record-store.ts";
import { until } from "../support/until.ts";
import { openWay } from "../support/way-to-database.ts";

const SINCE = NOW.toISOString().slice(0, 10);
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

onPostgres("access over two instances", () => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-access-"));
  let instances = 0;
  let database: TestDatabase;
  let db: Client;
  let one: OpenRecord;
  let other: OpenRecord;

  before(async () => {
    database = await createDatabase();
    one = await openInstance(database.url);
    await createStarterSite(one.content, NOW);
    other = await openInstance(database.url);
    db = new Client(database.url);
    await db.connect();
  });

  after(async () => {
    await db.end();
    await one.close();
    await other.close();
    await database[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  it("lets a key of one open the other, and no more once it is revoked anywhere", async () => {
    const waits: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const issued = await issue();
      assert.equal((await present(other, issued)).kind, "key");
      await revokeBeside(issued);
      waits.push(await refuses(other, issued));
      await refuses(one, issued);
    }
    // A process that is told nothing asks only a second after it last did.
    const [quarter = 0] = waits.sort((a, b) => a - b).slice(waits.length / 4);
    assert(quarter < 800, `three quarters of the times it took longer than ${quarter} ms`);
  });

  it("hears of what was revoked while it could not hear", async () => {
    const issued = await issue();
    await present(other, issued);
    for (let round = 0; round < 2; round += 1) {
      await db.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'commonplace listening' AND datname = current_database()`,
      );
      await sleep(round * 100);
    }
    await revokeBeside(issued);
    await refuses(other, issued);
  });

  it("goes on with known keys while the database is away, and tells strangers to come back", async () => {
    await using way = await openWay(database.url);
    await using away = await openInstance(way.url);
    const [known, unseen] = [await issue(), await issue()];
    await present(away, known);
    await way.cut();
    await sleep(50);
    for (let request = 0; request < 20; request += 1) await present(away, known);
    await assert.rejects(present(away, unseen), {
      code: "unavailable",
      retryAfterSeconds: 5,
      message: /^Keys cannot be checked for the moment, as the database is away; try again in 5/,
    });
    await revokeBeside(known);
    assert.equal((await present(away, known)).kind, "key", "nobody can tell it");
    await way.mend();
    await refuses(away, known);
    await until(async () => {
      const found = await present(away, unseen).catch(() => null);
      return found?.kind === "key";
    });
  });

  it("goes on with known keys, after a second, when the database hangs", async () => {
    await using way = await openWay(database.url);
    const away = await openInstance(way.url);
    try {
      const known = await issue();
      await present(away, known);
      way.hang();
      await revokeBeside(await issue());
      const started = performance.now();
      for (let request = 0; request < 20; request += 1) await present(away, known);
      assert(performance.now() - started < 10_000, "a second, and not one for each");
    } finally {
      await way.cut();
      await away.close();
    }
  });

  it("keeps the latest use of a key, whichever instance tells it last", async () => {
    const { record, key } = await issue();
    await present(one, { record, key }, inSeconds(30));
    await present(other, { record, key }, inSeconds(10));
    await one.keys.saveUse();
    await other.keys.saveUse();
    assert.equal((await one.keys.byId(record.id))?.lastUsedAt, inSeconds(30).toISOString());
  });

  it("adds up what both count", async () => {
    const { record } = await issue();
    const use = { keyId: record.id, day: SINCE, tool: "search_content" };
    await Promise.all(
      [one, other, one, other].map((instance, count) => instance.keyUse.add([{ ...use, count }])),
    );
    const period = { since: SINCE, until: SINCE };
    assert.deepEqual(await one.keyUse.ofKey(record.id, period), [{ ...use, count: 6 }]);
    const day = { day: SINCE, source: "mcp" as const, searches: 2, withoutResult: 1 };
    const text = { day: SINCE, source: "mcp" as const, text: "time", count: 2, hits: 3 };
    await Promise.all([one, other].map((instance) => instance.searches.add([day], [text])));
    assert.deepEqual(await other.searches.days(period), [
      { ...day, searches: 4, withoutResult: 2 },
    ]);
    assert.equal((await other.searches.textsOfDay(SINCE))[0]?.count, 4);
  });

  it("gives one key for a claim code, however often it is entered at both at once", async () => {
    const dealing = { now: NOW, origin: RECORD_ORIGIN, sendsMail: false };
    const input = {
      name: "Ada",
      email: "ada@reader.example",
      organisation: "",
      task: "Find what was said about time",
      data: "",
      access: "read" as const,
    };
    const asked = await one.atomically((stores) => receiveKeyRequest(stores, input, dealing));
    const { code } = await other.atomically((stores) =>
      approveKeyRequest(stores, OPERATOR, asked.id, dealing),
    );
    const claimFrom = (visitor: number, record: typeof one) =>
      record.atomically((stores) =>
        claimKey(stores, code ?? "", { now: NOW, address: `203.0.113.${visitor}` }),
      );
    const claims = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => claimFrom(at, at % 2 === 0 ? one : other)),
    );
    const claimed = claims.flatMap((claim) => (claim.status === "fulfilled" ? [claim.value] : []));
    assert.equal(claimed.length, 1);
    const [issued] = claimed;
    assert(issued !== undefined);
    const visitor = claims.findIndex(({ status }) => status === "fulfilled");
    for (const record of [one, other]) {
      assert.equal((await claimFrom(visitor, record)).key, issued.key, "after a second tap");
    }
    assert.equal((await present(one, issued)).kind, "key");
    assert.equal((await present(other, issued)).kind, "key");
  });

  it("makes one secret of a name, whoever asks first", async () => {
    const secrets = await Promise.all(
      [one, other, one, other].map((instance) => instance.secrets.secret("test")),
    );
    assert.equal(new Set(secrets).size, 1);
  });

  async function openInstance(url: string): Promise<OpenRecord> {
    instances += 1;
    return await openPostgresRecord({
      url,
      file: join(folder, String(instances), "reading.db"),
      origin: RECORD_ORIGIN,
      follows: true,
      log: createLog("silent"),
    });
  }

  async function issue(): Promise<IssuedKey> {
    return await issueKey(one.keys, OPERATOR, { name: "Agent", scopes: ["mcp:read"] }, NOW);
  }

  /** By nobody of this process, which would know. */
  async function revokeBeside({ record }: IssuedKey): Promise<void> {
    const revoked = "UPDATE keys SET revoked_at = $1, revoked_why = 'lost' WHERE id = $2";
    await db.query(revoked, [NOW.toISOString(), record.id]);
  }
});

async function present(instance: OpenRecord, { key }: IssuedKey, now = NOW) {
  return await authenticate(instance.keys, `Bearer ${key}`, { now, address: "203.0.113.9" });
}

/** @returns after how many milliseconds. */
async function refuses(instance: OpenRecord, issued: IssuedKey): Promise<number> {
  return await until(async () => {
    try {
      await present(instance, issued);
      return false;
    } catch (error) {
      return error instanceof Error && error.message.endsWith("this key was revoked");
    }
  });
}
