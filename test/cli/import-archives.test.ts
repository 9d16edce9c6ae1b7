import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { INHERITED, MAIN, openCommandLine } from "../support/command-line.ts";
import { zipOf } from "../support/workbook-bytes.ts";

const SPRING = Buffer.from("---\ntitle: Spring\n---\nIt is here.");

describe("importing a folder as a ZIP", () => {
  it("reads what the folder in it holds, as if it were unpacked", async () => {
    using line = openCommandLine();
    const archive = line.file(
      "old-site.zip",
      zipOf([
        { name: "__MACOSX/old-site/._spring.md", bytes: Buffer.from("\0") },
        { name: "old-site/", bytes: Buffer.alloc(0) },
        { name: "old-site/spring.md", bytes: SPRING },
        { name: "old-site/help/first.md", bytes: Buffer.from("# First\n\n[Spring](../spring.md)") },
        { name: "old-site/link.md", bytes: Buffer.from("/etc/passwd"), mode: 0o120777 },
      ]),
    );
    const { code, out, err } = await line.run("import", archive, "--publish");
    assert.equal(code, 1, "a text is left out");
    assert.match(out, /^2 created, 0 updated, 0 unchanged, 0 failed$/m);
    assert.match(`${out}${err}`, /files? \(symbolic links\).*old-site\.zip\/old-site\/link\.md/);
    await using record = await openRecordForCommand(readConfig(line.environment));
    const first = await record.content.itemAt("/help/first");
    assert.match(first?.body ?? "", /\[Spring\]\(\/spring\)/);
  });

  it("changes nothing when it is imported again", async () => {
    using line = openCommandLine();
    const archive = line.file("site.ZIP", zipOf([{ name: "spring.md", bytes: SPRING }]));
    assert.equal((await line.run("import", archive)).code, 0);
    const { out } = await line.run("import", archive);
    assert.match(out, /^0 created, 0 updated, 1 unchanged/m);
  });

  const refused: [string, Buffer, RegExp][] = [
    ["no archive", Buffer.from("PK, but nothing more"), /Cannot unpack .*archive\.zip: /],
    [
      "a file outside the folder",
      zipOf([{ name: "../outside.md", bytes: SPRING }]),
      /Cannot unpack .*: invalid relative path/,
    ],
    ["an absolute path", zipOf([{ name: "/outside.md", bytes: SPRING }]), /absolute path/],
    [
      "a file twice",
      zipOf([
        { name: "a.md", bytes: SPRING },
        { name: "a.md", bytes: SPRING },
      ]),
      /it has a file twice/,
    ],
    [
      "another size than it states",
      zipOf([{ name: "a.md", bytes: Buffer.alloc(1_000_000), claims: 10 }]),
      /Cannot unpack .*: too many bytes/,
    ],
    [
      "more than the disk is meant for",
      zipOf([{ name: "a.md", bytes: Buffer.alloc(10), claims: 4 * 1024 ** 3 - 1 }]),
      /unpacks to more than 100 times its size/,
    ],
    [
      "names that stand for more folders than the disk has room for",
      zipOf(
        Array.from({ length: 110 }, (_, n) => ({
          name: `${n}/${"a/".repeat(1900)}a.md`,
          bytes: SPRING,
        })),
      ),
      /it has more than 200000 files and folders/,
    ],
  ];
  for (const [name, bytes, message] of refused) {
    it(`refuses ${name}`, async () => {
      using line = openCommandLine();
      const { code, err } = await line.run("import", line.file("in/archive.zip", bytes));
      assert.equal(code, 2);
      assert.match(err, message);
      assert.ok(!existsSync(join(line.folder, "outside.md")));
    });
  }

  it("says that the disk is full, and not that the archive is damaged", async () => {
    using line = openCommandLine();
    const bytes = Buffer.alloc(1_000_000, "word ");
    const archive = line.file("large.zip", zipOf([{ name: "a.md", bytes }]));
    const small = dirname(line.file("small/.keep", ""));
    const command = `ulimit -f 500; exec "${process.execPath}" "${MAIN}" import "${archive}"`;
    const env = { PATH: INHERITED.PATH, ...line.environment, TMPDIR: small };
    const { status, stderr } = spawnSync("sh", ["-c", command], { env, encoding: "utf8" });
    assert.deepEqual([status, stderr], [1, `error: Cannot unpack ${archive}: the disk is full\n`]);
    assert.deepEqual(readdirSync(small), [".keep"]);
  });

  it("deletes what it unpacked, whether it was imported or refused", async () => {
    using line = openCommandLine();
    const temporary = dirname(line.file("temporary/.keep", ""));
    line.environment["TMPDIR"] = temporary;
    const whole = line.file("whole.zip", zipOf([{ name: "spring.md", bytes: SPRING }]));
    const cut = line.file(
      "cut.zip",
      zipOf([
        { name: "spring.md", bytes: SPRING },
        { name: "spring.md", bytes: SPRING },
      ]),
    );
    assert.equal((await line.spawn("import", whole)).code, 0);
    assert.equal((await line.spawn("import", cut)).code, 2);
    assert.deepEqual(readdirSync(temporary), [".keep"]);
  });
});
