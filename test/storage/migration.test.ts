import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { mintKey } from "../../src/access/keys/key-format.ts";
import { authenticate } from "../../src/access/keys/keys.ts";
import { hashNewPassword } from "../../src/access/people/passwords.ts";
import { findSession } from "../../src/access/people/sessions.ts";
import { signIn } from "../../src/access/people/sign-in.ts";
import { requestReview } from "../../src/content/drafts/review.ts";
import { trashWithdrawnFiles } from "../../src/content/media/media-clearing.ts";
import { openMediaFolder } from "../../src/storage/media/media-folder.ts";
import { openReadingCopy } from "../../src/storage/reading/open.ts";
import { DRAFT_COLUMNS } from "../../src/storage/record/content/record-hashes.ts";
import { openRecord } from "../../src/storage/record/open.ts";
import { registerRowHash, rowHash } from "../../src/storage/sqlite/row-hash.ts";
import { openCommandLine } from "../support/command-line.ts";
import { png } from "../support/media-bytes.ts";
import { createDatabase, onPostgres } from "../support/postgres-store.ts";
import { NOW, OPERATOR, openRecordStore, RECORD_ORIGIN, topic } from "../support/record-store.ts";

const FIRST = "001-record.sql";
const MIGRATIONS = new URL("../../src/storage/record/sqlite/migrations/", import.meta.url);

it("takes a store of the first version with everything in it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-old-"));
  const file = join(folder, "commonplace.db");
  const key = mintKey();
  await writeFirstVersion(file, key);

  const record = await openRecord({ file, origin: RECORD_ORIGIN });
  const found = await record.content.itemAt("/topics/time");
  assert.deepEqual([found?.title, found?.revision], ["Time", 1]);
  const actor = await authenticate(record.keys, `Bearer ${key}`, { now: NOW, address: "" });
  assert.equal(actor.kind === "key" && actor.name, "Old key");
  assert.equal(await record.idempotentResponses.find("nothing"), null);
  assert.match((await record.siteId()) ?? "", /^[0-9a-f]{32}$/);
  const reading = openReadingCopy({ file });
  assert.equal(reading.resolve("/topics/time").kind, "item");
  reading[Symbol.dispose]();
  await record.close();
  rmSync(folder, { recursive: true });
});

it("backs a store up before upgrading it, and says on the way back what was written since", async () => {
  using line = openCommandLine();
  const data = join(line.folder, "data");
  mkdirSync(data);
  await writeFirstVersion(join(data, "commonplace.db"), mintKey());
  const more = line.file("more.jsonl", '{"type":"topic","title":"Later"}\n');
  assert.equal((await line.run("import", more)).code, 0);
  assert.equal((await line.run("keys", "list")).code, 0);
  const kept = readdirSync(data).filter((name) => name.startsWith("before-upgrade-"));
  assert.equal(kept.length, 1);
  const back = await line.run("restore", join(data, kept.join()), "--force");
  assert.equal(back.code, 0, back.err);
  assert.match(back.out, /^Written since the backup, and not in it: audited changes: 1$/m);
  assert.match(back.out, /^ {2}\S+ content\.\w+ \/topics\/later by operator$/m);
  using db = new DatabaseSync(join(data, "commonplace.db"), { readOnly: true });
  assert.deepEqual(
    db
      .prepare("SELECT name FROM migrations")
      .all()
      .map(({ name }) => name),
    [FIRST],
  );
  assert.deepEqual(
    db
      .prepare("SELECT path FROM items")
      .all()
      .map(({ path }) => path),
    ["/topics/time"],
  );
});

onPostgres("a store of the first version", () => {
  it("is backed up before migrate-to upgrades it, and moved with everything in it", async () => {
    using line = openCommandLine();
    await using database = await createDatabase();
    const data = join(line.folder, "data");
    mkdirSync(data);
    await writeFirstVersion(join(data, "commonplace.db"), mintKey());
    const { code, err } = await line.run("migrate-to", database.url);
    assert.equal(code, 0, err);
    assert.deepEqual(await database.query("SELECT path FROM items"), [{ path: "/topics/time" }]);
    const kept = readdirSync(data).filter((name) => name.startsWith("before-upgrade-"));
    assert.equal(kept.length, 1);
    using db = new DatabaseSync(join(data, kept.join()), { readOnly: true });
    assert.deepEqual({ ...db.prepare("SELECT name FROM migrations").get() }, { name: FIRST });
  });
});

it("refuses a store of a newer version, keeps what that saved, and goes back to it", async () => {
  using line = openCommandLine();
  const data = join(line.folder, "data");
  mkdirSync(data);
  await writeFirstVersion(join(data, "commonplace.db"), mintKey());
  assert.equal((await line.run("keys", "list")).code, 0);
  const saved = () => readdirSync(data).filter((name) => name.startsWith("before-upgrade-"));
  const before = saved();
  {
    using db = new DatabaseSync(join(data, "commonplace.db"));
    db.exec("INSERT INTO migrations VALUES ('999-later.sql')");
    db.exec("DELETE FROM migrations WHERE name = '037-import-bases.sql'");
  }
  for (const command of [["serve"], ["keys", "list"], ["backup", join(line.folder, "copy.db")]]) {
    const { code, err } = await line.run(...command);
    assert.equal(code, 1);
    assert.match(err, /^error: A newer version of this program has changed the store/m);
  }
  assert.equal(before.length, 1);
  assert.deepEqual(saved(), before);
  const back = await line.run("restore", join(data, before.join()), "--force");
  assert.equal(back.code, 0, back.err);
  assert.equal((await line.run("keys", "list")).code, 0);
});

