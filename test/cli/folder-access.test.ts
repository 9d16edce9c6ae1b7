import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { INHERITED, MAIN, openCommandLine, openSiteLine } from "../support/command-line.ts";
import { png } from "../support/media-bytes.ts";
import { serve, stop } from "../support/served.ts";

const UUID = "018f3f2e-0000-7000-8000-000000000000";

it("a server closes its folder to others, and clears what killed processes left there", async () => {
  using line = await openSiteLine({ PORT: "0", LOG_LEVEL: "error" });
  const data = join(line.folder, "data");
  const left = [`media/receiving/${UUID}`, `jobs/${UUID}.result.jsonl.part`, "site.json.part-77"];
  for (const folder of ["media/receiving", "jobs"])
    mkdirSync(join(data, folder), { recursive: true });
  for (const name of left) writeFileSync(join(data, name), "part");
  writeFileSync(join(data, "notes.txt"), "of the operator");
  writeFileSync(join(data, "media/480ac039362a15a7738ba76dffe807fd.png"), png(2, 2), {
    mode: 0o644,
  });
  for (const name of ["media", "jobs"]) chmodSync(join(data, name), 0o755);
  chmodSync(join(data, "commonplace.db"), 0o666);
  chmodSync(data, 0o777);

  await using served = await serve(line);
  assert.deepEqual(
    open(data).filter((name) => !name.endsWith("notes.txt")),
    [],
  );
  assert.equal(await stop(served, "SIGTERM"), 0);
  assert.deepEqual(
    left.filter((name) => existsSync(join(data, name))),
    [],
  );
  assert(existsSync(join(data, "notes.txt")), "nothing else is removed");
});

it("what every command writes is for its owner only, also under umask 000", async () => {
  using line = await openSiteLine({ PORT: "0" });
  const picture = line.file("dot.png", png(3, 3));
  const open000 = (...words: string[]) => {
    const command = `umask 000; exec "${process.execPath}" "${MAIN}" ${words.join(" ")}`;
    const env = { ...INHERITED, ...line.environment, DATA_DIR: join(line.folder, "fresh") };
    const { status, stderr } = spawnSync("sh", ["-c", command], { env, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  };
  open000("init");
  open000("media", "add", picture);
  open000("backup", join(line.folder, "backup"));
  open000("export", join(line.folder, "site"));
  for (const name of ["fresh", "backup", "site"]) {
    assert.deepEqual(open(join(line.folder, name)), [], name);
  }
});

it("an upload of a command that runs beside is not cleared", async () => {
  using line = await openSiteLine({ PORT: "0" });
  const place = join(line.folder, `data/media/receiving/${UUID}`);
  mkdirSync(join(place, ".."), { recursive: true });
  await using _beside = await openRecordForCommand(readConfig(line.environment));
  writeFileSync(place, "part");
  await using served = await serve(line);
  assert(existsSync(place));
  assert.equal(await stop(served, "SIGTERM"), 0);
});

/** What other users could read or write, the folder itself among it. */
function open(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  return [folder, ...paths].filter((path) => (statSync(path).mode & 0o077) !== 0);
}

const OTHER_USER = 1000;

it("what root makes in the folder of another user belongs to that user", {
  skip: process.geteuid?.() !== 0,
}, async () => {
  using line = openCommandLine();
  const picture = line.file("dot.png", png(3, 3));
  const item = line.file("spring.md", "---\ntitle: Spring\nstatus: published\n---\nIt is here.");
  const home = join(line.folder, "home");
  for (const folder of [home, join(line.folder, "data")]) {
    mkdirSync(folder);
    chownSync(folder, OTHER_USER, OTHER_USER);
  }
  const commands = [
    ["init"],
    ["media", "add", picture],
    ["import", item, "--report", join(home, "report.csv")],
    ["api", "GET", "/content?text=spring"],
    ["backup", join(home, "backup")],
    ["backup", join(home, "backup.tar")],
    ["backup", join(home, "backup.db")],
    ["export", join(home, "site")],
    ["export", join(home, "site.zip")],
    ["export", join(home, "files"), "--files"],
    ["export", join(home, "web"), "--static"],
    ["sync", join(home, "synced")],
  ];
  for (const words of commands) {
    const { code, err } = await line.run(...words);
    assert.equal(code, 0, `${words.join(" ")}: ${err}`);
    assert.deepEqual(ownedByOthers(line.folder, ["home", "data"]), [], words.join(" "));
  }
});

it("a user who may not look into the folder is told so, and not of a restore", {
  skip: process.geteuid?.() !== 0,
}, async () => {
  using line = await openSiteLine();
  chmodSync(line.folder, 0o755);
  const data = join(line.folder, "data");
  const expected = `error: Cannot use ${join(data, "restore-journal.json")}: the system does not allow it; check the permissions`;
  for (const words of [["verify"], ["keys", "list"], ["doctor"]]) {
    // The program's own files may be closed to the other user too: this loads them.
    await line.run(...words);
    process.seteuid?.(OTHER_USER);
    const { code, err } = await line.run(...words).finally(() => process.seteuid?.(0));
    assert.deepEqual([code, err], [1, expected], words.join(" "));
  }
});

function ownedByOthers(folder: string, names: readonly string[]): string[] {
  const paths = names.flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true }).map((path) => join(name, String(path))),
  );
  return paths.filter((path) => statSync(join(folder, path)).uid !== OTHER_USER);
}
