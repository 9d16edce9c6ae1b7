import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HealthMonitor } from "../../src/app/health/watching.ts";
import type { HealthMeasurements } from "../../src/health/facts.ts";
import { judgeHealth } from "../../src/health/judging.ts";
import { reportHealthChanges } from "../../src/health/reporting.ts";
import { createLog } from "../../src/log.ts";
import { NOW, ORIGIN } from "../support/open-fixture.ts";
import { openPeopleSite, type PeopleSite } from "../support/people.ts";

const QUEUES = {
  mail: { waiting: 0, oldestAt: null, givenUpAt: null },
  webhooks: { waiting: 0, oldestAt: null, disabled: 0 },
  jobs: { waiting: 0, oldestAt: null },
};

function factsWith(freeMebibytes: number): HealthMeasurements {
  return {
    disk: {
      freeBytes: freeMebibytes * 1024 ** 2,
      totalBytes: 1024 ** 4,
      freeFiles: null,
      storeBytes: 0,
    },
    backup: { kind: "elsewhere" },
    certificate: { kind: "plain", isLocal: true },
    record: { fault: null, isDamaged: false },
    copies: { isDamaged: false, lagSeconds: 0 },
    queues: QUEUES,
    clock: { isSteady: true, seenAt: null },
    exposedFiles: [],
    version: { program: "1.2.3", node: "26.10.0" },
  };
}

const FULL = 100;
const SCARCE = 500;
const ROOMY = 100_000;

async function told({ app }: PeopleSite, freeMebibytes: number, machine: string | null = null) {
  const findings = judgeHealth(factsWith(freeMebibytes), NOW);
  const context = { now: NOW, origin: ORIGIN, sendsMail: true, machine };
  await reportHealthChanges(app.record, findings, context);
}

async function healthEntries({ app }: PeopleSite): Promise<string[]> {
  const rows = await app.sql(
    "SELECT action, target, actor FROM audit WHERE action LIKE 'health.%' ORDER BY number",
  );
  return rows.map((row) => `${row["action"]} ${row["target"]} by ${row["actor"]}`);
}

async function mailsTo({ app }: PeopleSite): Promise<unknown[]> {
  const rows = await app.sql(
    "SELECT recipient FROM mails WHERE kind = 'health' ORDER BY recipient",
  );
  return rows.map((row) => row["recipient"]);
}

describe("what turns bad", () => {
  it("is told once to every owner and in the audit log, and its end in the log", async () => {
    await using site = await openPeopleSite();
    await site.app.sql(`
      WITH RECURSIVE numbers(n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
      INSERT INTO admins (id, email, name, role, state, password_hash, created_at, created_by, changed_at)
      SELECT '0-' || n, n || '@example.org', 'n', 'viewer', 'active', '-', 'd', 'c', 'd' FROM numbers`);
    await site.person("anna@example.org", "owner");
    await site.person("ben@example.org", "owner");
    await site.person("eva@example.org", "editor");
    await told(site, ROOMY);
    assert.deepEqual(await healthEntries(site), []);
    for (const free of [FULL, FULL, SCARCE, FULL]) await told(site, free);
    assert.deepEqual(await healthEntries(site), ["health.fail disk by clock"]);
    assert.deepEqual(await mailsTo(site), ["anna@example.org", "ben@example.org"]);
    const [mail] = await site.app.sql("SELECT subject, text FROM mails WHERE kind = 'health'");
    assert.match(String(mail?.["subject"]), /: problem with Disk$/);
    assert.match(String(mail?.["text"]), /^Disk: 105 MB of 1.1 TB is free.*\nMake room/);
    await told(site, ROOMY);
    await told(site, FULL);
    assert.deepEqual(await healthEntries(site), [
      "health.fail disk by clock",
      "health.recover disk by clock",
      "health.fail disk by clock",
    ]);
    assert.equal((await mailsTo(site)).length, 4);
  });

  it("is known of each machine by itself, and goes to the editors where there is no owner", async () => {
    await using site = await openPeopleSite();
    await told(site, FULL, "one");
    await told(site, ROOMY, "two");
    await told(site, FULL, "two");
    assert.deepEqual(await healthEntries(site), [
      "health.fail disk one by clock",
      "health.fail disk two by clock",
    ]);
    assert.equal((await mailsTo(site)).length, 2);
  });
});

it("the site is looked at every five minutes, never twice at once", async () => {
  await using site = await openPeopleSite();
  let time = 0;
  let looks = 0;
  const waiting: (() => void)[] = [];
  const noted: string[] = [];
  const watch = new HealthMonitor({
    record: site.app.record,
    monotonic: () => time,
    async measure() {
      looks += 1;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return factsWith(FULL);
    },
    noteFindings(findings) {
      noted.push(...findings.map(({ check, state }) => `${check} ${state}`));
    },
    now: () => NOW,
    sendsMail: false,
    machine: null,
    log: createLog("silent"),
  });
  await watch.work();
  assert.equal(looks, 0);
  time = 5 * 60_000;
  await watch.work();
  time *= 2;
  await watch.work();
  assert.equal(looks, 1);
  waiting[0]?.();
  await watch.stop();
  assert.deepEqual(await healthEntries(site), ["health.fail disk by clock"]);
  assert(noted.includes("disk bad") && noted.includes("clock good"));
  assert.deepEqual(await mailsTo(site), []);
});
