import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Wording } from "../../src/errors.ts";
import type { HealthMeasurements } from "../../src/health/facts.ts";
import { HEALTH_CHECKS, worstState } from "../../src/health/finding.ts";
import { judgeHealth } from "../../src/health/judging.ts";
import { ENGLISH_HEALTH_LOCALE } from "../../src/health/reporting.ts";
import { GERMAN_HEALTH_TEXTS } from "../../src/health/texts/german.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const GIBIBYTE = 1024 ** 3;

const NO_ROOM: Wording = { en: "No room", de: "Kein Platz" };
const UNSCHEDULED = { isScheduled: false, failed: null, emptyPlaces: [] };
const FAILED = {
  ...{ isScheduled: true, emptyPlaces: [] },
  failed: { at: ago({ hours: 1 }), fault: NO_ROOM },
};

const GOOD: HealthMeasurements = {
  server: { isReady: true, answer: "ready" },
  disk: disk(20 * GIBIBYTE, GIBIBYTE).disk,
  backup: { kind: "made", at: ago({ hours: 20 }), place: "/backups/last", ...UNSCHEDULED },
  certificate: { kind: "read", endsAt: ago({ days: -60 }), fault: null },
  record: { fault: null, isDamaged: false },
  copies: { isDamaged: false, lagSeconds: 0 },
  queues: {
    mail: { waiting: 0, oldestAt: null, givenUpAt: null },
    webhooks: { waiting: 0, oldestAt: null, disabled: 0 },
    jobs: { waiting: 0, oldestAt: null },
  },
  clock: { isSteady: true, seenAt: ago({ hours: 0.01 }) },
  exposedFiles: [],
  version: { program: "1.2.3", node: "26.10.0" },
};

function ago({ days = 0, hours = 0 }: { days?: number; hours?: number }): string {
  return new Date(NOW.getTime() - (24 * days + hours) * 60 * 60 * 1000).toISOString();
}

/** The checks that are not good, with their state. */
function faulty(facts: Partial<HealthMeasurements>): string[] {
  return judgeHealth({ ...GOOD, ...facts }, NOW)
    .filter(({ state }) => state !== "good")
    .map(({ check, state }) => `${check} ${state}`);
}

function disk(
  freeBytes: number,
  storeBytes: number,
  freeFiles: number | null = 1_000_000,
): Pick<HealthMeasurements, "disk"> {
  return { disk: { freeBytes, totalBytes: 40 * GIBIBYTE, freeFiles, storeBytes } };
}

function certificate(days: number, fault: Wording | null = null): Partial<HealthMeasurements> {
  return { certificate: { kind: "read", endsAt: ago({ days: -days }), fault } };
}

function mail(hours: number): Partial<HealthMeasurements> {
  const queues = GOOD.queues ?? assert.fail();
  return {
    queues: { ...queues, mail: { waiting: 1, oldestAt: ago({ hours }), givenUpAt: null } },
  };
}

