import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { countCommit } from "../../src/storage/sqlite/data-version.ts";
import { openApiClient } from "../support/api-client.ts";
import { type Fixture, openFixture } from "../support/open-fixture.ts";
import { until } from "../support/until.ts";

const PATH = "/about";

/** Changes the store behind the program's back. */
function alter({ dataDir }: Fixture, sql: string): void {
  using db = new DatabaseSync(join(dataDir, "commonplace.db"));
  db.exec(sql);
  db.exec("UPDATE reading_state SET version = version + 1");
  countCommit();
}

const ALTERATIONS = {
  "a title": "UPDATE reading_item SET title = title || 'x'",
  "a body": "UPDATE reading_body SET html = html || 'x', markdown = markdown || 'x'",
  "what items are related with":
    'UPDATE reading_related SET related = \'{"links":{},"counts":{}}\'',
  "the site": "UPDATE reading_site SET profile = replace(profile, 'Q', 'O')",
  "counts of types": "UPDATE reading_count SET items = items + 1",
} as const;

for (const [what, sql] of Object.entries(ALTERATIONS)) {
  it(`answers 503 when ${what} was altered, and repairs it`, async () => {
    const app = await openFixture({ engine: "SQLite" });
    try {
      const pages = [PATH, "/", "/llms.txt", "/sitemap.xml"];
      const before = await Promise.all(pages.map((path) => textAt(app, path)));
      alter(app, sql);
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
  alter(app, `UPDATE items SET body = body || 'x' WHERE id = '${one}'`);
  const refused = await client.request("GET", `/content/${one}`);
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "30"]);
  assert.equal((await client.request("GET", `/content/${other}`)).status, 200);
  assert.equal(logged(app, /The record is damaged/).length, 1);
  const ready = await app.get("/readyz");
  assert.equal(ready.status, 200);
  assert.match(await ready.text(), /the record is damaged/);
});

it("finds damage in unread rows by its sweep", async () => {
  const app = await openFixture({ engine: "SQLite" });
  try {
    alter(app, "UPDATE revisions SET item = item || ' '");
    await until(() => logged(app, /The record is damaged/).length > 0);
  } finally {
    await app.close();
  }
});
