import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { saveItem } from "../../src/content/editing/editing.ts";
import { AppError, englishOnlyWording } from "../../src/errors.ts";
import type { OpenRecord, RecordStores } from "../../src/storage/record/stores.ts";
import { onPostgres } from "../support/postgres-store.ts";
import {
  NOW,
  OPERATOR,
  openPlace,
  openRecordStore,
  type RecordStore,
  topic,
} from "../support/record-store.ts";
import { until } from "../support/until.ts";
import { openWay, type Way } from "../support/way-to-database.ts";

const RECORD_LOCK = 4_022_250_974;

function saving(title: string, summary = "") {
  return async ({ content }: RecordStores) =>
    (await saveItem(content, OPERATOR, topic(title, { sourceKey: title, summary }), NOW)).item;
}

interface FarPlace extends AsyncDisposable {
  store: RecordStore;
  far: OpenRecord;
  way: Way;
}

/** A store, and another server connected to it through a slow link. */
async function openFar(): Promise<FarPlace> {
  const store = await openRecordStore({ engine: "PostgreSQL" });
  const { url, file } = JSON.parse(store.place);
  const way = await openWay(url);
  const far = await openPlace(JSON.stringify({ url: way.url, file: `${file}.far` }));
  return {
    ...{ store, far, way },
    async [Symbol.asyncDispose]() {
      await far.close();
      await way[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

async function moveAway({ far, way }: FarPlace): Promise<void> {
  way.delay(25);
  for (let answers = 0; answers < 64; answers += 8) {
    await Promise.all(Array.from({ length: 8 }, () => far.content.itemAt("/")));
  }
}

/** Concurrent writes; each must be refused as `unavailable`. How soon is judged by `npm run prove:far-database`. */
async function assertRefused(record: OpenRecord, message: RegExp): Promise<void> {
  const writes = Array.from({ length: 16 }, (_, at) => record.atomically(saving(`Refused ${at}`)));
  for (const outcome of await Promise.allSettled(writes)) {
    assert.equal(outcome.status, "rejected");
    assert(outcome.reason instanceof AppError, String(outcome.reason));
    assert.equal(outcome.reason.code, "unavailable");
    assert.match(outcome.reason.message, message);
    assert(outcome.reason.retryAfterSeconds !== undefined);
  }
}

onPostgres("a database 50 ms away", () => {
  it("takes the changes of many callers in a few ways to it", async () => {
    await using place = await openFar();
    const { far, store, way } = place;
    await moveAway(place);
    const before = way.roundTrips();
    const changes = Array.from({ length: 16 }, (_, at) => far.atomically(saving(`Topic ${at}`)));
    const items = await Promise.all(changes);
    const trips = way.roundTrips() - before;
    assert(trips < 32, `${trips} round trips; one after the other they take 128`);
    for (const { path, id } of items) {
      assert.equal((await store.content.itemAt(path))?.id, id);
      assert.equal(store.reading.resolve(path).kind, "item");
    }
  });

  it("applies those that stand in each other's way one after the other", async () => {
    await using place = await openFar();
    const { far, store } = place;
    await moveAway(place);
    const changes = Array.from({ length: 4 }, (_, at) => far.atomically(saving("Same", `${at}`)));
    const revisions = (await Promise.all(changes)).map(({ revision }) => revision);
    assert.deepEqual(revisions.sort(), [1, 2, 3, 4]);
    const item = await store.content.itemBySourceKey("Same");
    assert.equal(item?.revision, 4);
    assert.equal((await store.content.revisions(item?.id ?? "")).length, 4);
  });

  it("refuses what a caller got wrong, and keeps the rest", async () => {
    await using place = await openFar();
    const { far, store } = place;
    await moveAway(place);
    const failing = async (stores: RecordStores) => {
      await saving("Undone")(stores);
      throw new AppError("conflict", englishOnlyWording("no"));
    };
    const outcomes = await Promise.allSettled([
      far.atomically(saving("One")),
      far.atomically(failing),
      far.atomically(saving("Two")),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    assert.equal(await store.content.itemBySourceKey("Undone"), null);
    assert.notEqual(await store.content.itemBySourceKey("Two"), null);
  });

  it("refuses nothing because a change cannot yet read what it wrote", async () => {
    await using place = await openFar();
    const { far } = place;
    await moveAway(place);
    const item = await far.atomically(async (stores) => {
      await saving("Read back")(stores);
      const found = await stores.content.itemBySourceKey("Read back");
      if (found === null) throw new AppError("not_found", englishOnlyWording("not written"));
      return found;
    });
    assert.equal(item.title, "Read back");
  });

  it("decides by what others have changed meanwhile", async () => {
    await using place = await openFar();
    const { far, store } = place;
    await moveAway(place);
    // Each may be taken only while the other is free: both at once would be write skew.
    const taking = (mine: string, other: string) =>
      far.atomically(async (stores) => {
        if ((await stores.content.itemBySourceKey(other)) !== null)
          throw new AppError("conflict", englishOnlyWording("taken"));
        return await saving(mine)(stores);
      });
    const outcomes = await Promise.allSettled([taking("A", "B"), taking("B", "A")]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    const found = await Promise.all(["A", "B"].map((key) => store.content.itemBySourceKey(key)));
    assert.equal(found.filter((item) => item !== null).length, 1);
  });

  it("lets a query that fails take no other caller's connection away", async () => {
    await using place = await openFar();
    const { far } = place;
    await moveAway(place);
    const tooLarge = 2 ** 70;
    const outcomes = await Promise.allSettled([
      far.atomically(saving("Before")),
      far.atomically(({ content }) => content.revision("id", tooLarge)),
      far.atomically(saving("After")),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
  });

  it("numbers the log as changes were committed, however they came", async () => {
    await using place = await openFar();
    const { far, store } = place;
    await moveAway(place);
    const near = Array.from({ length: 12 }, (_, at) =>
      store.record.atomically(saving("Contested", `near ${at}`)),
    );
    const away = Array.from({ length: 6 }, (_, at) =>
      far.atomically(saving("Contested", `far ${at}`)),
    );
    const outcomes = await Promise.allSettled([...near, ...away]);
    const kept = outcomes.filter(({ status }) => status === "fulfilled").length;
    const item = await store.content.itemBySourceKey("Contested");
    assert.equal(item?.revision, kept, "each acknowledged once, each refused not at all");
    await until(async () => {
      const shown = store.reading.resolve("/topics/contested");
      return shown.kind === "item" && shown.item.summary === item?.summary;
    });
    const sequences = await store.sql("SELECT sequence::int FROM changes ORDER BY sequence");
    assert.deepEqual(
      sequences.map(({ sequence }) => sequence),
      sequences.map((_, at) => Number(sequences[0]?.["sequence"]) + at),
    );
  });
});

onPostgres("every caller hears", () => {
  it("of a database that hangs, and reads go on", async () => {
    await using place = await openFar();
    const { far, way } = place;
    await far.atomically(saving("Before"));
    way.hang();
    await assertRefused(far, /cannot be reached|may have been kept/);
  });

  it("of the lock of the record, but not for what another waited before", async () => {
    await using store = await openRecordStore({ engine: "PostgreSQL" });
    const other = new Client({ connectionString: JSON.parse(store.place).url });
    await other.connect();
    try {
      await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${RECORD_LOCK})`);
      const early = store.record.atomically(saving("Early"));
      const refused = assert.rejects(early, { code: "unavailable" });
      await delay(1200);
      const late = store.record.atomically(saving("Late"));
      await refused;
      await other.query("COMMIT");
      assert.equal((await late).title, "Late");
    } finally {
      await other.end();
    }
  });

  for (const [what, lock] of [
    ["the lock of the record", `SELECT pg_advisory_xact_lock(${RECORD_LOCK})`],
    ["a table", "LOCK TABLE items IN ACCESS EXCLUSIVE MODE"],
  ] as const) {
    it(`of ${what} that another session holds`, async () => {
      await using store = await openRecordStore({ engine: "PostgreSQL" });
      await store.save(topic("Time"));
      const other = new Client({ connectionString: JSON.parse(store.place).url });
      await other.connect();
      try {
        await other.query(`BEGIN; ${lock}`);
        await assertRefused(store.record, /Another process has been writing|busy/);
        assert.equal(store.reading.resolve("/topics/time").kind, "item");
      } finally {
        await other.end();
      }
      await store.record.atomically(saving("Afterwards"));
    });
  }
});
