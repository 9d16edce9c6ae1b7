import assert from "node:assert/strict";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { type CommandLine, openCommandLine, openSiteLine } from "../support/command-line.ts";
import { createDatabase, onPostgres, type TestDatabase } from "../support/postgres-store.ts";
import { serve, stop } from "../support/served.ts";

onPostgres("an instance", () => {
  let database: TestDatabase;
  let line: CommandLine;

  before(async () => {
    database = await createDatabase();
    line = await openSiteLine({ DATABASE_URL: database.url, DEMO: "0", PORT: "0" });
    await stop(await serve(line), "SIGTERM");
  });

  after(async () => {
    line[Symbol.dispose]();
    await database[Symbol.asyncDispose]();
  });

  it("makes no site in an empty database, and no table", async () => {
    await using empty = await createDatabase();
    using fresh = openCommandLine({ DATABASE_URL: empty.url, DEMO: "0", PORT: "0" });
    for (const words of [["serve"], ["keys", "list"]]) {
      const { code, err } = await fresh.run(...words);
      assert.equal(code, 1);
      assert.match(err, /^error: There is no site in the database that DATABASE_URL names\. Check/);
    }
    assert.deepEqual(await tablesIn(empty), []);
    assert.deepEqual(readdirSync(fresh.folder), []);
  });

  it("keeps its copy when the database it is pointed to is empty, also with the demo", async () => {
    await using empty = await createDatabase();
    const files = readdirSync(dataOf(line));
    for (const more of [{ DEMO: "0" }, { DEMO: "1" }]) {
      await refused(
        line,
        { DATABASE_URL: empty.url, ...more },
        /holds no site, but the data folder/,
      );
    }
    assert.deepEqual(await tablesIn(empty), []);
    assert.deepEqual(readdirSync(dataOf(line)), files);
    await using served = await serve(line);
    assert.equal((await fetch(`${served.origin}/about`)).status, 200);
    assert.equal(await stop(served, "SIGTERM"), 0);
  });

  it("does not show another site in its folder, also where only the copy tells", async () => {
    await using other = await createDatabase();
    using another = await openSiteLine({ DATABASE_URL: other.url });
    const pointed = { DATABASE_URL: other.url };
    await refused(line, pointed, /belongs to another site than the database/);
    const mark = join(dataOf(line), "site.json");
    rmSync(mark);
    await refused(line, pointed, /belongs to another site than the database/);
    assert(!existsSync(mark));
    await stop(await serve(line), "SIGTERM");
    assert(existsSync(mark), "the mark is made again");
    assert.equal((await another.run("keys", "list")).code, 0);
  });

  it("takes a folder and a database of the version before", async () => {
    await database.query("DELETE FROM settings WHERE name = 'site_id'");
    await database.query("DELETE FROM migrations WHERE name = '004-site-id.sql'");
    rmSync(join(dataOf(line), "site.json"));
    await using served = await serve(line);
    assert.equal(await stop(served, "SIGTERM"), 0);
    const [row] = await database.query(
      "SELECT value = record_id AS same FROM settings, change_state WHERE name = 'site_id'",
    );
    assert.deepEqual(row, { same: true });
  });
});

function dataOf({ folder }: CommandLine): string {
  return join(folder, "data");
}

async function refused(
  line: CommandLine,
  more: Record<string, string>,
  message: RegExp,
): Promise<void> {
  await assert.rejects(serve(line, { more }), (error) => {
    assert(error instanceof Error);
    assert.match(error.message, /ended with 1/);
    assert.match(error.message, message);
    return true;
  });
}

async function tablesIn({ query }: TestDatabase): Promise<Record<string, unknown>[]> {
  return await query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
}
