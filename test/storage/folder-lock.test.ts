import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { type FolderUse, isUsedByServer, lockFolder } from "../../src/storage/folder-lock.ts";

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "commonplace-lock-"));
});

after(() => rmSync(folder, { recursive: true }));

const ALLOWED: readonly [first: FolderUse, second: FolderUse, isAllowed: boolean][] = [
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
    using _held = lockFolder(folder, first);
    const attempt = () => lockFolder(folder, second)[Symbol.dispose]();
    if (isAllowed) attempt();
    else assert.throws(attempt, { code: "conflict", message: /^Cannot use the data folder \S+: / });
  });
}

it("reports whether the folder was in use", () => {
  using served = lockFolder(folder, "serve");
  assert.equal(served.wasUnused, true);
  served[Symbol.dispose]();
  using _shared = lockFolder(folder, "shared");
  using again = lockFolder(folder, "serve");
  assert.equal(again.wasUnused, false);
});

it("tells a command whether a server uses the folder, and gives up no lock for that", () => {
  using command = lockFolder(folder, "shared");
  assert.equal(isUsedByServer(folder), false);
  assert.throws(() => lockFolder(folder, "exclusive"), { code: "conflict" });
  using server = lockFolder(folder, "serve");
  assert.equal(isUsedByServer(folder), true);
  assert.throws(() => lockFolder(folder, "serve"), { code: "conflict" });
  server[Symbol.dispose]();
  assert.equal(isUsedByServer(folder), false);
  command[Symbol.dispose]();
});

it("is released when its process is killed", async () => {
  const program = `
    const { lockFolder } = await import(${JSON.stringify(new URL("../../src/storage/folder-lock.ts", import.meta.url))});
    globalThis.lock = lockFolder(${JSON.stringify(folder)}, "serve");
    console.log("locked");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  assert.throws(() => lockFolder(folder, "serve"), { code: "conflict" });
  child.kill("SIGKILL");
  await once(child, "exit");
  using lock = lockFolder(folder, "serve");
  assert.equal(lock.wasUnused, true);
});
