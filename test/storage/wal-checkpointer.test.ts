import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { saveItem } from "../../src/content/editing/editing.ts";
import { saveSite } from "../../src/content/site/site-saving.ts";
import { WalCheckpointer } from "../../src/storage/record/sqlite/wal-checkpointer.ts";
import { databaseAsRead } from "../judges/crash/write-ahead-log.ts";
import { seededNumbers } from "../judges/scale/corpus.ts";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";
import { NOW, OPERATOR, SITE, topic } from "../support/record-store.ts";
import { until } from "../support/until.ts";

const PAGE_BYTES = 4096;
const PATIENCE_MILLISECONDS = 20_000;

describe("the log of the store", () => {
  it("is copied into the file in a thread, once it is long enough", async () => {
    const folder = mkdtempSync(join(tmpdir(), "commonplace-log-"));
    const file = join(folder, "store.db");
    const db = new DatabaseSync(file);
    db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (bytes)");
    const copying = new WalCheckpointer(db, file);
    write(db, 100);
    copying.committed();
    await sleep(100);
    assert.ok(left(db) > 100, "a short log waits for more");
    for (const pages of [4000, 5000]) {
      write(db, pages);
      copying.committed();
      const until = Date.now() + PATIENCE_MILLISECONDS;
      while (left(db) > 0 && Date.now() < until) await sleep(10);
      assert.equal(left(db), 0);
      // It tells that it is done only after it is.
      await sleep(100);
    }
    await copying.close();
    db.close();
    rmSync(folder, { recursive: true });
  });
});

describe("a long log", () => {
  it("is begun anew by the next transaction, however quickly they follow, and by none while a reader needs it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "commonplace-log-"));
    const file = join(folder, "store.db");
    const db = new DatabaseSync(file);
    db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (bytes)");
    const copying = new WalCheckpointer(db, file);
    const transaction = async () => {
      await copying.untilShort();
      write(db, 3000);
      copying.committed();
      // The log is measured at most every 50 ms.
      await sleep(60);
      return length(db);
    };
    const lengths: number[] = [];
    for (let count = 0; count < 14; count += 1) lengths.push(await transaction());
    assert.ok(Math.max(...lengths) < 20_000, lengths.join(" "));
    assert.ok(
      lengths.some((pages, at) => pages < (lengths[at - 1] ?? 0)),
      lengths.join(" "),
    );
    {
      using reader = new DatabaseSync(file, { readOnly: true });
      reader.exec("BEGIN; SELECT count(*) FROM t");
      for (let count = 0; count < 8; count += 1) await transaction();
      assert.ok(length(db) > 20_000);
    }
    await transaction();
    assert.ok((await transaction()) < 20_000);
    await copying.close();
    db.close();
    rmSync(folder, { recursive: true });
  });
});

describe("what the judge of crashes takes of a log", () => {
  it("is what SQLite takes of it, whole, cut off or damaged", () => {
    const folder = mkdtempSync(join(tmpdir(), "commonplace-log-"));
    const [file, crashed] = [join(folder, "store.db"), join(folder, "crashed.db")];
    const next = seededNumbers(1);
    using db = new DatabaseSync(file);
    db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (bytes)");
    for (let round = 0; round < 100; round += 1) {
      if (next() % 5 === 0) db.exec("DELETE FROM t; VACUUM");
      if (next() % 4 === 0) db.exec("PRAGMA wal_checkpoint(RESTART)");
      db.exec("BEGIN");
      for (let count = next() % 4; count >= 0; count -= 1) write(db, next() % 3);
      db.exec("COMMIT");
      const log = harmed(readFileSync(`${file}-wal`), next);
      copyFileSync(file, crashed);
      writeFileSync(`${crashed}-wal`, log);
      const read = databaseAsRead(readFileSync(crashed), log);
      recover(crashed);
      if (read !== null) assert.deepEqual(read, readFileSync(crashed), `round ${round}`);
    }
    rmSync(folder, { recursive: true });
  });
});

describe("a quiet site", () => {
  it("has everything in the file of its store soon after the last change", async () => {
    using line = await openSiteLine();
    const copied = join(line.folder, "copied/commonplace.db");
    mkdirSync(dirname(copied));
    {
      await using store = await openRecordForCommand(readConfig(line.environment));
      await saveSite(store.content, OPERATOR, SITE, [], NOW);
      const { item } = await saveItem(store.content, OPERATOR, topic("New"), NOW);
      assert.ok(waitingIn(line) > 0, "the change is in the log only");
      await until(() => waitingIn(line) === 0);
      copyFileSync(storeOf(line), copied);
      await using copy = await openRecordForCommand(readConfig({ DATA_DIR: dirname(copied) }));
      assert.deepEqual(await copy.content.item(item.id), item);
    }
  });

  it("has there what a process that was killed left in the log", async () => {
    const folder = mkdtempSync(join(tmpdir(), "commonplace-log-"));
    const file = join(folder, "store.db");
    const db = new DatabaseSync(file);
    db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (bytes)");
    assert.ok(left(db) > 0);
    const copying = new WalCheckpointer(db, file);
    await until(() => left(db) === 0);
    await copying.close();
    db.close();
    rmSync(folder, { recursive: true });
  });

  it("has there what a command changed beside the server", async () => {
    using line = await openSiteLine();
    await using _served = await openRecordForCommand(readConfig(line.environment));
    const { code, err } = await line.run("keys", "issue", "--name", "A", "--scope", "mcp:read");
    assert.equal(code, 0, err);
    assert.equal(waitingIn(line), 0);
  });
});

function storeOf({ folder }: CommandLine): string {
  return join(folder, "data/commonplace.db");
}

function waitingIn(line: CommandLine): number {
  using db = new DatabaseSync(storeOf(line));
  return left(db);
}

/** As a power cut may leave it: as it is, cut off, with a bit turned over, or with a hole. */
function harmed(log: Buffer, next: () => number): Buffer {
  const [harm, at] = [next() % 4, next() % log.length];
  if (harm === 1) return log.subarray(0, at);
  if (harm === 2) log.writeUInt8(log.readUInt8(at) ^ 1, at);
  if (harm === 3) log.fill(0, at, Math.min(at + PAGE_BYTES, log.length));
  return log;
}

function recover(file: string): void {
  using db = new DatabaseSync(file);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

function write(db: DatabaseSync, pages: number): void {
  db.prepare("INSERT INTO t VALUES (?)").run(new Uint8Array(pages * PAGE_BYTES));
}

/** Pages of the log. */
function length(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA wal_checkpoint(NOOP)").get()?.["log"]);
}

/** Pages of the log that are not in the file yet. */
function left(db: DatabaseSync): number {
  const { log, checkpointed } = db.prepare("PRAGMA wal_checkpoint(NOOP)").get() ?? {};
  return Number(log) - Number(checkpointed);
}
