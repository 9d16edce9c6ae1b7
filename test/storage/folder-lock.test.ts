import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import {
  type DataFolderUse,
  isUsedByServer,
  lockDataFolder,
} from "../../src/storage/folder-lock.ts";

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "commonplace-lock-"));
});

after(() => rmSync(folder, { recursive: true }));

const ALLOWED: readonly [first: DataFolderUse, second: DataFolderUse, isAllowed: boolean][] = [
  ["serve", "serve", false],
  ["serve", "shared", true],
  ["serve", "exclusive", false],
  ["shared", "serve", true],
  ["shared", "shared", true],
  ["shared", "exclusive", false],
  ["exclusive", "serve", false],
];

for (const [first, second, isAllowed] of ALLOWED) {
  it(`${isAllowed ? "allows" : "refuses"} ${second} use during ${first} use`, () => {
    using _held = lockDataFolder(folder, first);
    const attempt = () => lockDataFolder(folder, second)[Symbol.dispose]();
    if (isAllowed) attempt();
    else assert.throws(attempt, { code: "conflict", message: /^Cannot use the data folder \S+: / });
  });
}

it("reports whether the folder was in use", () => {
  using served = lockDataFolder(folder, "serve");
  assert.equal(served.wasUnused, true);
  served[Symbol.dispose]();
  using _shared = lockDataFolder(folder, "shared");
  using again = lockDataFolder(folder, "serve");
  assert.equal(again.wasUnused, false);
});

it("tells a command whether a server uses the folder, and gives up no lock for that", () => {
  using command = lockDataFolder(folder, "shared");
  assert.equal(isUsedByServer(folder), false);
  assert.throws(() => lockDataFolder(folder, "exclusive"), { code: "conflict" });
  using server = lockDataFolder(folder, "serve");
  assert.equal(isUsedByServer(folder), true);
  assert.throws(() => lockDataFolder(folder, "serve"), { code: "conflict" });
  server[Symbol.dispose]();
  assert.equal(isUsedByServer(folder), false);
  command[Symbol.dispose]();
});

it("is released when its process is killed", async () => {
  const program = `
    const { lockDataFolder } = await import(${JSON.stringify(new URL("../../src/storage/folder-lock.ts", import.meta.url))});
    globalThis.lock = lockDataFolder(${JSON.stringify(folder)}, "serve");
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  assert.throws(() => lockDataFolder(folder, "serve"), { code: "conflict" });
  child.kill("SIGKILL");
  await once(child, "exit");
  using lock = lockDataFolder(folder, "serve");
  assert.equal(lock.wasUnused, true);
});
