import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { LogCopying } from "../../src/storage/record/sqlite/log-copying.ts";

const PAGE_BYTES = 4096;
const PATIENCE_MILLISECONDS = 20_000;

describe("the log of the store", () => {
  it("is copied into the file in a thread, once it is long enough", async () => {
    const folder = mkdtempSync(join(tmpdir(), "commonplace-log-"));
    const file = join(folder, "store.db");
    const db = new DatabaseSync(file);
    db.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (bytes)");
    const copying = new LogCopying(db, file);
    write(db, 100);
    copying.committed();
    await sleep(100);
    assert.ok(left(db) > 100, "so little is left where it is");
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

function write(db: DatabaseSync, pages: number): void {
  db.prepare("INSERT INTO t VALUES (?)").run(new Uint8Array(pages * PAGE_BYTES));
}

/** Pages of the log that are not in the file yet. */
function left(db: DatabaseSync): number {
  const { log, checkpointed } = db.prepare("PRAGMA wal_checkpoint(NOOP)").get() ?? {};
  return Number(log) - Number(checkpointed);
}
