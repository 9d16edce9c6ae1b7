import assert from "node:assert/strict";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { type CommandLine, openCommandLine, openSiteLine } from "../support/command-line.ts";
import { serve, stop } from "../support/served.ts";

/** What needs a site, with whatever it takes to get as far as that. */
const COMMANDS: readonly (readonly string[])[] = [
  ["serve"],
  ["keys", "issue", "--name", "A", "--scope", "mcp:read"],
  ["requests", "list"],
  ["admins", "list"],
  ["audit", "list"],
  ["media", "list"],
  ["api", "GET", "/"],
  ["export", "somewhere"],
  ["backup", "somewhere"],
];

describe("a place without a site", () => {
  for (const words of COMMANDS) {
    it(`is refused by ${words.slice(0, 2).join(" ")}, and stays as it is`, async () => {
      using line = openCommandLine({ DEMO: "0", PORT: "0" });
      const { code, err } = await line.run(...words);
      assert.equal(code, 1);
      assert.match(err, /^error: There is no(?: site in|thing to back up:) /);
      assert.deepEqual(readdirSync(line.folder), []);
    });
  }

  it("gets one by init, once", async () => {
    using line = openCommandLine();
    const { code, out } = await line.run("init", "--json");
    assert.equal(code, 0);
    const mark = JSON.parse(readFileSync(join(line.folder, "data/site.json"), "utf8"));
    assert.equal(mark.siteId, JSON.parse(out).siteId);
    const again = await line.run("init");
    assert.deepEqual(
      [again.code, again.err],
      [1, `error: There is a site in ${line.environment["DATA_DIR"]} already`],
    );
  });

  it("is made when an init that was cut off is repeated", async () => {
    using line = openCommandLine();
    const data = join(line.folder, "data");
    mkdirSync(data);
    writeFileSync(join(data, "commonplace.db"), "");
    writeFileSync(join(data, "server.lock"), "");
    assert.equal((await line.run("init")).code, 0);
  });
});

/** Ways to lose a store, and what the refusal then names. */
const LOSSES: readonly [what: string, lose: (data: string) => void, names: RegExp][] = [
  ["the store", lose, /site\.json, media, jobs/],
  [
    "the store of the version before, which left no mark",
    (data) => {
      lose(data);
      rmSync(join(data, "site.json"));
    },
    /media, jobs/,
  ],
  [
    "the store, but not its log",
    (data) => {
      lose(data);
      for (const name of ["site.json", "media", "jobs"]) rmSync(join(data, name), FORCE);
      writeFileSync(join(data, "commonplace.db-wal"), "log");
    },
    /commonplace\.db-wal/,
  ],
  [
    "what was in the store",
    (data) => {
      lose(data);
      writeFileSync(join(data, "commonplace.db"), "");
      writeFileSync(join(data, "commonplace.db-wal"), "log");
    },
    /site\.json, media, jobs, commonplace\.db-wal/,
  ],
  [
    "everything but a copy that followed PostgreSQL",
    (data) => {
      rmSync(data, FORCE);
      mkdirSync(data);
      writeFileSync(join(data, "reading.db"), "");
    },
    /reading\.db/,
  ],
];
const FORCE = { recursive: true, force: true };

describe("a folder that lost", () => {
  for (const [what, damage, names] of LOSSES) {
    it(`${what} is refused and not touched, also with the demo`, async () => {
      using line = await openUsedSite();
      const data = join(line.folder, "data");
      damage(data);
      const before = contents(data);
      for (const words of [["serve"], ["init"], ["import", line.file("a.md", "# A\n")]]) {
        const { code, err } = await line.run(...words);
        assert.equal(code, 1, words.join(" "));
        assert.match(
          err,
          /^error: The site in \S+ is missing: commonplace\.db .* Nothing was changed/,
        );
        assert.match(err, names);
        assert.deepEqual(contents(data), before);
      }
    });
  }

  it("its store serves the same site again when that is put back", async () => {
    using line = await openUsedSite();
    const store = join(line.folder, "data/commonplace.db");
    renameSync(store, join(line.folder, "aside.db"));
    assert.equal((await line.run("keys", "list")).code, 1);
    renameSync(join(line.folder, "aside.db"), store);
    await using served = await serve(line);
    assert.equal((await fetch(`${served.origin}/about`)).status, 200);
    assert.equal(await stop(served, "SIGTERM"), 0);
  });
});

it("a site of the version before gets its id and its mark", async () => {
  using line = await openSiteLine();
  const data = join(line.folder, "data");
  rmSync(join(data, "site.json"));
  {
    using db = new DatabaseSync(join(data, "commonplace.db"));
    db.exec("DELETE FROM settings WHERE name = 'site_id'");
    db.exec("DELETE FROM migrations WHERE name = '013-site-id.sql'");
  }
  assert.equal((await line.run("keys", "list")).code, 0);
  const { siteId } = JSON.parse(readFileSync(join(data, "site.json"), "utf8"));
  assert.match(siteId, /^[0-9a-f]{32}$/);
});

it("a folder below /proc is refused at once", { skip: process.platform !== "linux" }, async () => {
  using line = openCommandLine({ DATA_DIR: "/proc/commonplace/data" });
  const { code, err } = await line.spawn("init");
  assert.equal(code, 1);
  assert.match(err, /^error: Cannot create the folder \/proc\/commonplace: /);
});

/** A site with what a server leaves in its folder. */
async function openUsedSite(): Promise<CommandLine> {
  const line = await openSiteLine({ PORT: "0" });
  const data = join(line.folder, "data");
  for (const name of ["media", "jobs"]) mkdirSync(join(data, name));
  writeFileSync(join(data, "media/480ac039362a15a7738ba76dffe807fd.jpg"), "picture");
  return line;
}

function lose(data: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(join(data, `commonplace.db${end}`), FORCE);
}

/** Every path with the time of its last change. */
function contents(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => `${name} ${statSync(join(folder, String(name))).mtimeMs}`)
    .sort();
}
