import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { authenticate } from "../../src/access/keys/keys.ts";
import { openRecordForCommand } from "../../src/app/store.ts";
import { readConfig } from "../../src/config.ts";
import { type CommandLine, openCommandLine, openSiteLine } from "../support/command-line.ts";

const KEY = /^cpl_[0-9A-Za-z]{38}$/;

async function issue(line: CommandLine, ...more: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await line.run("keys", "issue", "--name", "Agent", "--json", ...more);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

async function opens(line: CommandLine, key: unknown, address = "192.0.2.1"): Promise<boolean> {
  await using record = await openRecordForCommand(readConfig(line.environment));
  try {
    await authenticate(record.keys, `Bearer ${key}`, { now: new Date(), address });
    return true;
  } catch {
    return false;
  }
}

describe("commonplace keys", () => {
  it("issues a key with everything that was said of it, shown once", async () => {
    using line = await openSiteLine();
    const issued = await issue(
      line,
      ...["--scope", "mcp:read", "--scope", "metrics:read", "--rate", "120"],
      ...["--expires", "2099-12-31", "--owner", "Ada", "--contact", "ada@example.org"],
      ...["--purpose", "research", "--network", "192.0.2.0/24"],
    );
    assert.match(String(issued["key"]), KEY);
    assert.partialDeepStrictEqual(issued, {
      name: "Agent",
      scopes: ["mcp:read", "metrics:read"],
      ratePerMinute: 120,
      expiresAt: "2099-12-31T23:59:59.000Z",
      owner: "Ada",
      networks: ["192.0.2.0/24"],
      status: "active",
    });
    assert.equal(await opens(line, issued["key"]), true);
    assert.equal(await opens(line, issued["key"], "198.51.100.1"), false);
    const listed = await line.run("keys", "list", "--json");
    assert.equal(JSON.parse(listed.out).keys[0].id, issued["id"]);
    for (const output of [listed, await line.run("keys", "list")]) {
      assert.ok(!/cpl_|[0-9a-f]{64}/.test(output.out + output.err), "a list tells no secret");
    }
  });

  it("prints the key alone for a shell, what a person needs beside it", async () => {
    using line = await openSiteLine();
    const { code, out, err } = await line.spawn("keys", "issue", "--name", "Agent");
    assert.equal(code, 0);
    assert.match(out, KEY);
    assert.match(err, /shown this once/);
    assert.match(err, /mcp:read; 60 requests a minute/);
    assert.ok(!err.includes(out));
  });

  it("revokes and rotates", async () => {
    using line = await openSiteLine();
    const old = await issue(line);
    const next = JSON.parse(
      (await line.run("keys", "rotate", String(old["id"]), "--grace", "1", "--json")).out,
    );
    assert.match(next.key, KEY);
    assert.notEqual(next.key, old["key"]);
    assert.equal(next.rotatedFrom, old["id"]);
    assert.deepEqual([await opens(line, old["key"]), await opens(line, next.key)], [true, true]);

    const revoked = await line.run("keys", "revoke", next.id, "--why", "lost");
    assert.deepEqual([revoked.code, revoked.out], [0, `Revoked ${next.id} (Agent)`]);
    assert.deepEqual([await opens(line, old["key"]), await opens(line, next.key)], [true, false]);
    const now = await line.run("keys", "rotate", String(old["id"]), "--grace", "0");
    assert.equal(now.code, 0);
    assert.equal(await opens(line, old["key"]), false);
    const { out } = await line.run("keys", "list");
    assert.deepEqual(
      out
        .split("\n")
        .slice(1)
        .map((row) => row.split(/\s+/)[1]),
      ["expired", "revoked", "active"],
    );
  });

  it("shows a key, changes it and tells its use", async () => {
    using line = await openSiteLine();
    const { id, key } = await issue(line, "--owner", "Ada");
    const inspected = await line.run("keys", "inspect", String(id));
    assert.match(inspected.out, /^Key +.+\nName +Agent\nStatus +active\nMay +mcp:read\n/);
    assert.ok(!inspected.out.includes(String(key).slice(4, 20)));
    const changed = await line.run(
      ...["keys", "change", String(id), "--name", "Group", "--scope", "content:read"],
      ...["--scope", "mcp:read", "--rate", "90", "--expires", "2099-12-31"],
      ...["--network", "192.0.2.0/24", "--json"],
    );
    const change = {
      name: "Group",
      owner: "Ada",
      scopes: ["mcp:read", "content:read"],
      ratePerMinute: 90,
      expiresAt: "2099-12-31T23:59:59.000Z",
      networks: ["192.0.2.0/24"],
    };
    assert.partialDeepStrictEqual(JSON.parse(changed.out), change);
    const freed = await line.run(
      ...["keys", "change", String(id), "--expires", "never", "--network", "any"],
    );
    assert.match(freed.out, /\nNetworks +any\nTools +any\nExpires +never\n/);
    const shown = JSON.parse((await line.run("keys", "inspect", String(id), "--json")).out);
    assert.partialDeepStrictEqual(shown, { ...change, expiresAt: null, networks: [] });

    const since = ["--since", "2026-11-01", "--until", "2026-11-30"];
    const unused = await line.run("keys", "usage", String(id), ...since);
    assert.equal(unused.out, "Not used from 2026-11-01 to 2026-11-30");
    {
      await using record = await openRecordForCommand(readConfig(line.environment));
      const day = "2026-11-21";
      const use = { keyId: String(id), day, tool: "search_content", count: 12 };
      await record.keyUse.add([use, { ...use, tool: "tools/list", count: 3 }]);
    }
    const usage = await line.run("keys", "usage", String(id), ...since);
    assert.deepEqual(usage.out.split("\n"), [
      "DAY         COUNT  TOOL",
      "2026-11-21  12     search_content",
      "2026-11-21  3      tools/list",
    ]);
    const { items } = JSON.parse(
      (await line.run("keys", "usage", String(id), ...since, "--json")).out,
    );
    assert.equal(items.length, 2);
    await line.run("keys", "revoke", String(id));
    const late = await line.run("keys", "change", String(id), "--name", "B");
    assert.deepEqual([late.code, late.out], [1, ""]);
    assert.match(late.err, /Cannot change "Group": this key was revoked/);
  });

  it("says in one line what is wrong: 2 for usage, 1 for what is not there", async () => {
    using line = await openSiteLine();
    const cases: [code: number, message: RegExp, words: string[]][] = [
      [2, /required option '--name <name>'/, ["issue"]],
      [
        2,
        /argument 'all' is invalid\. Use one of mcp:read/,
        ["issue", "--name", "A", "--scope", "all"],
      ],
      [2, /Give a whole number/, ["issue", "--name", "A", "--rate", "-1"]],
      [2, /ratePerMinute: give a whole number from 1/, ["issue", "--name", "A", "--rate", "0"]],
      [2, /expiresAt: lies in the past/, ["issue", "--name", "A", "--expires", "2020-01-01"]],
      [2, /Give a day as 2027-12-31/, ["issue", "--name", "A", "--expires", "2027-02-99"]],
      [2, /Give a day as 2027-12-31/, ["issue", "--name", "A", "--expires", "2027-02-31"]],
      [2, /networks/, ["issue", "--name", "A", "--network", "300.0.0.0/8"]],
      [2, /name: is empty/, ["issue", "--name", " "]],
      [1, /There is no key with the id nobody/, ["revoke", "nobody"]],
      [1, /There is no key with the id nobody/, ["rotate", "nobody"]],
      [1, /There is no key with the id nobody/, ["inspect", "nobody"]],
      [1, /There is no key with the id nobody/, ["usage", "nobody"]],
      [1, /There is no key with the id nobody/, ["change", "nobody", "--rate", "1"]],
      [2, /Cannot change a key: say what/, ["change", "nobody"]],
      [2, /Give a day as 2027-12-31/, ["usage", "nobody", "--since", "2027-02-31"]],
      [2, /is longer than 400 days/, ["usage", "nobody", "--since", "2001-01-01"]],
      [2, /unknown command 'drop'/, ["drop"]],
    ];
    for (const [code, message, words] of cases) {
      const told = await line.run("keys", ...words);
      assert.equal(told.code, code, `${words.join(" ")}: ${told.err}`);
      assert.match(told.err, message);
      assert.match(told.err, /^error: .+$/);
      assert.equal(told.out, "");
    }
    assert.equal((await line.run("keys", "list")).out, "No keys have been issued");
  });
});

describe("commonplace", () => {
  it("shows its commands when asked, and as wrong usage when given none", async () => {
    using line = await openSiteLine();
    const help = await line.run("--help");
    assert.equal(help.code, 0);
    for (const command of ["serve", "import", "keys", "check"])
      assert.ok(help.out.includes(command));
    const nothing = await line.run();
    assert.deepEqual([nothing.code, nothing.out], [2, ""]);
    assert.ok(nothing.err.includes("serve"));
    assert.match((await line.run("--version")).out, /^\d+\.\d+\.\d+$/);
    assert.equal((await line.spawn("nonsense")).code, 2);
  });

  it("names a setting that cannot be used", async () => {
    using line = openCommandLine({ PORT: "lots", PUBLIC_URL: "example.org" });
    const { code, err } = await line.spawn("keys", "list");
    assert.equal(code, 2);
    assert.match(err, /^error: Cannot start with these settings: PORT: .*; PUBLIC_URL: [^\n]+$/);
  });

  it("names a data folder that cannot be used", async () => {
    using line = openCommandLine();
    const file = line.file("a-file", "");
    for (const dataDir of [file, `${file}/below`]) {
      using other = openCommandLine({ DATA_DIR: dataDir });
      const { code, err } = await other.run("init");
      assert.equal(code, 1);
      assert.equal(err, `error: Cannot create the folder ${file}: a file has that name`);
    }
  });
});