it("lets people sign in who had accounts before there were sessions", async () => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-old-"));
  const file = join(folder, "commonplace.db");
  const { phc } = await hashNewPassword("a few words in a row", []);
  writeBefore(file, "016-people.sql", (db) => {
    db.prepare(
      `INSERT INTO admins VALUES ('a1', 'ada@example.org', 'Ada', 'editor', 'active', ?, ?, 'operator', ?, NULL)`,
    ).run(phc, NOW.toISOString(), NOW.toISOString());
  });
  await using record = await openRecord({ file, origin: RECORD_ORIGIN });
  const client = { address: "192.0.2.1", device: "" };
  const entered = { email: "ada@example.org", password: "a few words in a row" };
  const { token } = await signIn(record, entered, { client, now: NOW });
  const found = await findSession(record, token, NOW);
  assert.deepEqual([found?.admin.role, found?.session.stage], ["editor", "open"]);
  rmSync(folder, { recursive: true });
});

it("finds the files in drafts that were written before their uses were kept", async () => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-old-"));
  const file = join(folder, "commonplace.db");
  const [one, two] = ["1".repeat(32), "2".repeat(32)];
  const body = `![](/media/${one}.png)\n/media/ ![](/media/${two}.jpg) /media/${one}.png /media/x.png`;
  writeBefore(file, "029-draft-media.sql", (db) => {
    db.prepare(
      `INSERT INTO drafts (id, type, version, parts, editors, created_at, updated_at, hash)
       VALUES ('d1', 'topic', 1, ?, '[]', '', '', 0), ('d2', 'topic', 1, '{}', '[]', '', '', 0)`,
    ).run(JSON.stringify({ body }));
  });
  await using record = await openRecord({ file, origin: RECORD_ORIGIN });
  for (const id of [one, two]) {
    assert.deepEqual(
      (await record.media.draftUses(id)).map((use) => use.id),
      ["d1"],
    );
  }
  using db = new DatabaseSync(file, { readOnly: true });
  assert.equal(db.prepare("SELECT count(*) AS count FROM draft_media").get()?.["count"], 2);
  rmSync(folder, { recursive: true });
});

it("reads drafts that were written before a review could be asked for", async () => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-old-"));
  const file = join(folder, "commonplace.db");
  const at = NOW.toISOString();
  writeBefore(file, "036-draft-reviews.sql", (db) => {
    const values = ["d1", "topic", null, null, 1, "{}", null, "[]", null, null, at, at];
    db.prepare(
      `INSERT INTO drafts (${DRAFT_COLUMNS.join()}, hash) VALUES (${"?, ".repeat(values.length)}?)`,
    ).run(...values, rowHash(...values));
  });
  await using record = await openRecord({ file, origin: RECORD_ORIGIN });
  const draft = await record.drafts.byId("d1");
  assert.equal(draft?.review, null);
  const context = { note: "", now: NOW };
  const asked = await requestReview(record, OPERATOR, "d1", context);
  assert.deepEqual(await record.drafts.byId("d1"), asked);
  rmSync(folder, { recursive: true });
});

it("moves files to the trash that were withdrawn before they could be restored", async () => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-old-"));
  const file = join(folder, "commonplace.db");
  const id = "1".repeat(32);
  writeBefore(file, "031-media-trash.sql", (db) => {
    db.prepare("INSERT INTO media_removed VALUES (?, 'image/png')").run(id);
  });
  await using record = await openRecord({ file, origin: RECORD_ORIGIN });
  const files = openMediaFolder(join(folder, "media"));
  writeFileSync(join(folder, "media", `${id}.png`), png(1, 1));
  await trashWithdrawnFiles(record.media, files, NOW);
  assert.deepEqual([await files.names(), await files.trash.names()], [[], [`${id}.png`]]);
  assert.deepEqual(await record.media.removedMedia(1), []);
  assert.deepEqual(await record.media.withdrawn(), []);
  rmSync(folder, { recursive: true });
});

/** A store as it was before a migration. */
function writeBefore(file: string, first: string, fill: (db: DatabaseSync) => void): void {
  using db = new DatabaseSync(file);
  registerRowHash(db);
  db.exec("CREATE TABLE migrations (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
  for (const name of readdirSync(MIGRATIONS).sort()) {
    if (name >= first) break;
    db.exec(readFileSync(new URL(name, MIGRATIONS), "utf8"));
    db.prepare("INSERT INTO migrations VALUES (?)").run(name);
  }
  fill(db);
}

/** The rows of a store of today that the first version had tables and columns for. */
async function writeFirstVersion(file: string, key: string): Promise<void> {
  await using today = await openRecordStore();
  await today.save(topic("Time"));
  using from = new DatabaseSync(today.file, { readOnly: true });
  using to = new DatabaseSync(file);
  to.exec(readFileSync(new URL(FIRST, MIGRATIONS), "utf8"));
  to.exec("CREATE TABLE migrations (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
  to.prepare("INSERT INTO migrations VALUES (?)").run(FIRST);
  for (const table of ["items", "path_claims", "relations", "revisions", "audit", "settings"]) {
    const columns = to.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
    const names = columns.map(({ name }) => String(name));
    const insert = to.prepare(
      `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
    );
    for (const row of from.prepare(`SELECT * FROM ${table}`).all()) {
      insert.run(...names.map((name) => row[name] ?? null));
    }
  }
  to.exec("DELETE FROM settings WHERE name = 'site_id'");
  const hash = createHash("sha256").update(key).digest("hex");
  to.prepare(
    `INSERT INTO keys VALUES ('k1', ?, 'Old key', '', '', '', '["mcp:read"]', 60, '[]', NULL, ?, 'operator', NULL, NULL, NULL, NULL)`,
  ).run(hash, NOW.toISOString());
}
