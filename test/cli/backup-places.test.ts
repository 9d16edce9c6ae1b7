import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { armor, generateX25519Identity, identityToRecipient } from "age-encryption";
import { type CommandLine, openCommandLine } from "../support/command-line.ts";
import { exportedLines, filledSite } from "../support/filled-site.ts";
import { openS3Store, S3_KEY_ID, S3_SECRET, type S3Store } from "../support/s3-store.ts";

interface Keys {
  recipient: string;
  identity: string;
}

async function makeKeys(): Promise<Keys> {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

function leftIn(line: CommandLine): string[] {
  return readdirSync(join(line.folder, "data")).filter((name) => name.includes("backup-"));
}

/** Everything a command printed, and everything the store was sent but for the signature's own header. */
function assertSecret(store: S3Store, ...said: string[]): void {
  const sent = store.asked.map(({ target }) => target);
  for (const text of [...said, ...sent]) {
    assert(!text.includes(S3_SECRET));
    assert(!text.includes(S3_KEY_ID));
  }
}

describe("an encrypted backup", () => {
  it("in a folder comes back with the private key alone", async () => {
    const { recipient, identity } = await makeKeys();
    const folder = (line: CommandLine) => join(line.folder, "backups");
    using line = await filledSite({ BACKUP_RECIPIENTS: recipient });
    const made = await line.run("backup", folder(line), "--keep", "2", "--json");
    assert.equal(made.code, 0, made.err);
    const { path } = JSON.parse(made.out);
    assert.match(path, /Z\.tar\.age$/);
    assert.equal(statSync(path).mode & 0o077, 0);
    const bytes = readFileSync(path);
    assert(bytes.subarray(0, 21).equals(Buffer.from("age-encryption.org/v1")));
    assert(!bytes.includes("commonplace.db"));
    assert.deepEqual(leftIn(line), [], "nothing readable is left");

    using other = openCommandLine();
    for (const word of ["restore", "verify"]) {
      const several = await other.run(word, folder(line));
      assert.deepEqual([several.code, several.err.endsWith(`latest first: ${path}`)], [2, true]);
    }
    const without = await other.run("restore", path);
    assert.match(without.err, /is encrypted: add --identity FILE/);
    const wrong = other.file("wrong.txt", `# a key\n${(await makeKeys()).identity}\n`);
    const refused = await other.run("restore", path, "--identity", wrong);
    assert.match(refused.err, /encrypted for other keys than those in .*wrong\.txt$/);
    const none = other.file("none.txt", recipient);
    const empty = await other.run("restore", path, "--identity", none);
    assert.match(empty.err, /There is no private key in .*none\.txt/);
    const key = other.file(
      "key.txt",
      `# created: today\n# public key: ${recipient}\n${identity}\n`,
    );
    const dry = await other.run("restore", path, "--identity", key, "--dry-run");
    assert.match(dry.out, /^Would restore the store and 1 files into .* backed up at /, dry.err);
    const verified = await other.run("verify", path, "--identity", key);
    assert.match(verified.out, /files: a+\.png/, "its bytes never fitted its name");
    const restored = await other.run("restore", path, "--identity", key);
    assert.equal(restored.code, 0, restored.err);
    assert.equal(await exportedLines(other), await exportedLines(line));
    assert.deepEqual(leftIn(other), []);
    for (const { err, out } of [refused, empty, dry, restored]) {
      assert(!`${err}${out}`.includes(identity));
    }
  });

  it("that is damaged or cut off is refused, and changes nothing", async () => {
    const { recipient, identity } = await makeKeys();
    using line = await filledSite({ BACKUP_RECIPIENTS: recipient });
    const file = join(line.folder, "one.tar.age");
    assert.equal((await line.run("backup", file)).code, 0);
    const bytes = readFileSync(file);
    const changed = Buffer.from(bytes);
    changed[200_000] = 255 - (changed[200_000] ?? 0);
    using other = openCommandLine();
    const key = other.file("key.txt", identity);
    const armored = armor.encode(bytes);
    for (const broken of [changed, bytes.subarray(0, -1000), bytes.subarray(0, 100), "", armored]) {
      const { code, err } = await other.run(
        "restore",
        other.file("b.tar.age", Buffer.from(broken)),
        "--identity",
        key,
      );
      assert.notEqual(code, 0);
      assert.match(err, /^error: Cannot decrypt .*b\.tar\.age: it is damaged/);
      assert(broken !== armored || err.includes("or armored"), err);
      assert.deepEqual(leftIn(other), []);
    }
  });

  it("is never written in the clear by mistake", async () => {
    const { recipient } = await makeKeys();
    using line = await filledSite({ BACKUP_RECIPIENTS: recipient });
    for (const name of ["plain", "plain.db", "plain.tar"]) {
      const { code, err } = await line.run("backup", join(line.folder, name));
      assert.equal(code, 2);
      assert.match(err, /name a file that ends in \.tar\.age, or add --keep$/);
    }
    using open = await filledSite({});
    const { err } = await open.run("backup", join(open.folder, "x.tar.age"));
    assert.match(err, /set BACKUP_RECIPIENTS/);
  });
});

describe("a packed backup", () => {
  it("is a tar file that comes back, and nothing else is taken for one", async () => {
    using line = await filledSite({});
    const file = join(line.folder, "one.tar");
    const made = await line.run("backup", file);
    assert.match(made.out, /restored for a trial/, made.err);
    using other = openCommandLine();
    const restored = await other.run("restore", file);
    assert.equal(restored.code, 0, restored.err);
    assert.equal(await exportedLines(other), await exportedLines(line));
    const bytes = readFileSync(file);
    const renamed = Buffer.from(bytes);
    const at = renamed.indexOf("commonplace.db\0");
    renamed.write("../../escape.d", at);
    for (const [broken, message] of [
      [bytes.subarray(0, bytes.length / 2), /damaged or cut off/],
      [bytes.subarray(0, 100), /damaged or cut off/],
      [Buffer.concat([bytes, Buffer.alloc(2 * 1024 * 1024)]), /damaged or cut off/],
      [renamed, /not a backup of this program|damaged/],
      ["text ".repeat(1000), /not a backup of this program/],
    ] as const) {
      const place = other.file("b.tar", Buffer.from(broken));
      const { code, err } = await other.run("restore", place, "--force");
      assert.notEqual(code, 0);
      assert.match(err, message);
    }
    assert.deepEqual(leftIn(other), []);
  });
});

describe("a backup in an S3 bucket", () => {
  it("is encrypted, rotated among its own names, and comes back", async () => {
    await using store = await openS3Store();
    const { recipient, identity } = await makeKeys();
    const place = "s3://vault/sites/ours";
    for (const name of ["2026-01-05T03-00-00Z.tar", "2026-01-06T03-00-00Z.tar.age", "mine.tar"]) {
      store.objects.set(`vault/sites/ours/${name}`, Buffer.from("x"));
    }
    store.objects.set("vault/sites/2026-01-01T03-00-00Z.tar", Buffer.from("x"));
    store.uploads.set("old", {
      key: "vault/sites/ours/2026-01-07T03-00-00Z.tar",
      parts: new Map(),
    });
    store.uploads.set("other", { key: "vault/sites/ours/film.mp4", parts: new Map() });
    using line = await filledSite({ ...store.environment, BACKUP_RECIPIENTS: recipient });
    const made = await line.run("backup", place, "--keep", "1", "--json");
    assert.equal(made.code, 0, made.err);
    const { path, removed } = JSON.parse(made.out);
    assert.deepEqual(removed.sort(), ["2026-01-05T03-00-00Z.tar", "2026-01-06T03-00-00Z.tar.age"]);
    assert.deepEqual(
      [...store.objects.keys()].sort(),
      [
        path.slice("s3://".length),
        "vault/sites/2026-01-01T03-00-00Z.tar",
        "vault/sites/ours/mine.tar",
      ].sort(),
    );
    assert.deepEqual([...store.uploads.keys()], ["other"]);
    assert.deepEqual(leftIn(line), []);
    const noted = JSON.parse(readFileSync(join(line.folder, "data/last-backup.json"), "utf8"));
    assert.equal(noted.place, path);

    using other = openCommandLine(store.environment);
    const key = other.file("key.txt", identity);
    const vague = await other.run("restore", place, "--identity", key);
    assert.match(vague.err, new RegExp(`Name one backup in ${place}: latest first: ${path}$`));
    const restored = await other.run("restore", path, "--identity", key);
    assert.equal(restored.code, 0, restored.err);
    assert.equal(await exportedLines(other), await exportedLines(line));
    const asked = store.asked.length;
    const again = await other.run("restore", path, "--identity", key);
    assert.match(again.err, /there is a store already; add --force to replace it$/);
    assert.equal(store.asked.length, asked, "known before anything is fetched");
    assertSecret(store, made.out, made.err, vague.err, restored.out);
  });

  it("survives connections that break, and answers that fail for a moment", async () => {
    await using store = await openS3Store();
    using line = await filledSite(store.environment);
    const broken = new Set<string>();
    store.faultOf = ({ method, target }) => {
      const kind = `${method} ${target.replaceAll(/[^?&a-zA-Z]|=[^&]*/g, "")}`;
      if (broken.has(kind)) return null;
      broken.add(kind);
      if (method === "GET" && !target.includes("?")) return "cut";
      if (method === "POST" && target.includes("uploadId")) return "cut";
      return method === "PUT" ? "reset" : { status: 503, code: "SlowDown" };
    };
    const made = await line.run("backup", "s3://vault", "--json");
    assert.equal(made.code, 0, made.err);
    const { path } = JSON.parse(made.out);
    assert(broken.size >= 5, [...broken].join());
    assert(store.asked.some(({ headers }) => headers.range !== undefined));
    using other = openCommandLine(store.environment);
    assert.equal((await other.run("restore", path)).code, 0);
    assert.equal(await exportedLines(other), await exportedLines(line));
  });

  it("fails in words that hold no secret, and leaves no upload", async () => {
    await using store = await openS3Store();
    using line = await filledSite(store.environment);
    store.faultOf = ({ method }) =>
      method === "PUT" ? { status: 403, code: "AccessDenied" } : null;
    const denied = await line.run("backup", "s3://vault/x");
    assert.equal(denied.code, 1);
    assert.match(denied.err, /answered 403 AccessDenied for vault: allow the key to/);
    assert.equal(store.uploads.size, 0);
    store.faultOf = ({ method, target }) =>
      method === "GET" && !target.includes("?") ? { status: 403, code: "AccessDenied" } : null;
    assert.equal((await line.run("backup", "s3://vault/x")).code, 1);
    assert.equal(store.objects.size, 0, "one that was not compared counts for no rotation");
    using wrong = await filledSite({ ...store.environment, S3_SECRET_ACCESS_KEY: "other" });
    store.faultOf = () => null;
    const refused = await wrong.run("backup", "s3://vault/x");
    assert.match(refused.err, /SignatureDoesNotMatch for vault: correct S3_SECRET_ACCESS_KEY$/);
    assertSecret(store, denied.err, refused.err);
    assert.deepEqual(leftIn(line), []);
    assert.equal(store.objects.size, 0);
  });

  it("needs an address that is one, and a key", async () => {
    using line = await filledSite({});
    assert.match((await line.run("backup", "s3://vault")).err, /set S3_ENDPOINT/);
    for (const place of ["s3://", "s3://UPPER", "s3://vault/a/../b", "s3://key:pass@vault/x"]) {
      assert.match((await line.run("backup", place)).err, /give s3:\/\/BUCKET/);
    }
  });
});
