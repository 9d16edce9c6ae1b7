import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { readAuditLogPage } from "../../src/access/audit.ts";
import { archiveItem, deleteItem, unpublishItem } from "../../src/content/editing/publishing.ts";
import { openRecord } from "../../src/storage/record/open.ts";
import { onlyOnSqlite, testedEngine } from "../support/engine.ts";
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
import { until } from "../support/until.ts";

const WRITER = join(import.meta.dirname, "../support/write-topics.ts");

function writeTopics(place: string, name: string, count: number): ChildProcess {
  return spawn(process.execPath, [WRITER, place, name, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function succeeded(child: ChildProcess): Promise<void> {
  child.stdout?.resume();
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
}

/** What a check of the whole file finds. */
function faultsIn(file: string): unknown[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const faults = [
    ...db.prepare("PRAGMA foreign_key_check").all(),
    ...db
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => row["integrity_check"]),
  ];
  db.close();
  return faults.filter((fault) => fault !== "ok");
}

/** The record and the reading copy tell the same. */
async function assertShown(store: RecordStore, sourceKeys: readonly string[]): Promise<void> {
  for (const sourceKey of sourceKeys) {
    const item = await store.content.itemBySourceKey(sourceKey);
    assert(item !== null, `${sourceKey} is lost`);
    assert.equal(store.reading.resolve(item.path).kind, "item", `${sourceKey} is not shown`);
  }
}

describe("several processes with one store", () => {
  it("write at once and lose nothing", async () => {
    await using store = await openRecordStore();
    const children = ["a", "b"].map((name) => succeeded(writeTopics(store.place, name, 40)));
    const own = Array.from({ length: 40 }, (_, number) => number + 1);
    for (const number of own) await store.save(topic(`c ${number}`, { sourceKey: `c:${number}` }));
    await Promise.all(children);
    const keys = ["a", "b", "c"].flatMap((name) => own.map((number) => `${name}:${number}`));
    await assertShown(store, keys);
    assert.equal(store.reading.counts()["topic"], 120);
    assert.deepEqual(faultsIn(store.file), []);
  });

  it("may make it together", async () => {
    await using ground = await openGround();
    const names = ["a", "b", "c", "d"];
    await Promise.all(names.map((name) => succeeded(writeTopics(ground.place, name, 1))));
    const record = await openPlace(ground.place);
    for (const name of names) assert(await record.content.itemBySourceKey(`${name}:1`));
    await record.close();
    assert.deepEqual(faultsIn(ground.file), []);
  });

  it("wait for each other's writes without standing still", onlyOnSqlite(), async () => {
    await using store = await openRecordStore();
    const other = new DatabaseSync(store.file);
    other.exec("BEGIN IMMEDIATE");
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 10);
    const saved = store.save(topic("Time"));
    await until(() => ticks >= 5);
    assert.equal(await store.content.itemAt("/topics/time"), null, "reads do not wait");
    other.exec("COMMIT");
    other.close();
    assert.equal((await saved).outcome, "created");
    clearInterval(ticking);
  });

  it("keep everything that was told saved when one is killed", async () => {
    await using store = await openRecordStore();
    const child = writeTopics(store.place, "k", 10_000);
    assert(child.stdout);
    const told: string[] = [];
    const exited = once(child, "exit");
    for await (const line of createInterface({ input: child.stdout })) {
      told.push(line);
      if (told.length === 30) child.kill("SIGKILL");
    }
    assert.deepEqual(await exited, [null, "SIGKILL"]);
    assert(told.length >= 30 && told.length < 10_000);
    await assertShown(store, told);
    assert.equal((await store.save(topic("After"))).outcome, "created");
    assert.deepEqual(faultsIn(store.file), []);
  });
});

describe("opening the record", () => {
  it("refuses a store that a newer version has changed", async () => {
    await using store = await openRecordStore();
    await store.sql("INSERT INTO migrations VALUES ('999-from-the-future.sql')");
    const saved =
      testedEngine() === "SQLite"
        ? "the store that it saved before: commonplace restore DATA_DIR/before-upgrade-TIME.db --force (docs/operating.md, Upgrades)"
        : "a dump from before (docs/several-machines.md, Backups of PostgreSQL)";
    await assert.rejects(openPlace(store.place), {
      code: "unavailable",
      message: `A newer version of this program has changed the store (999-from-the-future.sql): start that version, or go back to ${saved}`,
    });
  });

  it("changes nothing in a store of a newer version, whatever else it lacks", async () => {
    await using store = await openRecordStore();
    await store.sql("INSERT INTO migrations VALUES ('999-from-the-future.sql')");
    await store.sql("DELETE FROM migrations WHERE name LIKE '%import-bases%'");
    await store.sql("DROP TABLE import_bases");
    const names = async () => await store.sql("SELECT name FROM migrations ORDER BY name");
    const before = await names();
    await assert.rejects(openPlace(store.place), { code: "unavailable" });
    assert.deepEqual(await names(), before);
  });

  it("says what is wrong with a file that is no store", onlyOnSqlite(), async () => {
    const folder = mkdtempSync(join(tmpdir(), "commonplace-broken-"));
    try {
      await assert.rejects(openRecord({ file: folder, origin: RECORD_ORIGIN }), {
        code: "unavailable",
        message: `Cannot open the store ${folder}: the file cannot be opened`,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("makes the reading copy anew for another origin, with progress", async () => {
    await using first = await openRecordStore();
    await first.save(topic("About", { slug: "about", body: "[Time](/topics/time)" }));
    const { item } = await first.save(topic("Old", { slug: "old" }));
    await first.save(topic("Old", { slug: "new" }), { id: item.id });
    const states = { archived: archiveItem, deleted: deleteItem, draft: unpublishItem };
    for (const [title, change] of Object.entries(states)) {
      const saved = await first.save(topic(title));
      await change(first.content, OPERATOR, saved.item.id, { now: NOW });
    }
    await first.save(topic("Never shown", { status: "draft" }));
    const version = first.reading.version();
    const markdown = (store: RecordStore) => {
      const found = store.reading.resolve("/topics/about");
      return found.kind === "item" ? found.item.markdown : found.kind;
    };
    assert.equal(markdown(first), "[Time](https://quotations.example/topics/time.md)");

    await using same = await first.reopen({
      onProgress: () => assert.fail("nothing to be made anew"),
    });
    assert.equal(same.reading.version(), version);

    await using kept = await same.reopen({
      origin: "https://command.example",
      otherOrigin: "keep",
    });
    assert.equal(markdown(kept), "[Time](https://quotations.example/topics/time.md)");

    const progress: [number, number][] = [];
    await using moved = await kept.reopen({
      origin: "https://moved.example",
      onProgress: (done, total) => progress.push([done, total]),
    });
    // From PostgreSQL comes only what the public ever saw.
    const count = testedEngine() === "SQLite" ? 6 : 4;
    assert.deepEqual(progress, [[count, count]]);
    assert.equal(markdown(moved), "[Time](https://moved.example/topics/time.md)");
    const answers = ["archived", "deleted", "draft", "never-shown", "new"].map(
      (slug) => moved.reading.resolve(`/topics/${slug}`).kind,
    );
    assert.deepEqual(answers, ["gone", "gone", "absent", "absent", "item"]);
    assert.deepEqual(moved.reading.resolve("/topics/old"), { kind: "moved", to: "/topics/new" });
    assert.equal(moved.reading.site().name, "Quotations Association");
  });
});

const STOPPING = { code: "unavailable", message: /^The service is stopping/ };

describe("closing the record", () => {
  it("waits for the writes under way, and may be asked for twice", async () => {
    await using store = await openRecordStore();
    const saves = ["One", "Two"].map((title) => store.save(topic(title, { sourceKey: title })));
    const closing = [store.record.close(), store.record.close()];
    for (const { outcome } of await Promise.all(saves)) assert.equal(outcome, "created");
    await Promise.all(closing);
    await using again = await store.reopen();
    await assertShown(again, ["One", "Two"]);
    const ending = again.record.close();
    await assert.rejects(again.save(topic("Three")), STOPPING);
    await ending;
    await assert.rejects(again.save(topic("Three")), STOPPING);
    await assert.rejects(again.content.itemBySourceKey("One"), STOPPING);
    await assert.rejects(readAuditLogPage(again.record.audit, OPERATOR, { limit: 1 }), STOPPING);
  });
});

describe("the audit log", () => {
  it("has an entry for every change, latest first, in pages", async () => {
    await using store = await openRecordStore();
    const { item } = await store.save(topic("Time"), { requestId: "r1" });
    await unpublishItem(store.content, OPERATOR, item.id, { now: NOW, requestId: "r2" });
    const first = await readAuditLogPage(store.record.audit, OPERATOR, { limit: 2 });
    assert.deepEqual(first, [
      {
        number: 3,
        at: NOW.toISOString(),
        actor: "operator",
        actorName: null,
        action: "content.unpublish",
        target: "/topics/time",
        revisionBefore: 1,
        revisionAfter: 2,
        requestId: "r2",
        detail: null,
      },
      {
        number: 2,
        at: NOW.toISOString(),
        actor: "operator",
        actorName: null,
        action: "content.create",
        target: "/topics/time",
        revisionBefore: null,
        revisionAfter: 1,
        requestId: "r1",
        detail: null,
      },
    ]);
    const rest = await readAuditLogPage(store.record.audit, OPERATOR, { limit: 2, before: 2 });
    assert.deepEqual(
      rest.map(({ action }) => action),
      ["site.update"],
    );
  });

  it("cannot be rewritten", async () => {
    await using store = await openRecordStore();
    await assert.rejects(store.sql("UPDATE audit SET actor = 'somebody'"), /append-only/);
    await assert.rejects(store.sql("DELETE FROM audit"), /append-only/);
  });
});
