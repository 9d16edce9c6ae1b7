import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely } from "kysely";
import { addMissingRedirects } from "../../src/content/addresses/redirect-lists.ts";
import { saveItem } from "../../src/content/editing/editing.ts";
import { AppError } from "../../src/errors.ts";
import { createLog } from "../../src/log.ts";
import { PostgresRecordDialect } from "../../src/storage/record/postgres/connections/dialect.ts";
import { HangDetector } from "../../src/storage/record/postgres/connections/hang-detector.ts";
import { RecordPool } from "../../src/storage/record/postgres/connections/pool.ts";
import { DatabaseReachability } from "../../src/storage/record/postgres/connections/reach.ts";
import { Semaphore } from "../../src/storage/record/postgres/connections/semaphore.ts";
import type { RecordTables } from "../../src/storage/record/tables.ts";
import { onPostgres } from "../support/postgres-store.ts";
import {
  NOW,
  OPERATOR,
  openGround,
  openPlace,
  openRecordStore,
  RECORD_ORIGIN,
  type RecordStore,
  topic,
} from "../support/record-store.ts";
import { openWay } from "../support/way-to-database.ts";

const END_CONNECTIONS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;
const AWAY = {
  code: "unavailable",
  retryAfterSeconds: 5,
  message: "The database cannot be reached for the moment; try again in 5 seconds",
};

async function openStore(): Promise<RecordStore> {
  return await openRecordStore({ engine: "PostgreSQL" });
}

/** @returns whether it was saved; any other failure than an outage is thrown. */
async function wasSaved(store: RecordStore, sourceKey: string): Promise<boolean> {
  try {
    await store.save(topic(sourceKey, { sourceKey }));
    return true;
  } catch (error) {
    assert(error instanceof AppError && error.code === "unavailable", String(error));
    assert.equal(error.retryAfterSeconds, 5);
    return false;
  }
}

