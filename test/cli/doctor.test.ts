import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { type CommandLine, openCommandLine, openSiteLine } from "../support/command-line.ts";
import { serve } from "../support/served.ts";

/** The state of each check by name. */
async function states(line: CommandLine, more: Record<string, string> = {}) {
  Object.assign(line.environment, more);
  const { code, out, err } = await line.run("doctor", "--json");
  assert.equal(err, "");
  const { state, checks } = JSON.parse(out);
  const found: { check: string; state: string }[] = checks;
  assert.equal(code, state === "bad" ? 1 : 0);
  return Object.fromEntries(found.map((each) => [each.check, each.state]));
}

describe("doctor", () => {
  it("finds a running site in order, once it is backed up, with exit code 0", async () => {
    using line = await openSiteLine();
    await using served = await serve(line);
    const { port } = new URL(served.origin);
    const before = await states(line, { PORT: port });
    assert.deepEqual([before["server"], before["backup"]], ["good", "warn"]);
    assert.equal((await line.run("backup", join(line.folder, "backup"))).code, 0);
    const { disk, ...rest } = await states(line);
    assert(disk !== undefined);
    assert.deepEqual(new Set(Object.values(rest)), new Set(["good"]));
  });

  it("says in words what is wrong and what to do, with exit code 1", async () => {
    using line = await openSiteLine({ PORT: "1", PUBLIC_URL: "http://quotations.example" });
    const folder = join(line.folder, "data");
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "commonplace.db"), 0o644);
    const { code, out } = await line.run("doctor");
    assert.equal(code, 1);
    assert.match(out, /^BAD {3}Server: Nothing answers at HOST and PORT\.\n {6}Start the server/m);
    assert.match(out, /^WARN {2}Certificate: PUBLIC_URL begins with http:\/\/.*\n {6}Put a proxy/m);
    assert.match(out, /^WARN {2}Access to files: .* can read: commonplace\.db/m);
  });

  it("looks for damage itself, whether or not a server runs", async () => {
    using line = await openSiteLine({ PORT: "1" });
    const file = join(line.folder, "data/commonplace.db");
    const change = (sql: string) => {
      using db = new DatabaseSync(file);
      db.exec(sql);
    };
    assert.equal((await states(line))["copies"], "good");
    change("UPDATE reading_body SET html = html || 'x' WHERE row = 1");
    const copyDamaged = await states(line);
    assert.deepEqual([copyDamaged["copies"], copyDamaged["record"]], ["bad", "good"]);
  });

  it("notes a backup beside the store, for its owner alone, and keeps it out of backups", async () => {
    using line = await openSiteLine();
    const place = join(line.folder, "backup");
    await line.run("backup", place);
    const mark = JSON.parse(readFileSync(join(line.folder, "data/last-backup.json"), "utf8"));
    assert.equal(mark.place, place);
    assert(!existsSync(join(place, "last-backup.json")));
  });

  it("refuses where there is no site", async () => {
    using line = openCommandLine();
    const { code, err } = await line.run("doctor");
    assert.deepEqual([code, /There is no site/.test(err)], [1, true]);
  });
});
