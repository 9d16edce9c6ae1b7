import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { ScheduledBackups } from "../../src/app/backup/scheduling.ts";
import { readConfig } from "../../src/config.ts";
import { lastMomentAtTimeOfDay } from "../../src/content/site/time-zone.ts";
import { createLog } from "../../src/log.ts";
import { readBackupStatus } from "../../src/storage/backup/last-backup.ts";
import { type CommandLine, openCommandLine, openSiteLine } from "../support/command-line.ts";
import { openS3Store } from "../support/s3-store.ts";
import { serve, stop } from "../support/served.ts";
import { found, until } from "../support/until.ts";

interface Attempt {
  at: string;
  state: string;
  fault: string | null;
  interruptions: number;
  places?: string[];
}

function attemptOf(line: CommandLine): Attempt | undefined {
  const file = join(line.folder, "data/last-backup.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).attempt : undefined;
}

function leftIn(line: CommandLine): string[] {
  return readdirSync(join(line.folder, "data")).filter((name) => name.includes("backup-"));
}

/** Whether the process that worked in a folder has ended, which releases its lock. */
function isAbandoned(path: string): boolean {
  const lock = new DatabaseSync(`${path}.lock`, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch {
    return false;
  } finally {
    lock.close();
  }
}

/** In Vienna clocks were set forward at 02:00 on 29 March 2026, and back at 03:00 on 25 October. */
const MOMENTS: [timeOfDay: string, now: string, last: string][] = [
  ["03:30", "2026-11-23T02:29:59Z", "2026-11-22T02:30:00Z"],
  ["03:30", "2026-11-23T02:30:00Z", "2026-11-23T02:30:00Z"],
  ["00:00", "2026-07-01T12:00:00Z", "2026-06-30T22:00:00Z"],
  ["02:30", "2026-03-29T12:00:00Z", "2026-03-29T01:30:00Z"],
  ["02:30", "2026-10-25T12:00:00Z", "2026-10-25T00:30:00Z"],
];

describe("the time of a daily backup", () => {
  for (const [timeOfDay, now, last] of MOMENTS) {
    it(`${timeOfDay} in Vienna was at ${last}, when it is ${now}`, () => {
      const found = lastMomentAtTimeOfDay("Europe/Vienna", timeOfDay, new Date(now));
      assert.equal(found.toISOString(), last.replace("Z", ".000Z"));
    });
  }

  const TODAY = { at: "2026-11-23T03:30:02.000Z", state: "made" };
  const DUE: [what: string, attempt: Partial<Attempt> | null, isDue: boolean][] = [
    ["never made", null, true],
    ["made yesterday", { at: "2026-11-22T03:30:00.000Z", state: "made" }, true],
    ["made today", TODAY, false],
    ["made today in this place", { ...TODAY, places: ["/backups", "/more"] }, false],
    ["made today in another place", { ...TODAY, places: ["/more"] }, true],
    ["dated by a clock that was wrong", { at: "2040-01-01T00:00:00.000Z", state: "made" }, true],
    ["failed half an hour ago", { at: "2026-11-23T04:30:00.000Z", state: "failed" }, false],
    ["failed two hours ago", { at: "2026-11-23T03:30:00.000Z", state: "failed" }, true],
    ["interrupted", { at: "2026-11-23T04:30:00.000Z", state: "running" }, true],
    [
      "interrupted again",
      { at: "2026-11-23T04:30:00.000Z", state: "running", interruptions: 1 },
      false,
    ],
  ];
  for (const [what, attempt, isDue] of DUE) {
    it(`makes one that is due: ${what}`, async () => {
      using line = openCommandLine();
      if (attempt !== null) {
        const whole = { state: "made", fault: null, interruptions: 0, ...attempt };
        line.file("data/last-backup.json", JSON.stringify({ attempt: whole }));
      }
      let made = 0;
      const parts = {
        config: readConfig({ ...line.environment, BACKUP_AT: "03:30", BACKUP_TO: "/backups" }),
        timeZone: () => "UTC",
        makeBackup: async () => {
          made += 1;
          return null;
        },
        now: () => new Date("2026-11-23T05:00:00Z"),
        log: createLog("silent"),
      };
      const untrusted = new ScheduledBackups({ ...parts, isTimeTrusted: () => false });
      await untrusted.work();
      assert.equal(made, 0, "by a clock that jumped");
      const scheduled = new ScheduledBackups({ ...parts, isTimeTrusted: () => true });
      await Promise.all([scheduled.work(), scheduled.work()]);
      await scheduled.stop();
      assert.equal(made, isDue ? 1 : 0);
    });
  }
});

describe("a daily backup that cannot be noted", () => {
  for (const fault of [null, "ENOSPC"]) {
    it(`is not made over and over: ${fault ?? "made"}`, async () => {
      using line = openCommandLine();
      let made = 0;
      let seconds = 0;
      const scheduled = new ScheduledBackups({
        config: readConfig({ ...line.environment, BACKUP_AT: "03:30", BACKUP_TO: "/backups" }),
        timeZone: () => "UTC",
        makeBackup: async () => {
          made += 1;
          return fault;
        },
        now: () => new Date(Date.UTC(2026, 10, 23, 5, 0, seconds)),
        monotonic: () => seconds * 1000,
        isTimeTrusted: () => true,
        log: createLog("silent"),
      });
      for (; seconds < 2 * 60 * 60; seconds += 60) {
        await scheduled.work();
        await setImmediate();
      }
      await scheduled.stop();
      assert.equal(made, fault === null ? 1 : 2);
    });
  }
});

describe("a server with BACKUP_AT", () => {
  it("makes the first backup at once, encrypted, in every place, and says so", async () => {
    await using store = await openS3Store();
    const identity = await generateX25519Identity();
    using line = await openSiteLine({
      ...store.environment,
      BACKUP_RECIPIENTS: await identityToRecipient(identity),
    });
    const folder = join(line.folder, "backups");
    await using served = await serve(line, {
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

  it("makes one at once in a new place, so that a wrong one shows", async () => {
    await using store = await openS3Store();
    using line = await openSiteLine({
      ...store.environment,
      BACKUP_AT: "03:30",
      BACKUP_TO: "s3://vault,/dev/null/wrong",
    });
    await using first = await serve(line, { more: { BACKUP_TO: "s3://vault" } });
    await until(() => attemptOf(line)?.state === "made");
    await stop(first, "SIGTERM");
    const before = await line.run("doctor");
    assert.match(before.out, /Backup: There is no backup in \/dev\/null\/wrong yet\. The last/);
    await using second = await serve(line);
    await until(() => second.output().includes("The backup failed"));
    await stop(second, "SIGTERM");
    assert.match(
      (await line.run("doctor")).out,
      /BAD .*Backup: The backup of .* failed: .*null: a file/,
    );
    assert.equal(store.objects.size, 2);
  });

  it("ends the backup with itself, however it ends, and makes up for it once it runs again", async () => {
    await using store = await openS3Store();
    using line = await openSiteLine({
      ...store.environment,
      BACKUP_AT: "03:30",
      BACKUP_TO: "s3://vault",
    });
    store.faultOf = ({ method }) => (method === "PUT" ? { status: 503, code: "SlowDown" } : null);
    await using first = await serve(line);
    await until(() => store.uploads.size === 1);
    assert.equal(attemptOf(line)?.state, "running");
    await stop(first, "SIGKILL");
    const left = leftIn(line).filter((name) => name.includes("work-"));
    assert(left.length > 0);
    const asked = store.asked.length;
    for (const name of left.filter((name) => !name.endsWith(".lock"))) {
      await until(() => isAbandoned(join(line.folder, "data", name)));
    }
    await using _second = await serve(line);
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
  });

  it("notes why one failed, for doctor, and logs it", async () => {
    await using store = await openS3Store();
    using line = await openSiteLine({
      ...store.environment,
      BACKUP_AT: "03:30",
      BACKUP_TO: "s3://vault",
    });
    store.faultOf = () => ({ status: 403, code: "AccessDenied" });
    await using served = await serve(line);
    try {
      await until(() => served.output().includes("The backup failed"));
      const { out, code } = await line.run("doctor");
      assert.equal(code, 1);
      assert.match(out, /BAD .*Backup: The backup of .* failed: .*AccessDenied for vault: allow/);
      assert.match(out, /The server tries again every hour/);
      const noted = await readBackupStatus(join(line.folder, "data"));
      assert.match(
        noted.attempt?.fault?.de ?? "",
        /^Der S3-Speicher antwortete mit 403 .*: Erlauben/,
      );
    } finally {
      await stop(served, "SIGTERM");
    }
  });
});