onPostgres("while the database goes away and comes back", () => {
  it("everything told saved is there, nothing is half done, and writing goes on by itself", async () => {
    await using store = await openStore();
    let isOver = false;
    const told: string[] = [];
    let refused = 0;
    const ending = (async () => {
      for (let time = 0; time < 8 || told.length === 0 || refused === 0; time += 1) {
        await sleep(60);
        await store.sql(END_CONNECTIONS);
      }
      isOver = true;
    })();
    for (let number = 0; !isOver; number += 1) {
      const key = `t:${number}`;
      if (await wasSaved(store, key)) told.push(key);
      else refused += 1;
    }
    await ending;
    assert(await wasSaved(store, "afterwards"));
    for (const key of [...told, "afterwards"]) {
      const item = await store.content.itemBySourceKey(key);
      assert(item !== null, `${key} is lost`);
      assert.equal(store.reading.resolve(item.path).kind, "item", `${key} is not shown`);
    }
    const torn = await store.sql(`
      SELECT id FROM items WHERE revision <> (SELECT count(*) FROM revisions WHERE item_id = id)
        OR NOT EXISTS (SELECT FROM audit WHERE target = path)
        OR NOT EXISTS (SELECT FROM path_claims WHERE item_id = id)`);
    assert.deepEqual(torn, []);
  });

  it("a transaction that loses its connection leaves nothing", async () => {
    await using store = await openStore();
    const changing = store.record.atomically(async ({ content }) => {
      await content.write(async (part) => {
        await saveItem(part, OPERATOR, topic("Before", { sourceKey: "b" }), NOW);
        await store.sql(END_CONNECTIONS);
        await saveItem(part, OPERATOR, topic("After", { sourceKey: "a" }), NOW);
      });
    });
    await assert.rejects(changing, AWAY);
    assert.equal(await store.content.itemBySourceKey("b"), null);
    assert(await wasSaved(store, "b"));
  });

  it("says that a change may have been kept when the connection is lost as it is", async () => {
    await using store = await openStore();
    await store.sql(`
      CREATE FUNCTION vanish() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`);
    await store.sql(`
      CREATE CONSTRAINT TRIGGER vanish AFTER INSERT ON items DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION vanish()`);
    await assert.rejects(store.save(topic("Time", { sourceKey: "t" })), {
      code: "unavailable",
      retryAfterSeconds: 5,
      message:
        "The connection to the database was lost while it kept the change, so that it may have been kept or not. Look before you repeat it",
    });
    await store.sql("DROP TRIGGER vanish ON items");
    assert(await wasSaved(store, "t"));
  });

  it("refuses at once what has to wait for it, and tells the log once", async () => {
    await using store = await openStore();
    const { url, file } = JSON.parse(store.place);
    await using way = await openWay(url);
    const logged: { msg: string; level: number }[] = [];
    const log = createLog("info", (line) => logged.push(JSON.parse(line)));
    const record = await openPlace(JSON.stringify({ url: way.url, file: `${file}.other` }), {
      log,
    });
    await way.cut();
    const begun = performance.now();
    for (let time = 0; time < 5; time += 1) {
      const attempts = Array.from({ length: 20 }, () => record.content.itemAt("/"));
      for (const { status } of await Promise.allSettled(attempts)) assert.equal(status, "rejected");
      await assert.rejects(saveItem(record.content, OPERATOR, topic("Time"), NOW), AWAY);
      await sleep(120);
    }
    assert(performance.now() - begun < 10_000, "nobody waits for attempts of others");
    await way.mend();
    while (
      (await saveItem(record.content, OPERATOR, topic("Time"), NOW).catch(() => null)) === null
    ) {
      assert(performance.now() - begun < 60_000, "writing goes on by itself");
      await sleep(50);
    }
    await record.close();
    const told = logged.filter(({ msg }) => /database/i.test(msg)).map(({ msg }) => msg);
    assert.deepEqual(told, [
      "The database cannot be reached: pages go on, changes are refused",
      "The database is back",
    ]);
  });

  it("is away for whoever no longer trusts its certificate, as well", async () => {
    await using ground = await openGround("PostgreSQL");
    const url = new URL(ground.url ?? "");
    url.searchParams.set("sslmode", "verify-full");
    const reach = new DatabaseReachability(null);
    const pool = new RecordPool(url.href);
    const permits = new Semaphore(1);
    const watch = new HangDetector(url.href);
    const use = { pool, reach, watch, permits, use: "read", waitMilliseconds: 1000 } as const;
    const reader = new Kysely<RecordTables>({ dialect: new PostgresRecordDialect(use) });
    await assert.rejects(reader.selectFrom("items").select("id").execute(), AWAY);
    assert.notEqual(reach.backoffError(), null);
    await pool.close();
  });

  it("asks to come back when an operator's limit ends what took long", async () => {
    await using store = await openStore();
    const { url, file } = JSON.parse(store.place);
    const limited = new URL(url);
    limited.searchParams.set("statement_timeout", "100");
    await using other = await openPlace(
      JSON.stringify({ url: limited.href, file: `${file}.other` }),
    );
    const told = { code: "unavailable", retryAfterSeconds: 5 };
    await store.record.atomically(async () => {
      await assert.rejects(saveItem(other.content, OPERATOR, topic("Time"), NOW), told);
    });
  });

  it("reports the failure of a transaction, whatever the change did after it", async () => {
    await using store = await openStore();
    const pool = new RecordPool(JSON.parse(store.place).url);
    const parts = {
      pool,
      reach: new DatabaseReachability(null),
      watch: new HangDetector(JSON.parse(store.place).url),
    };
    const use = {
      ...{ ...parts, permits: new Semaphore(1), waitMilliseconds: 1000 },
      use: "write",
    } as const;
    const db = new Kysely<RecordTables>({ dialect: new PostgresRecordDialect(use) });
    const other = await pool.connect();
    await other.query("BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE");
    const locked = { code: "unavailable", message: /^Another process has been writing/ };
    const carryOn = async (transaction: Kysely<RecordTables>, table: "settings" | null) => {
      const items = transaction.selectFrom("items").select("id").execute();
      await items.catch(() => {});
      if (table !== null) await transaction.selectFrom(table).select("name").execute();
    };
    for (const table of ["settings", null] as const) {
      const change = db.transaction().execute((transaction) => carryOn(transaction, table));
      await assert.rejects(change, locked, `${table}`);
    }
    other.release(true);
    await pool.close();
  });

  it("leaves a list of redirects for a database that is away to be repeated as a whole", async () => {
    await using store = await openStore();
    await store.sql(`
      CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'slow' USING ERRCODE = 'query_canceled'; END $$`);
    await store.sql(`CREATE TRIGGER give_up BEFORE INSERT ON redirects
      FOR EACH ROW EXECUTE FUNCTION give_up()`);
    const stated = ["/a.html", "/b.html"].map((from) => ({ from, to: "https://b.example/" }));
    const site = { origin: RECORD_ORIGIN, isDocument: () => false, now: NOW };
    const change = store.record.atomically(({ content }) =>
      addMissingRedirects(content, OPERATOR, stated, site),
    );
    await assert.rejects(change, { code: "unavailable", message: /gave up what took too long/ });
  });

  it("does not start without it, and tells no password", async () => {
    const url = "postgres://commonplace:tell-nobody@127.0.0.1:1/site";
    await assert.rejects(
      openPlace(JSON.stringify({ url, file: "/nowhere/reading.db" })),
      (error) => {
        assert(error instanceof AppError);
        assert.equal(error.code, "unavailable");
        assert.match(
          error.message,
          /^Cannot open the database 127\.0\.0\.1:1\/site: .*ECONNREFUSED/,
        );
        assert.doesNotMatch(error.message, /tell-nobody/);
        return true;
      },
    );
  });
});

