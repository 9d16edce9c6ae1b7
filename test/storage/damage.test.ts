import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { checkDatabase } from "../../src/storage/integrity/checks.ts";
import { incrementCommitCount } from "../../src/storage/sqlite/data-version.ts";
import { isBusyError } from "../../src/storage/sqlite/sqlite-errors.ts";
import { openApiClient } from "../support/api-client.ts";
import { type Fixture, openFixture } from "../support/open-fixture.ts";
import { until } from "../support/until.ts";

const PATH = "/about";

/**
 * Changes the store behind the program's back. Tries until no transaction of the program is open, which could
 * not end while this waited for it.
 */
async function alter({ dataDir }: Fixture, sql: string): Promise<void> {
  using db = new DatabaseSync(join(dataDir, "commonplace.db"), { defensive: false });
  await until(() => {
    try {
      db.exec("BEGIN IMMEDIATE");
      return true;
    } catch (error) {
      if (!isBusyError(error)) throw error;
      return false;
    }
  });
  db.exec(`${sql}; UPDATE reading_state SET version = version + 1; COMMIT`);
  incrementCommitCount();
}

const ALTERATIONS = {
  "a title": "UPDATE reading_item SET title = title || 'x'",
  "a body": "UPDATE reading_body SET html = html || 'x', markdown = markdown || 'x'",
  "what items are related with":
    'UPDATE reading_related SET related = \'{"links":{},"counts":{}}\'',
  "the site": "UPDATE reading_site SET profile = replace(profile, 'Q', 'O')",
  "counts of types": "UPDATE reading_count SET items = items + 1",
  "a number, beyond what can be read": "UPDATE reading_count SET items = 4347503422657813020",
} as const;

for (const [what, sql] of Object.entries(ALTERATIONS)) {
  it(`answers 503 when ${what} was altered, and repairs it`, async () => {
    const app = await openFixture({ engine: "SQLite" });
    try {
      const pages = [PATH, "/", "/llms.txt", "/sitemap.xml"];
      const before = await Promise.all(pages.map((path) => textAt(app, path)));
      await alter(app, sql);
      const damaged = await Promise.all(pages.map((path) => app.get(path)));
      const refused = damaged.filter(({ status }) => status === 503);
      assert.ok(refused.length > 0);
      for (const answer of refused) assert.equal(answer.headers.get("retry-after"), "30");
      for (const [at, answer] of damaged.entries()) {
        if (answer.status === 200) assert.equal(await answer.text(), before[at]);
      }
      assert.equal((await app.get("/readyz")).status, 503);
      assert.equal(logged(app, /The reading copy is damaged/).length > 0, true);
      await until(async () => (await app.get("/readyz")).status === 200);
      const after = await Promise.all(pages.map((path) => textAt(app, path)));
      assert.deepEqual(after, before);
    } finally {
      await app.close();
    }
  });
}

it("answers 503 instead of listing an item of another author, and repairs it", async () => {
  await using app = await openFixture({ engine: "SQLite" });
  using db = new DatabaseSync(join(app.dataDir, "commonplace.db"), { readOnly: true });
  const authors = db
    .prepare(
      `SELECT target, min(source) AS source, path FROM reading_link
       JOIN reading_item ON row = target
       WHERE relation = 'authors' AND source_type = 'quotation' GROUP BY target LIMIT 2`,
    )
    .all();
  db.close();
  const [one, other] = authors;
  assert(one !== undefined && other !== undefined);
  const exchange = (source: unknown, target: unknown) =>
    `UPDATE reading_link SET target = ${target} WHERE source = ${source} AND relation = 'authors'`;
  const paths = [one, other].map(({ path }) => `${path}.md`);
  const before = await Promise.all(paths.map((path) => textAt(app, path)));
  await alter(
    app,
    `${exchange(one["source"], other["target"])}; ${exchange(other["source"], one["target"])}`,
  );
  assert.deepEqual(
    await Promise.all(paths.map(async (path) => (await app.get(path)).status)),
    [503, 503],
  );
  await until(async () => (await app.get("/readyz")).status === 200);
  assert.deepEqual(await Promise.all(paths.map((path) => textAt(app, path))), before);
});

function logged({ logged: lines }: Fixture, message: RegExp): string[] {
  return lines.filter((line) => message.test(line));
}

