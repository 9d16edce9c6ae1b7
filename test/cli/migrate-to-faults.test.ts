import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { INHERITED, MAIN, openSiteLine } from "../support/command-line.ts";
import { createDatabase, onPostgres } from "../support/postgres-store.ts";

onPostgres("migrate-to", () => {
  it("names a file that it cannot read, rather than a lost connection", async () => {
    using line = await openSiteLine();
    await using database = await createDatabase();
    const media = join(line.folder, "data/media");
    mkdirSync(media, { recursive: true });
    symlinkSync(join(line.folder, "not mounted"), join(media, `${"1".repeat(32)}.png`));
    const { code, err } = await line.run("migrate-to", database.url);
    assert.equal(code, 1);
    assert.match(err, /^error: Cannot use \S+\/media\/1{32}\.png: it does not exist$/);
    const certificate = await line.run("migrate-to", `${database.url}?sslrootcert=/not/there`);
    assert.equal(certificate.err, "error: Cannot use /not/there: it does not exist");
  });

  it("names the folder that cannot hold a record, and leaves nothing there", async () => {
    using line = await openSiteLine();
    await using database = await createDatabase();
    assert.equal((await line.run("migrate-to", database.url)).code, 0);
    line.environment["DATABASE_URL"] = database.url;
    const back = join(line.folder, "back");
    const limited = spawnSync(
      "sh",
      ["-c", 'ulimit -f 100 && exec "$0" "$@"', process.execPath, MAIN, "migrate-to", back],
      { env: { ...INHERITED, ...line.environment }, encoding: "utf8" },
    );
    assert.equal(
      limited.stderr.trim(),
      `error: Cannot move to ${back}: the disk has failed, or is full`,
    );
    assert.equal(limited.status, 1);
    assert(!existsSync(back));
    const file = line.file("file", "x");
    const { err } = await line.run("migrate-to", file);
    assert.match(err, /^error: Cannot move to \S+: a part of the path is a file, not a folder/);
  });

  it("says why a database cannot take a record", async () => {
    using line = await openSiteLine();
    await using database = await createDatabase();
    const url = `${database.url}?options=-c%20search_path%3Dnowhere`;
    const { code, err } = await line.run("migrate-to", url);
    assert.equal(code, 1);
    assert.match(
      err,
      /^error: The database refused: no schema has been selected to create in\. Mend that and run the same command again/,
    );
  });
});