onPostgres("writing", () => {
  it("waits for another process without standing still, and reads do not wait", async () => {
    await using store = await openStore();
    const other = await openPlace(store.place);
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const holding = other.atomically(async () => {
      begin();
      await held;
    });
    await begun;
    let isSaved = false;
    const saving = store.save(topic("Time")).then(() => {
      isSaved = true;
    });
    await sleep(150);
    assert.equal(isSaved, false, "another process writes");
    assert.equal(await store.content.itemAt("/topics/time"), null);
    release();
    await holding;
    await saving;
    assert.notEqual(await store.content.itemAt("/topics/time"), null);
    await other.close();
  });

  it("tells that the disk of the database is full, and changes nothing", async () => {
    await using store = await openStore();
    await store.sql(`
      CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`);
    await store.sql(`
      CREATE TRIGGER full_disk BEFORE INSERT ON audit
      FOR EACH ROW EXECUTE FUNCTION full_disk()`);
    await assert.rejects(store.save(topic("Time", { sourceKey: "t" })), {
      code: "unavailable",
      retryAfterSeconds: 60,
      message: "The disk is full: nothing was changed. Make room on it",
    });
    assert.equal(await store.content.itemBySourceKey("t"), null);
    await store.sql("DROP TRIGGER full_disk ON audit");
    assert(await wasSaved(store, "t"));
  });

  it("numbers the changes for other instances without gaps, also after some were undone", async () => {
    await using store = await openStore();
    const failing = store.record.atomically(async ({ content }) => {
      await content.write((part) => saveItem(part, OPERATOR, topic("Undone"), NOW));
      throw new Error("no");
    });
    await Promise.all([
      assert.rejects(failing, /^Error: no$/),
      ...Array.from({ length: 10 }, (_, number) => store.save(topic(`Topic ${number}`))),
    ]);
    const numbers = (await store.sql("SELECT sequence FROM changes ORDER BY sequence")).map(
      ({ sequence }) => Number(sequence),
    );
    const first = numbers[0] ?? 0;
    assert.equal(numbers.length, 11);
    assert.deepEqual(
      numbers,
      numbers.map((_, at) => first + at),
    );
  });
});