async function textAt(app: Fixture, path: string): Promise<string> {
  const answer = await app.get(path);
  assert.equal(answer.status, 200, path);
  return await answer.text();
}

it("refuses a damaged item of the record, and serves the rest", async () => {
  await using client = await openApiClient({ engine: "SQLite" });
  const { app } = client;
  const { body } = await client.request("GET", "/content?type=page");
  const [one, other] = body.items.map(({ id }: { id: string }) => id);
  await alter(app, `UPDATE items SET body = body || 'x' WHERE id = '${one}'`);
  const refused = await client.request("GET", `/content/${one}`);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "30"]);
  assert.equal((await client.request("GET", `/content/${other}`)).status, 200);
  assert.equal(logged(app, /The record is damaged/).length, 1);
  const ready = await app.get("/readyz");
  assert.equal(ready.status, 200);
  assert.match(await ready.text(), /the record is damaged/);
});

it("never gives settings that differ from their hash", async () => {
  await using client = await openApiClient({ engine: "SQLite" });
  const file = join(client.app.dataDir, "commonplace.db");
  const { body: site } = await client.request("GET", "/settings");
  const name = { name: "Changed" };
  const etag = (await client.request("GET", "/settings")).headers.get("etag") ?? "";
  const changed = await client.request("PATCH", "/settings", {
    body: name,
    headers: { "if-match": etag },
  });
  assert.equal(changed.status, 200);
  assert.notEqual(site.name, "Changed");
  // As a version without hashes does.
  await alter(client.app, "UPDATE settings SET value = replace(value, 'Changed', 'Changes')");
  assert.equal((await client.request("GET", "/settings")).body.name, "Changes");
  await alter(
    client.app,
    "DROP TRIGGER setting_changed; UPDATE settings SET hash = 1 WHERE name = 'site'",
  );
  assert.equal((await client.request("GET", "/settings")).status, 503);
  assert(damagedTables(file).includes("settings"));
});

it("finds damage in unread rows by its sweep", async () => {
  let steady = 0;
  const app = await openFixture({ engine: "SQLite", monotonic: () => steady });
  try {
    await alter(app, "UPDATE revisions SET item = item || ' '");
    steady = 60_000;
    await until(() => logged(app, /The record is damaged/).length > 0);
  } finally {
    await app.close();
  }
});

it("answers 503 instead of a total that was altered, and finds it by the sweep's checks", async () => {
  await using client = await openApiClient({ engine: "SQLite" });
  const file = join(client.app.dataDir, "commonplace.db");
  assert.deepEqual(damagedTables(file), []);
  for (const sql of [
    "UPDATE item_counts SET items = items + 1 WHERE type = 'page'",
    "UPDATE item_counts SET language = language || 'x' WHERE type = 'page'",
    "DELETE FROM item_counts WHERE type = 'page'",
  ]) {
    using db = new DatabaseSync(file);
    db.exec(`CREATE TABLE whole AS SELECT * FROM item_counts; ${sql}`);
    assert.equal((await client.request("GET", "/content?type=topic")).status, 503, sql);
    assert.equal((await client.request("GET", "/content-types")).status, 503, sql);
    assert.equal((await client.request("GET", "/content?path=/about")).status, 200, sql);
    assert(damagedTables(file).includes("item_counts"), sql);
    db.exec(
      "DELETE FROM item_counts; INSERT INTO item_counts SELECT * FROM whole; DROP TABLE whole",
    );
  }
});

it("counts items for editors without the index that may have lost some", async () => {
  await using client = await openApiClient({ engine: "SQLite" });
  const { body: before } = await client.request("GET", "/content?type=page");
  await alter(client.app, "DROP INDEX items_type_status");
  await alter(
    client.app,
    `CREATE INDEX items_type_status ON items (type, status) WHERE path <> '${PATH}';
     PRAGMA writable_schema = ON;
     UPDATE sqlite_schema SET sql = 'CREATE INDEX items_type_status ON items (type, status)'
     WHERE name = 'items_type_status'`,
  );
  const { body: after } = await client.request("GET", "/content?type=page");
  assert.equal(after.total, before.total);
});

function damagedTables(file: string): (string | null)[] {
  using db = new DatabaseSync(file, { readOnly: true });
  return [...checkDatabase(db)].flatMap((place) => (place === null ? [] : [place.table]));
}
