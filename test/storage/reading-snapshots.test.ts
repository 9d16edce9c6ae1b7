import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { openReading, type ReadingStore } from "../support/reading-store.ts";
import { rehash } from "../support/rehash.ts";

it("reads what belongs to one turn of the event loop as of one moment", async () => {
  using store = openReading();
  store.put("topic", "/topics/time", { title: "Time" });
  assert.equal(titleIn(store), "Time");
  renameElsewhere(store, "Hours");
  assert.equal(titleIn(store), "Time");
  await setImmediate();
  assert.equal(titleIn(store), "Hours");
});

it("reads at once what this process has committed", () => {
  using store = openReading();
  store.put("topic", "/topics/time", { title: "Time" });
  assert.equal(titleIn(store), "Time");
  store.put("topic", "/topics/time", { title: "Hours" });
  assert.equal(titleIn(store), "Hours");
});

it("keeps nobody from copying the log into the file once the turn is over", async () => {
  using store = openReading();
  store.put("topic", "/topics/time", { title: "Time" });
  assert.equal(titleIn(store), "Time");
  await setImmediate();
  const copied = store.db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  assert.equal(copied?.["busy"], 0);
});

function titleIn({ reading }: ReadingStore): string | undefined {
  const found = reading.resolve("/topics/time");
  return found.kind === "item" ? found.item.title : undefined;
}

/** Commits without notifying this process, as another process would. */
function renameElsewhere({ file }: ReadingStore, title: string): void {
  const db = new DatabaseSync(file);
  db.prepare("UPDATE reading_item SET title = ? WHERE path = '/topics/time'").run(title);
  rehash(db, "reading_item");
  db.exec("UPDATE reading_state SET version = version + 1");
  db.close();
}
