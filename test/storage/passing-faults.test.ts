import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { saveItem } from "../../src/content/editing/editing.ts";
import { AppError } from "../../src/errors.ts";
import { createLog } from "../../src/log.ts";
import { withDamageReports } from "../../src/storage/reading/damage-reports.ts";
import { openReadingCopy } from "../../src/storage/reading/open.ts";
import { QueueWorker } from "../../src/work/queue-worker.ts";
import { NOW, OPERATOR, openRecordStore, topic } from "../support/record-store.ts";

/** PERM, BUSY, NOMEM, IOERR (reading, out of memory), FULL, CANTOPEN, PROTOCOL */
const PASSING = [3, 5, 7, 10, 10 | (12 << 8), 13, 14, 15];

describe("a store that another process has locked", () => {
  it("shows previews, which write nothing", async () => {
    await using store = await openRecordStore({ engine: "SQLite" });
    await store.save(topic("Time"));
    using other = new DatabaseSync(store.file);
    other.exec("BEGIN IMMEDIATE");
    const kinds = await store.record.preview(
      ({ content }) => saveItem(content, OPERATOR, topic("Space"), NOW),
      async (reading) => ["/topics/time", "/topics/space"].map((at) => reading.resolve(at).kind),
    );
    assert.deepEqual(kinds, ["item", "item"]);
    other.exec("ROLLBACK");
    assert.equal(store.reading.resolve("/topics/space").kind, "absent");
  });
});

describe("a read of the reading copy that the machine refuses", () => {
  it("is unavailable, never a bug", async () => {
    await using store = await openRecordStore({ engine: "SQLite" });
    for (const errcode of PASSING) {
      const copy = openReadingCopy({ file: store.file });
      const failing = () => {
        throw Object.assign(new Error("disk I/O error"), { errcode });
      };
      using guarded = withDamageReports(
        { ...copy, resolve: failing, [Symbol.dispose]: () => copy[Symbol.dispose]() },
        () => {},
      );
      assert.throws(
        () => guarded.resolve("/"),
        (error) => error instanceof AppError && error.code === "unavailable",
        String(errcode),
      );
    }
  });
});

describe("tasks of a queue that fail alike", () => {
  it("are logged once", async () => {
    const lines: string[] = [];
    const queue = {
      taskName: "test",
      concurrencyMax: 1,
      graceMilliseconds: 0,
      run: async () => {
        throw new Error("Always");
      },
    };
    let left = 20;
    const worker = new QueueWorker(
      { ...queue, claim: async () => (left-- > 0 ? [1] : []) },
      createLog("error", (line) => lines.push(line)),
    );
    await worker.work();
    while (left > 0) await new Promise((resolve) => setImmediate(resolve));
    await worker.stop();
    assert.equal(lines.length, 1, lines.join());
  });
});
