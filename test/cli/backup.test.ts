import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { openCommandLine } from "../support/command-line.ts";
import { exportedLines, filledSite } from "../support/filled-site.ts";

const FIXTURE = join(import.meta.dirname, "../support/fixture");

function countItems(file: string): number {
  using db = new DatabaseSync(file, { readOnly: true });
  return Number(db.prepare("SELECT count(*) AS n FROM items").get()?.["n"]);
}

describe("backup", () => {
  it("and restore bring everything back", async () => {
    using line = await filledSite();
    const place = join(line.folder, "backup");
    const backup = await line.run("backup", place, "--json");
    assert.equal(backup.code, 0, backup.err);
    assert.equal(JSON.parse(backup.out).media, 1);
    assert.deepEqual(readdirSync(place).sort(), ["commonplace.db", "manifest.json", "media"]);
    assert.equal(statSync(join(place, "commonplace.db")).mode & 0o077, 0, "for its owner only");

    using other = openCommandLine();
    const restored = await other.run("restore", place);
    assert.equal(restored.code, 0, restored.err);
    assert.equal(await exportedLines(other), await exportedLines(line));
    assert.deepEqual(readdirSync(join(other.folder, "data/media")), [`${"a".repeat(32)}.png`]);
  });

  it("is of one moment, however much is written meanwhile", async () => {
    using line = await filledSite();
    const file = line.file(
      "many.jsonl",
      Array.from(
        { length: 6000 },
        (_, n) =>
          `${JSON.stringify({ type: "topic", sourceKey: `t${n}`, title: `Topic ${n}`, body: "word ".repeat(200) })}\n`,
      ).join(""),
    );
    const importing = line.spawn("import", file);
    let isDone = false;
    void importing.then(() => {
      isDone = true;
    });
    const counts: number[] = [];
    for (let n = 0; !isDone || n === 0; n += 1) {
      const place = join(line.folder, `backup-${n}.db`);
      const backup = await line.run("backup", place);
      assert.equal(backup.code, 0, backup.err);
      counts.push(countItems(place));
    }
    assert.equal((await importing).code, 0);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    );
  });

  it("is not put in the place of anything, and leaves nothing behind when it fails", async () => {
    using line = await filledSite();
    const place = line.file("taken.db", "mine");
    const refused = await line.run("backup", place);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /something is there already; name a new place$/);
    assert.equal(readFileSync(place, "utf8"), "mine");
    truncateSync(join(line.folder, "data/commonplace.db"), 40_000);
    const damaged = await line.run("backup", join(line.folder, "new"));
    assert.equal(damaged.code, 1);
    assert.match(damaged.err, /malformed|damaged/);
    assert.deepEqual(readdirSync(line.folder).sort(), ["data", "taken.db"]);
  });

  it("into no place is refused, as with an unset variable of a script", async () => {
    using line = openCommandLine();
    assert.equal((await line.run("import", FIXTURE)).code, 0);
    for (const flags of [[], ["--keep", "7"]]) {
      const { code, err } = await line.run("backup", "", ...flags);
      assert.deepEqual([code, err], [2, "error: Name a place: the one given is empty"]);
    }
  });

  it("of nothing says so", async () => {
    using line = openCommandLine();
    const { code, err } = await line.run("backup", join(line.folder, "b"));
    assert.equal(code, 1);
    assert.match(err, /^error: There is nothing to back up: .*commonplace\.db does not exist$/);
  });
});

describe("restore", () => {
  it("never touches a store in use, and keeps what it replaces", async () => {
    using line = await filledSite();
    const place = join(line.folder, "backup");
    await line.run("backup", place);
    await line.run(
      "import",
      line.file("a.jsonl", '{"type":"topic","path":"/topics/new","title":"New"}\n'),
    );
    const later = await exportedLines(line);

    const index = line.file("data/desk.db", "of the record that is there");
    const unforced = await line.run("restore", place);
    assert.equal(unforced.code, 1);
    assert.match(unforced.err, /there is a store already; add --force to replace it$/);
    {
      await using open = await openRecordForCommand(readConfig(line.environment));
      const used = await line.run("restore", place, "--force");
      assert.equal(used.code, 1);
      assert.match(used.err, /a server or a command uses it; stop that first$/);
      assert((await open.content.itemAt("/topics/new")) !== null);
    }
    assert.equal((await line.run("restore", place, "--force", "--dry-run")).code, 0);
    assert(existsSync(index), "the desk's index stays with its record");
    assert.equal(await exportedLines(line), later);

    const forced = await line.run("restore", place, "--force", "--json");
    assert.equal(forced.code, 0, forced.err);
    assert.notEqual(await exportedLines(line), later);
    assert(!existsSync(index));
    const { replaced } = JSON.parse(forced.out);
    assert(existsSync(join(replaced, "commonplace.db")));
    const back = await line.run("restore", replaced, "--force");
    assert.equal(back.code, 0, back.err);
    assert.equal(await exportedLines(line), later);
  });

  it("refuses what is no whole backup of this program, and changes nothing", async () => {
    using line = await filledSite();
    const before = await exportedLines(line);
    const whole = join(line.folder, "whole.db");
    await line.run("backup", whole);
    const half = line.file("half.db", readFileSync(whole).subarray(0, 60_000));
    const torn = Buffer.from(readFileSync(whole));
    torn.fill(7, 50_000, 58_000);
    const foreign = join(line.folder, "foreign.db");
    {
      using db = new DatabaseSync(foreign);
      db.exec("CREATE TABLE a (b)");
    }
    const newer = line.file("newer.db", readFileSync(whole));
    {
      using db = new DatabaseSync(newer);
      db.exec("INSERT INTO migrations VALUES ('999-later.sql')");
    }
    mkdirSync(join(line.folder, "empty"));
    for (const [path, message] of [
      [half, /half\.db: database disk image is malformed/],
      [line.file("torn.db", torn), /torn\.db (is damaged|: )|malformed/],
      [line.file("text.db", "text"), /text\.db: file is not a database/],
      [foreign, /foreign\.db is a database of another program/],
      [newer, /newer version of this program has changed .*\(999-later\.sql\): use that version/],
      [join(line.folder, "empty"), /there is no commonplace\.db in it/],
      [join(line.folder, "nowhere"), /it does not exist/],
    ] as const) {
      const { code, err } = await line.run("restore", path, "--force");
      assert.notEqual(code, 0, path);
      assert.match(err, message);
    }
    assert.equal(await exportedLines(line), before);
    assert.deepEqual(
      readdirSync(join(line.folder, "data")).filter((name) => /restoring|replaced/.test(name)),
      [],
    );
  });
});

