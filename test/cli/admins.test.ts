import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";

async function invite(line: CommandLine, email: string, role: string) {
  return await line.run(
    "admins",
    "invite",
    "--email",
    email,
    "--name",
    "Ada",
    "--role",
    role,
    "--json",
  );
}

describe("commonplace admins", () => {
  it("invites people with a code, lists and changes them", async () => {
    using line = await openSiteLine();
    assert.equal((await line.run("admins", "list")).out, "There are no administrators yet");
    const { code, out, err } = await invite(line, "Ada@Example.org", "owner");
    assert.equal(code, 0, err);
    const { code: claimCode, codeExpiresAt, ...admin } = JSON.parse(out);
    assert.match(claimCode, /^cplc_[0-9A-Za-z]{38}$/);
    assert(Date.parse(codeExpiresAt) > Date.now());
    assert.partialDeepStrictEqual(admin, { email: "ada@example.org", role: "owner" });
    const listed = JSON.parse((await line.run("admins", "list", "--json")).out);
    assert.deepEqual(listed, { admins: [admin] });
    const table = await line.run("admins", "list");
    assert.match(table.out, /^ID .+\n.+ invited +owner .+ ada@example\.org +Ada$/);

    const demote = ["change", "ADA@example.org", "--role", "viewer", "--disable"];
    const demoted = await line.run("admins", ...demote);
    assert.equal(demoted.out, `Changed ${admin.id} (Ada <ada@example.org>, viewer, disabled)`);
    const enabled = await line.run("admins", "change", admin.id, "--enable", "--name", "Ada L.");
    assert.match(enabled.out, /Ada L\. <ada@example\.org>, viewer, invited\)$/);
    const again = await line.run("admins", "code", "ada@example.org");
    assert.match(
      again.out,
      /^Made a code for .+\nHand over this code, to be entered at http:\/\/\S+\/admin\/claim by .+:\ncplc_\w{38}$/,
    );
    assert.equal((await line.run("admins", "sign-out", admin.id)).out, "Ended 0 sessions");
    const log = await line.run("audit", "list", "--target", admin.id);
    assert.deepEqual(
      log.out
        .split("\n")
        .slice(1)
        .map((row) => row.split(/ {2,}/).slice(3).join(" ")),
      [
        `admin.make-code ${admin.id} invitation`,
        `admin.change ${admin.id} name; state: invited`,
        `admin.disable ${admin.id} role: viewer; state: disabled`,
        `admin.make-code ${admin.id} invitation`,
        `admin.invite ${admin.id} role: owner`,
      ],
    );
    for (const file of ["commonplace.db", "commonplace.db-wal"]) {
      const path = join(line.environment["DATA_DIR"] ?? "", file);
      assert(!readFileSync(path, { flag: "a+" }).includes(claimCode));
    }
  });

  it("says in one line what is wrong", async () => {
    using line = await openSiteLine();
    const who = ["--email", "a@example.org", "--name", "A"];
    const roles = /Allowed choices are owner, manager, editor, contributor, viewer/;
    const cases: [code: number, message: RegExp, words: string[]][] = [
      [2, roles, ["invite", ...who, "--role", "boss"]],
      [2, /Give an e-mail address/, ["invite", "--email", "a", "--name", "A", "--role", "owner"]],
      [2, /required option '--email <address>'/, ["invite", "--name", "A", "--role", "owner"]],
      [2, /Cannot change an account: say what/, ["change", "nobody"]],
      [
        2,
        /'--disable' cannot be used with option '--enable'/,
        ["change", "x", "--enable", "--disable"],
      ],
      [1, /There is no administrator with the id nobody/, ["change", "nobody", "--name", "B"]],
      [1, /There is no administrator b@example\.org/, ["change", "b@example.org", "--name", "B"]],
      [1, /There is no administrator with the id nobody/, ["code", "nobody"]],
      [1, /There is no administrator with the id nobody/, ["sign-out", "nobody"]],
      [1, /There is no administrator with the id nobody/, ["remove-second-factor", "nobody"]],
    ];
    for (const [code, message, words] of cases) {
      const told = await line.run("admins", ...words);
      assert.equal(told.code, code, `${words.join(" ")}: ${told.err}`);
      assert.match(told.err, /^error: .+$/);
      assert.match(told.err, message);
    }
    await invite(line, "a@example.org", "owner");
    const twice = await invite(line, "a@example.org", "owner");
    assert.deepEqual([twice.code, /has an account already/.test(twice.err)], [1, true]);
  });
});

describe("commonplace audit", () => {
  it("lists and exports what matches", async () => {
    using line = await openSiteLine();
    for (const name of ["One", "Two"]) await line.run("keys", "issue", "--name", name);
    const { entries } = JSON.parse((await line.run("audit", "list", "--limit", "1", "--json")).out);
    assert.partialDeepStrictEqual(entries, [{ actor: "operator", action: "key.issue" }]);
    const newest = entries[0].number;
    const { out } = await line.spawn("audit", "export", "--action", "key.");
    const numbers = out.split("\n").map((entry) => JSON.parse(entry).number);
    assert.deepEqual(numbers, [newest - 1, newest], "without the site and its starter pages");
    assert(newest > 2);
    assert.equal((await line.run("audit", "list", "--until", "2020-01-01")).out, "No entries");
    assert.equal((await line.spawn("audit", "export", "--actor", "nobody")).out, "");
    const wrong = await line.run("audit", "export", "--since", "soon");
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /^error: Cannot search the audit log: --since is not a day/);
    assert.equal((await line.run("audit", "list", "--limit", "0")).code, 2);
  });
});
