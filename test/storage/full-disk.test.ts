import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { Kysely, sql } from "kysely";
import { connectionsOf } from "../../src/storage/record/connections.ts";
import { NodeSqliteDialect } from "../../src/storage/record/sqlite/dialect.ts";
import type { RecordTables } from "../../src/storage/record/tables.ts";

it("tells that the disk is full, where SQLite has undone the transaction itself", async () => {
  const connection = new DatabaseSync(":memory:");
  connection.exec("CREATE TABLE texts (text TEXT); INSERT INTO texts VALUES ('kept')");
  const db = new Kysely<{ texts: { text: string } }>({
    dialect: new NodeSqliteDialect(connection),
  });
  const failing = db.transaction().execute(async (transaction) => {
    await transaction.insertInto("texts").values({ text: "lost" }).execute();
    // What SQLite does by itself when a write of its files fails.
    await sql`ROLLBACK`.execute(transaction);
    throw new Error("database or disk is full");
  });
  await assert.rejects(failing, /^Error: database or disk is full$/);
  const texts = await db.selectFrom("texts").selectAll().execute();
  assert.deepEqual(
    texts.map(({ text }) => text),
    ["kept"],
  );
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto("texts").values({ text: "later" }).execute();
  });
  assert.equal((await db.selectFrom("texts").selectAll().execute()).length, 2);
  connection.close();
});

it("tells whoever asked for a change that there is no room, and changes when there is", async () => {
  const connection = new DatabaseSync(":memory:");
  connection.exec("CREATE TABLE settings (name TEXT, value TEXT); PRAGMA max_page_count = 3");
  const db = new Kysely<RecordTables>({ dialect: new NodeSqliteDialect(connection) });
  const { transact } = connectionsOf(db, db);
  const save = (value: string) =>
    transact((within) =>
      within.insertInto("settings").values({ name: "x", value }).executeTakeFirst(),
    );
  await assert.rejects(save("x".repeat(100_000)), {
    code: "unavailable",
    message: "The disk is full: nothing was changed. Make room on it",
  });
  assert.equal((await db.selectFrom("settings").selectAll().execute()).length, 0);
  await save("x");
  assert.equal((await db.selectFrom("settings").selectAll().execute()).length, 1);
  connection.close();
});