describe("a backup", () => {
  it("with --keep is restored for a trial, and older ones go", async () => {
    using line = openCommandLine();
    assert.equal((await line.run("import", FIXTURE)).code, 0);
    const folder = join(line.folder, "backups");
    for (const name of [
      "2026-01-05T03-00-00Z",
      "2026-01-06T03-00-00Z",
      "2026-01-13T03-00-00Z",
      "mine",
    ]) {
      mkdirSync(join(folder, name), { recursive: true });
    }
    const done = await line.run("backup", folder, "--keep", "2", "--keep-weekly", "3", "--json");
    assert.equal(done.code, 0, done.err);
    const { path, removed } = JSON.parse(done.out);
    assert.deepEqual(removed, ["2026-01-05T03-00-00Z"]);
    assert.deepEqual(
      readdirSync(folder).sort(),
      [
        "2026-01-06T03-00-00Z",
        "2026-01-13T03-00-00Z",
        path.slice(folder.length + 1),
        "mine",
      ].sort(),
    );
    const noted = JSON.parse(readFileSync(join(line.folder, "data/last-backup.json"), "utf8"));
    assert.equal(noted.place, path);
    using other = openCommandLine();
    assert.equal((await other.run("restore", path)).code, 0);
    const alone = await line.run("backup", folder, "--keep-weekly", "3");
    assert.match(alone.err, /goes with --keep/);
  });

  it("is never the one that goes, whatever a wrong clock dated others", async () => {
    using line = openCommandLine();
    assert.equal((await line.run("import", FIXTURE)).code, 0);
    const folder = join(line.folder, "backups");
    for (const name of ["2026-01-05T03-00-00Z", "2099-01-05T03-00-00Z"]) {
      mkdirSync(join(folder, name), { recursive: true });
    }
    const done = await line.run("backup", folder, "--keep", "1", "--json");
    const { path, removed } = JSON.parse(done.out);
    assert(existsSync(path));
    assert.deepEqual(removed, ["2026-01-05T03-00-00Z"]);
    assert(existsSync(join(folder, "2099-01-05T03-00-00Z")));
  });

  it("that fails its trial costs no older one and is not counted", async () => {
    using line = openCommandLine();
    assert.equal((await line.run("import", FIXTURE)).code, 0);
    using db = new DatabaseSync(join(line.folder, "data/commonplace.db"));
    db.exec("UPDATE items SET hash = hash + 1 WHERE rowid = (SELECT min(rowid) FROM items)");
    const folder = join(line.folder, "backups");
    mkdirSync(join(folder, "2026-01-05T03-00-00Z"), { recursive: true });
    const failed = await line.run("backup", folder, "--keep", "1");
    assert.equal(failed.code, 1);
    assert.match(failed.err, /restored for a trial and is damaged in \d+ places/);
    const names = readdirSync(folder).sort();
    assert.equal(names.length, 2, names.join());
    assert.equal(names[0], "2026-01-05T03-00-00Z");
    assert.match(names[1] ?? "", /Z-unproven$/);
    assert(!existsSync(join(line.folder, "data/last-backup.json")));
    renameSync(join(folder, names[1] ?? ""), join(folder, "2026-01-06T03-00-00Z-unproven"));
    writeFileSync(join(folder, "notes-unproven"), "mine");
    await line.run("backup", folder, "--keep", "1");
    const later = readdirSync(folder).filter((name) => name.endsWith("Z-unproven"));
    assert.equal(later.length, 1, "only the latest stays, or hourly attempts would fill the disk");
    assert.notEqual(later.join(), "2026-01-06T03-00-00Z-unproven");
    assert(existsSync(join(folder, "notes-unproven")));
  });
});
