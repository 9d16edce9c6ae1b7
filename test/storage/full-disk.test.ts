import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { Kysely, sql } from "kysely";
import { NodeSqliteDialect } from "../../src/storage/record/sqlite/dialect.ts";

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
