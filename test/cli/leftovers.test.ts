import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { claimStagingPath, clearAbandonedStagingFiles } from "../../src/files/staging.ts";
import { openCommandLine, openSiteLine } from "../support/command-line.ts";
import { serve, stop } from "../support/served.ts";

it("a start removes what killed processes left half written, and keeps everything from other users", async () => {
  const umask = process.umask(0);
  try {
    using line = openCommandLine({ DEMO: "0" });
    assert.equal((await line.spawn("init")).code, 0);
    const arriving = `jobs/arriving-${randomUUID()}`;
    const half = [
      arriving,
      `${arriving}.lock`,
      `media/receiving/${randomUUID()}`,
      `jobs/${randomUUID()}.result.jsonl.part`,
      "site.json.part-4711",
      "commonplace.db-journal",
    ];
    for (const name of half) line.file(`data/${name}`, name.endsWith("-journal") ? "" : "half");
    await stop(await serve(line), "SIGTERM");
    const left = names(join(line.folder, "data"));
    assert.deepEqual(
      left.filter((name) => half.includes(name)),
      [],
    );
    for (const name of left) {
      const { mode } = lstatSync(join(line.folder, "data", name));
      if (!half.some((path) => path.startsWith(`${name}/`))) assert.equal(mode & 0o077, 0, name);
    }
  } finally {
    process.umask(umask);
  }
});

it("a start beside a command leaves alone what that command is writing", async () => {
  using line = await openSiteLine();
  const receiving = line.file(`data/media/receiving/${randomUUID()}`, "half");
  await using first = await serve(line);
  const kept = line.file(`data/media/receiving/${randomUUID()}`, "half");
  assert.equal((await line.spawn("keys", "list")).code, 0);
  await stop(first, "SIGTERM");
  assert.equal(lstatSync(kept).isFile(), true);
  assert.throws(() => lstatSync(receiving));
});

it("an export removes what a killed one left in that folder", async () => {
  using line = await openSiteLine();
  const part = `.commonplace-export-${randomUUID()}`;
  mkdirSync(join(line.folder, part, "content"), { recursive: true });
  line.file(`${part}.lock`, "");
  assert.equal((await line.run("export", join(line.folder, "out"))).code, 0);
  assert.deepEqual(
    readdirSync(line.folder).filter((name) => name.startsWith(".")),
    [],
  );
});

it("a backup to a file removes what a killed one left in that folder", async () => {
  using line = await openSiteLine();
  const part = `.commonplace-backup-${randomUUID()}`;
  for (const end of ["", ".lock", "-journal", "-wal"]) line.file(`${part}${end}`, "");
  assert.equal((await line.run("backup", join(line.folder, "out.db"))).code, 0);
  assert.deepEqual(
    readdirSync(line.folder).filter((name) => name.startsWith(".")),
    [],
  );
});

it("the lock of a place that is written to has no file beside it", async () => {
  using line = openCommandLine();
  mkdirSync(join(line.folder, "work"));
  {
    await using _place = await claimStagingPath(join(line.folder, "work"), ".part-");
    assert.equal(readdirSync(join(line.folder, "work")).length, 1);
  }
  assert.deepEqual(readdirSync(join(line.folder, "work")), []);
});

it("a place is claimed however often others clear its folder meanwhile, and is left to whoever claimed it", async () => {
  using line = openCommandLine();
  const folder = join(line.folder, "work");
  mkdirSync(folder);
  let isOver = false;
  const clearing = [1, 2, 3].map(async () => {
    while (!isOver) await clearAbandonedStagingFiles(folder, ".part-");
  });
  for (let count = 0; count < 200; count++) {
    await using place = await claimStagingPath(folder, ".part-");
    mkdirSync(place.path);
    await clearAbandonedStagingFiles(folder, ".part-");
    for (const end of ["", ".lock"]) assert.ok(existsSync(place.path + end), `${count}: ${end}`);
    await place.discard();
  }
  isOver = true;
  await Promise.all(clearing);
  assert.deepEqual(readdirSync(folder), []);
});

function names(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}
