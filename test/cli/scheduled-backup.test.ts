import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { type CommandLine, openCommandLine, openSiteLine } from "../support/command-line.ts";
import { openS3Store } from "../support/s3-store.ts";
import { serve, stop } from "../support/served.ts";
import { found, until } from "../support/until.ts";

interface Attempt {
  at: string;
  state: string;
  fault: string | null;
  interruptions: number;
}

function attemptOf(line: CommandLine): Attempt | undefined {
  const file = join(line.folder, "data/last-backup.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).attempt : undefined;
}

function leftIn(line: CommandLine): string[] {
  return readdirSync(join(line.folder, "data")).filter((name) => name.includes("backup-"));
}

describe("a server with BACKUP_AT", () => {
  it("makes the first backup at once, encrypted, in every place, and says so", async () => {
    await using store = await openS3Store();
    const identity = await generateX25519Identity();
    using line = await openSiteLine({
      ...store.environment,
      BACKUP_RECIPIENTS: await identityToRecipient(identity),
    });
    const folder = join(line.folder, "backups");
    const served = await serve(line, {
      more: { BACKUP_AT: "03:30", BACKUP_TO: `${folder},s3://vault` },
    });
    try {
      await until(() => attemptOf(line)?.state === "made");
      assert.equal(readdirSync(folder).length, 1);
      assert.equal(store.objects.size, 1);
      await until(() => leftIn(line).length === 0);
    } finally {
      assert.equal(await stop(served, "SIGTERM"), 0);
    }
    const [key] = store.objects.keys();
    using other = openCommandLine(store.environment);
    const file = other.file("key.txt", identity);
    const restored = await other.run("restore", `s3://${key}`, "--identity", file);
    assert.equal(restored.code, 0, restored.err);
    // Only its own server knows the secret.
    assert(!served.output().includes(store.environment["S3_SECRET_ACCESS_KEY"] ?? "-"));
  });

  it("ends the backup with itself, however it ends, and makes up for it once it runs again", async () => {
    await using store = await openS3Store();
    using line = await openSiteLine({
      ...store.environment,
      BACKUP_AT: "03:30",
      BACKUP_TO: "s3://vault",
    });
    store.faultOf = ({ method }) => (method === "PUT" ? { status: 503, code: "SlowDown" } : null);
    const first = await serve(line);
    await until(() => store.uploads.size === 1);
    assert.equal(attemptOf(line)?.state, "running");
    await stop(first, "SIGKILL");
    const left = leftIn(line).filter((name) => name.includes("work-"));
    assert(left.length > 0);
    const asked = store.asked.length;
    const second = await serve(line);
    try {
      assert.deepEqual(
        leftIn(line).filter((name) => left.includes(name)),
        [],
      );
      store.faultOf = () => null;
      const made = await found(() => {
        const attempt = attemptOf(line);
        return attempt?.state === "made" ? attempt : undefined;
      });
      assert.equal(made.fault, null);
      assert.equal(store.objects.size, 1);
      assert.equal(store.uploads.size, 0, "the first upload was ended");
      assert(store.asked.slice(asked).some(({ method }) => method === "DELETE"));
      await until(() => leftIn(line).length === 0);
    } finally {
      await stop(second, "SIGTERM");
    }
  });

  it("notes why one failed, for doctor, and logs it", async () => {
    await using store = await openS3Store();
    using line = await openSiteLine({
      ...store.environment,
      BACKUP_AT: "03:30",
      BACKUP_TO: "s3://vault",
    });
    store.faultOf = () => ({ status: 403, code: "AccessDenied" });
    const served = await serve(line);
    try {
      await until(() => served.output().includes("The backup failed"));
      const { out, code } = await line.run("doctor");
      assert.equal(code, 1);
      assert.match(out, /BAD .*Backup: The backup of .* failed: .*AccessDenied for vault: allow/);
      assert.match(out, /The server tries again every hour/);
    } finally {
      await stop(served, "SIGTERM");
    }
  });
});
