import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { INHERITED, MAIN, openSiteLine } from "../support/command-line.ts";

const LONG_NAME = "a".repeat(300);

describe("a path that the system refuses", () => {
  it("is named with the reason by every command that takes one", async () => {
    using line = await openSiteLine();
    const place = (name: string) => join(line.folder, name);
    symlinkSync("loop.md", place("loop.md"));
    mkdirSync(place("full.zip"));
    writeFileSync(place("full.zip/a.txt"), "");
    const long = "the name is too long";
    const loop = "it is a symbolic link that leads back to itself";
    const refused: [words: string[], name: string, reason: string][] = [
      [["import"], `${LONG_NAME}.md`, long],
      [["import"], "loop.md", loop],
      [["export"], `${LONG_NAME}.zip`, long],
      [["export"], "full.zip", "it is a folder"],
      [["backup"], `${LONG_NAME}.db`, long],
      [["restore", "--dry-run"], `${LONG_NAME}.db`, long],
    ];
    for (const [words, name, reason] of refused) {
      const { code, err } = await line.run(...words, place(name));
      const expected = [1, `error: Cannot use ${place(name)}: ${reason}`];
      assert.deepEqual([code, err], expected, words.join(" "));
    }
  });
});

it("says that its output could not be written, instead of ending as if by a fault of its own", async () => {
  using line = await openSiteLine();
  const { status, stderr } = spawnSync(process.execPath, [MAIN, "keys", "list"], {
    env: { ...INHERITED, ...line.environment },
    stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
    encoding: "utf8",
  });
  assert.deepEqual([status, stderr], [1, "error: Cannot use standard output: the disk is full\n"]);
});
