import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";
import { png } from "../support/media-bytes.ts";
import { openFixture } from "../support/open-fixture.ts";
import { createDatabase, onPostgres } from "../support/postgres-store.ts";

const FIXTURE = join(import.meta.dirname, "../support/fixture");

const DRAFT = JSON.stringify({ type: "topic", changes: { title: "Kept" } });

async function filled(more: Record<string, string> = {}): Promise<CommandLine> {
  const line = openCommandLine(more);
  assert.equal((await line.run("import", FIXTURE)).code, 0);
  return line;
}

function alter(file: string, sql: string): void {
  using db = new DatabaseSync(file);
  db.exec(sql);
}

/** The parts of the findings with the first word of each place. */
async function found(line: CommandLine, ...words: string[]): Promise<string[]> {
  const { code, out, err } = await line.run("verify", "--json", ...words);
  assert.equal(err, "");
  const { isWhole, count, findings } = JSON.parse(out);
  assert.equal(code, isWhole ? 0 : 1);
  assert.equal(count, findings.length);
  const places: { part: string; place: string }[] = findings;
  return [...new Set(places.map(({ part, place }) => `${part}: ${place.split(",")[0]}`))].sort();
}

describe("verify", () => {
  it("finds nothing in a whole store, and changes none of its bytes", async () => {
    using line = await filled();
    const store = join(line.folder, "data/commonplace.db");
    const before = readFileSync(store);
    assert.deepEqual(await line.run("verify"), { code: 0, out: "No damage found", err: "" });
    assert(readFileSync(store).equals(before));
  });

  it("names altered rows of the record and of the reading copy, with what to do", async () => {
    using line = await filled();
    const store = join(line.folder, "data/commonplace.db");
    alter(
      store,
      "UPDATE revisions SET item = item || ' ' WHERE item_id = (SELECT max(item_id) FROM revisions)",
    );
    alter(store, "UPDATE items SET body = body || 'x' WHERE path = '/about'");
    alter(
      store,
      "UPDATE relations SET note = 'x' WHERE to_id = (SELECT max(to_id) FROM relations)",
    );
    alter(store, "UPDATE reading_body SET html = html || 'x' WHERE row = 1");
    const { code, out, err } = await line.run("verify");
    assert.deepEqual([code, /^\d+ places are damaged$/.test(err)], [1, true]);
    assert.match(out, /^record: items, \S+\. Restore the latest backup that is whole$/m);
    assert.match(out, /^record: revisions, /m);
    assert.match(out, /^record: relations, /m);
    assert.match(
      out,
      /^reading copy: reading_body, 1\. A server that starts rebuilds it from the record$/m,
    );
  });

  it("finds a damaged page, and a store that is no database any more", async () => {
    using line = await filled();
    const store = join(line.folder, "data/commonplace.db");
    alter(store, "PRAGMA wal_checkpoint(TRUNCATE)");
    const bytes = readFileSync(store);
    using db = new DatabaseSync(store, { readOnly: true });
    const page = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'audit'").get();
    db.close();
    bytes.fill(0xff, 4096 * (Number(page?.["rootpage"]) - 1), 4096 * Number(page?.["rootpage"]));
    writeFileSync(store, bytes);
    assert.deepEqual(await found(line), ["record: audit"]);
    writeFileSync(store, Buffer.alloc(8192, 1));
    assert.deepEqual(await found(line), ["record: the whole file"]);
  });

  it("finds files of the site that are missing or altered", async () => {
    using line = await filled();
    const names = [1, 2, 3].map((width) => {
      const name = `dot-${width}.png`;
      line.file(name, png(width, 1));
      return name;
    });
    const added = await line.run("media", "add", ...names.map((name) => join(line.folder, name)));
    const files = [...added.out.matchAll(/\/media\/([^)]+)\)/g)].map(([, file]) => file ?? "");
    assert.equal(files.length, 3);
    assert.deepEqual(await found(line), []);
    rmSync(join(line.folder, "data/media", files[0] ?? ""));
    appendFileSync(join(line.folder, "data/media", files[1] ?? ""), "x");
    assert.deepEqual(await found(line), [`files: ${files[0]}`, `files: ${files[1]}`].sort());
  });

  it("looks into backups, also against their manifest", async () => {
    using line = await filled();
    const folder = join(line.folder, "backup");
    const file = join(line.folder, "backup.db");
    assert.equal((await line.run("backup", folder)).code, 0);
    assert.equal((await line.run("backup", file)).code, 0);
    assert.deepEqual(await found(line, folder), []);
    assert.deepEqual(await found(line, file), []);
    alter(join(folder, "commonplace.db"), "UPDATE settings SET value = value || ' '");
    assert.deepEqual(await found(line, folder), ["record: commonplace.db"]);
    alter(file, "UPDATE items SET title = title || 'x'");
    assert.deepEqual(await found(line, file), ["record: items"]);
  });

  it("works beside a running server", async () => {
    const server = await openFixture({ engine: "SQLite" });
    try {
      using line = openCommandLine({ DATA_DIR: server.dataDir });
      assert.deepEqual(await found(line), []);
    } finally {
      await server.close();
    }
  });

  it("says where there is nothing to verify", async () => {
    using line = openCommandLine();
    for (const words of [[], [join(line.folder, "none")], [line.folder]]) {
      const { code, err } = await line.run("verify", ...words);
      assert.equal(code, 2);
      assert.match(err, /^error: There is no store to verify at /);
    }
    assert(!existsSync(join(line.folder, "data")));
    const empty = line.file("empty.db", "");
    const { code, err } = await line.run("verify", empty);
    assert.deepEqual([code, err], [2, `error: ${empty} is empty`]);
    const other = line.file("other.db", "");
    alter(other, "CREATE TABLE visitors (name TEXT)");
    const refused = await line.run("verify", other);
    assert.equal(refused.err, `error: ${other} is a database of another program`);
  });

  it("does not take a data folder that it cannot read for an interrupted restore", async () => {
    using line = openCommandLine();
    line.environment["DATA_DIR"] = line.file("file", "x");
    const { code, err } = await line.run("verify");
    assert.equal(code, 1);
    assert.match(err, /restore-journal\.json: a part of the path is a file, not a folder$/);
  });
});

