import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";

const PASSWORD = "a few words in a row";

async function create(line: CommandLine, email: string, role: string, input = `${PASSWORD}\n`) {
  const words = ["--email", email, "--name", "Ada", "--role", role, "--password-stdin"];
  return await line.pipe(input, "admins", "create", ...words, "--json");
}

describe("commonplace admins", () => {
  it("creates accounts with a password from standard input, lists and changes them", async () => {
    using line = await openSiteLine();
    assert.equal((await line.run("admins", "list")).out, "There are no administrators yet");
    const { code, out, err } = await create(line, "Ada@Example.org", "owner");
    assert.equal(code, 0, err);
    const admin = JSON.parse(out);
    assert.partialDeepStrictEqual(admin, { email: "ada@example.org", role: "owner" });
    const listed = JSON.parse((await line.run("admins", "list", "--json")).out);
    assert.deepEqual(listed, { admins: [admin] });
    const table = await line.run("admins", "list");
    assert.match(table.out, /^ID .+\n.+ active +owner .+ ada@example\.org +Ada$/);

    await create(line, "bo@example.org", "owner");
    const demoted = await line.run(
      "admins",
      "change",
      "ADA@example.org",
      "--role",
      "viewer",
      "--disable",
    );
    assert.equal(demoted.out, `Changed ${admin.id} (Ada <ada@example.org>, viewer, disabled)`);
    const change = ["change", admin.id, "--password-stdin"];
    const renewed = await line.pipe("another long password\r\n", "admins", ...change);
    assert.equal(renewed.code, 0, renewed.err);
    const enabled = await line.run("admins", "change", admin.id, "--enable", "--name", "Ada L.");
    assert.match(enabled.out, /Ada L\. <ada@example\.org>, viewer\)$/);
    const log = await line.run("audit", "list", "--target", admin.id);
    assert.deepEqual(
      log.out
        .split("\n")
        .slice(1)
        .map((row) => row.split(/ {2,}/).slice(3).join(" ")),
      [
        `admin.enable ${admin.id} name; state: active`,
        `admin.change ${admin.id} password`,
        `admin.disable ${admin.id} role: viewer; state: disabled`,
        `admin.create ${admin.id} role: owner`,
      ],
    );
    for (const file of ["commonplace.db", "commonplace.db-wal"]) {
      const path = join(line.environment["DATA_DIR"] ?? "", file);
      assert(!readFileSync(path, { flag: "a+" }).includes("long password"));
    }
  });

  it("says in one line what is wrong", async () => {
    using line = await openSiteLine();
    const noTerminal =
      /Cannot ask for the password without a terminal: give it .* --password-stdin/;
    const who = ["--email", "a@example.org", "--name", "A"];
    const cases: [code: number, message: RegExp, words: string[]][] = [
      [2, noTerminal, ["create", ...who, "--role", "owner"]],
      [2, /Allowed choices are owner, editor, viewer/, ["create", ...who, "--role", "boss"]],
      [2, /Give an e-mail address/, ["create", "--email", "a", "--name", "A", "--role", "owner"]],
      [2, /required option '--email <address>'/, ["create", "--name", "A", "--role", "owner"]],
      [2, /Cannot change an account: say what/, ["change", "nobody"]],
      [
        2,
        /'--disable' cannot be used with option '--enable'/,
        ["change", "x", "--enable", "--disable"],
      ],
      [1, /There is no administrator with the id nobody/, ["change", "nobody", "--name", "B"]],
      [1, /There is no administrator b@example\.org/, ["change", "b@example.org", "--name", "B"]],
    ];
    for (const [code, message, words] of cases) {
      const told = await line.run("admins", ...words);
      assert.equal(told.code, code, `${words.join(" ")}: ${told.err}`);
      assert.match(told.err, /^error: .+$/);
      assert.match(told.err, message);
    }
    const short = await create(line, "a@example.org", "owner", "short\n");
    assert.deepEqual(
      [short.code, short.err],
      [
        2,
        "error: Cannot take this password: it must have at least 12 characters; a few words in a row will do",
      ],
    );
    assert.equal((await create(line, "a@example.org", "owner", "")).code, 2);
    assert.equal((await create(line, "a@example.org", "owner")).code, 0);
    const last = await line.run("admins", "change", "a@example.org", "--disable");
    assert.match(last.err, /no other owner is active/);
  });
});

describe("commonplace audit", () => {
  it("lists and exports what matches", async () => {
    using line = await openSiteLine();
    for (const name of ["One", "Two"]) await line.run("keys", "issue", "--name", name);
    const { entries } = JSON.parse((await line.run("audit", "list", "--limit", "1", "--json")).out);
    assert.partialDeepStrictEqual(entries, [{ actor: "operator", action: "key.issue" }]);
    const { out } = await line.spawn("audit", "export", "--action", "key.");
    const numbers = out.split("\n").map((entry) => JSON.parse(entry).number);
    // The site and its four pages come before.
    assert.deepEqual(numbers, [6, 7]);
    assert.equal((await line.run("audit", "list", "--until", "2020-01-01")).out, "No entries");
    assert.equal((await line.spawn("audit", "export", "--actor", "nobody")).out, "");
    const wrong = await line.run("audit", "export", "--since", "soon");
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /^error: Cannot search the audit log: --since is not a day/);
    assert.equal((await line.run("audit", "list", "--limit", "0")).code, 2);
  });
});