describe("the health of a site", () => {
  it("is good where everything is, and every check is there in its order", () => {
    const findings = judgeHealth(GOOD, NOW);
    assert.deepEqual(
      findings.map(({ check }) => check),
      HEALTH_CHECKS,
    );
    assert.equal(worstState(findings), "good");
    assert(findings.every(({ advice }) => advice === null));
  });

  const CASES: [what: string, facts: Partial<HealthMeasurements>, found: string[]][] = [
    ["no server", { server: null }, ["server bad"]],
    ["a server that refuses", { server: { isReady: false, answer: "x" } }, ["server bad"]],
    ["little room", disk(0.5 * GIBIBYTE, 0), ["disk warn"]],
    ["less room than a restore needs", disk(9 * GIBIBYTE, 5 * GIBIBYTE), ["disk warn"]],
    ["no room", disk(0.1 * GIBIBYTE, 0), ["disk bad"]],
    ["room, but for few more files", disk(20 * GIBIBYTE, 0, 9999), ["disk warn"]],
    ["room, but for hardly any more files", disk(20 * GIBIBYTE, 0, 999), ["disk bad"]],
    ["a file system without a limit of files", disk(20 * GIBIBYTE, 0, null), []],
    ["few files and no room", disk(0.1 * GIBIBYTE, 0, 9999), ["disk bad"]],
    ["no data folder", { disk: null }, ["disk bad"]],
    [
      "no backup of a new site",
      { backup: { kind: "none", since: ago({ days: 1 }), ...UNSCHEDULED } },
      ["backup warn"],
    ],
    [
      "no backup of an old site",
      { backup: { kind: "none", since: ago({ days: 8 }), ...UNSCHEDULED } },
      ["backup bad"],
    ],
    [
      "a backup of the day before yesterday",
      { backup: { kind: "made", at: ago({ days: 2.1 }), place: "", ...UNSCHEDULED } },
      ["backup warn"],
    ],
    [
      "a backup of last week",
      { backup: { kind: "made", at: ago({ days: 7.1 }), place: "", ...UNSCHEDULED } },
      ["backup bad"],
    ],
    [
      "a backup that a wrong clock dated",
      { backup: { kind: "made", at: ago({ days: -300 }), place: "", ...UNSCHEDULED } },
      ["backup bad"],
    ],
    [
      "a backup that failed after a good one",
      { backup: { kind: "made", at: ago({ hours: 20 }), place: "/b", ...FAILED } },
      ["backup bad"],
    ],
    [
      "a place that has no backup yet",
      {
        backup: {
          ...{ kind: "made", at: ago({ hours: 20 }), place: "/b" },
          ...{ ...UNSCHEDULED, emptyPlaces: ["/c"] },
        },
      },
      ["backup warn"],
    ],
    ["backups elsewhere", { backup: { kind: "elsewhere" } }, []],
    ["a certificate that should have been renewed", certificate(13), ["certificate warn"]],
    ["a certificate that ends", certificate(2), ["certificate bad"]],
    ["a certificate that ended", certificate(-1), ["certificate bad"]],
    ["a certificate that browsers refuse", certificate(60, NO_ROOM), ["certificate bad"]],
    ["no TLS", { certificate: { kind: "plain", isLocal: false } }, ["certificate warn"]],
    ["no TLS on this machine", { certificate: { kind: "plain", isLocal: true } }, []],
    [
      "a certificate that cannot be read",
      { certificate: { kind: "unread", fault: NO_ROOM } },
      ["certificate warn"],
    ],
    [
      "a record that is away",
      { record: { fault: NO_ROOM, isDamaged: false }, queues: null },
      ["record bad", "mail warn", "webhooks warn", "jobs warn"],
    ],
    ["a damaged record", { record: { fault: null, isDamaged: true } }, ["record bad"]],
    ["a damaged copy", { copies: { isDamaged: true, lagSeconds: 0 } }, ["copies bad"]],
    ["a copy behind", { copies: { isDamaged: false, lagSeconds: 20 } }, ["copies warn"]],
    ["a copy far behind", { copies: { isDamaged: false, lagSeconds: 600 } }, ["copies bad"]],
    ["mail that waits for minutes", mail(0.5), []],
    ["mail that waits for hours", mail(2), ["mail warn"]],
    ["mail that waits for days", mail(30), ["mail bad"]],
    ["a clock that jumped", { clock: { isSteady: false, seenAt: null } }, ["clock warn"]],
    [
      "a clock that is behind",
      { clock: { isSteady: true, seenAt: ago({ hours: -1 }) } },
      ["clock bad"],
    ],
    [
      "a line of Node without security updates",
      { version: { program: "1.2.3", node: "25.1.0" } },
      ["version warn"],
    ],
    ["files that others can read", { exposedFiles: ["commonplace.db"] }, ["files warn"]],
  ];
  for (const [what, facts, found] of CASES) {
    it(`tells of ${what}`, () => assert.deepEqual(faulty(facts), found));
  }

  it("tells of mails that were given up and of webhooks that were turned off, for a week", () => {
    const queues = GOOD.queues ?? assert.fail();
    const given = (days: number) => ({ ...queues.mail, givenUpAt: ago({ days }) });
    assert.deepEqual(faulty({ queues: { ...queues, mail: given(6) } }), ["mail warn"]);
    assert.deepEqual(faulty({ queues: { ...queues, mail: given(8) } }), []);
    const webhooks = { ...queues.webhooks, disabled: 1 };
    assert.deepEqual(faulty({ queues: { ...queues, webhooks } }), ["webhooks warn"]);
  });

  it("says what it means and what to do, in both languages", () => {
    const german = { ...ENGLISH_HEALTH_LOCALE, texts: GERMAN_HEALTH_TEXTS };
    for (const [what, facts] of CASES) {
      for (const { state, meaning, advice } of judgeHealth({ ...GOOD, ...facts }, NOW)) {
        assert.notEqual(meaning(ENGLISH_HEALTH_LOCALE), "", what);
        assert.notEqual(meaning(german), "", what);
        if (advice !== null) assert.notEqual(advice(ENGLISH_HEALTH_LOCALE), advice(german), what);
        else assert(state === "good" || facts.queues === null, what);
      }
    }
  });
});
