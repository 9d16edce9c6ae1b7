import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { sql } from "kysely";
import { TransactionRunner } from "../../src/storage/record/sqlite/transactions.ts";

function values(connection: DatabaseSync): unknown[] {
  return connection
    .prepare("SELECT value FROM settings")
    .all()
    .map(({ value }) => value);
}

it("reports a full disk after SQLite has rolled back by itself", async () => {
  const connection = new DatabaseSync(":memory:");
  connection.exec("CREATE TABLE settings (name TEXT, value TEXT)");
  connection.exec("INSERT INTO settings VALUES ('x', 'kept')");
  const transactions = new TransactionRunner(connection);
  const failing = transactions.run(async (within) => {
    await within.insertInto("settings").values({ name: "x", value: "lost" }).execute();
    // SQLite rolls back by itself when it cannot write its files.
    await sql`ROLLBACK`.execute(within);
    throw new Error("database or disk is full");
  });
  await assert.rejects(failing, /^Error: database or disk is full$/);
  assert.deepEqual(values(connection), ["kept"]);
  await transactions.run(async (within) => {
    await within.insertInto("settings").values({ name: "x", value: "later" }).execute();
  });
  assert.deepEqual(values(connection), ["kept", "later"]);
  connection.close();
});

it("refuses changes while the disk is full, and accepts them afterwards", async () => {
  const connection = new DatabaseSync(":memory:");
  connection.exec("CREATE TABLE settings (name TEXT, value TEXT); PRAGMA max_page_count = 3");
  const transactions = new TransactionRunner(connection);
  const save = (value: string) =>
    transactions.run((within) =>
      within.insertInto("settings").values({ name: "x", value }).executeTakeFirst(),
    );
  await assert.rejects(save("x".repeat(100_000)), {
    code: "unavailable",
    message: "The disk is full: nothing was changed. Make room on it",
  });
  assert.deepEqual(values(connection), []);
  await save("x");
  assert.deepEqual(values(connection), ["x"]);
  connection.close();
});

it("refuses writes in a transaction that has ended", async () => {
  const connection = new DatabaseSync(":memory:");
  connection.exec("CREATE TABLE settings (name TEXT, value TEXT)");
  const transactions = new TransactionRunner(connection);
  const within = await transactions.run(async (db) => ({ db }));
  const late = within.db.insertInto("settings").values({ name: "x", value: "late" }).execute();
  await assert.rejects(late, /The transaction has ended/);
  assert.deepEqual(values(connection), []);
  await transactions.close();
  await assert.rejects(
    transactions.run(async () => {}),
    { code: "unavailable", message: /^The service is stopping/ },
  );
  connection.close();
});