onPostgres("verify", () => {
  it("names altered rows, and files that differ in the database or its copy", async () => {
    await using database = await createDatabase();
    using line = await filled({ DATABASE_URL: database.url });
    const added = await line.run("media", "add", line.file("dot.png", png(2, 2)));
    const [, file = ""] = /\/media\/([^)]+)\)/.exec(added.out) ?? [];
    assert.deepEqual(await found(line), []);
    await database.query("UPDATE items SET body = body || 'x' WHERE path = '/about'");
    await database.query("UPDATE relations SET note = 'x'");
    await database.query("UPDATE revisions SET item = item || ' '");
    await database.query("UPDATE file_pieces SET bytes = set_byte(bytes, 0, 0)");
    assert.deepEqual(await found(line), [
      `files: ${file}`,
      "record: items",
      "record: relations",
      "record: revisions",
    ]);
  });

  it("names altered dates, drafts and settings, and tables that the database cannot read", async () => {
    await using database = await createDatabase();
    using line = await filled({ DATABASE_URL: database.url });
    const drafted = await line.run("api", "POST", "/drafts", "--data", DRAFT);
    assert.equal(drafted.code, 0, drafted.err);
    assert.deepEqual(await found(line), []);
    await database.query("UPDATE items SET review_at = '2026-11-21' WHERE path = '/about'");
    await database.query("UPDATE drafts SET parts = replace(parts, 'Kept', 'Lost')");
    await database.query("UPDATE settings SET hash = hash + 1 WHERE name = 'site'");
    // As the database answers for a page whose checksum is wrong.
    await database.query(`
      CREATE FUNCTION unreadable() RETURNS boolean AS $$
        BEGIN RAISE 'invalid page in block 0' USING ERRCODE = 'XX001'; END
      $$ LANGUAGE plpgsql;
      ALTER TABLE audit RENAME TO audit_kept;
      CREATE VIEW audit AS SELECT * FROM audit_kept WHERE unreadable()`);
    assert.deepEqual(await found(line), [
      "record: audit",
      "record: drafts",
      "record: items",
      "record: settings",
    ]);
  });
});
