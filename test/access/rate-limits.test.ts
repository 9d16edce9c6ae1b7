import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { RateLimits } from "../../src/access/rate-limits.ts";
import { openRecordStore } from "../support/record-store.ts";

const MINUTE = 60_000;
const START = 1_800_000_000_000;

/** The rule itself: all accepted requests, looked through each time. */
class BruteForce {
  readonly #accepted: { keyId: string; at: number }[] = [];

  take(keyId: string, limit: number, now: number): boolean {
    const recent = this.#accepted.filter((one) => one.keyId === keyId && one.at > now - MINUTE);
    if (recent.length >= limit) return false;
    this.#accepted.push({ keyId, at: now });
    return true;
  }
}

const requests = fc.array(
  fc.record({
    keyId: fc.constantFrom("a", "b"),
    limit: fc.constantFrom(1, 2, 3, 5, 8),
    after: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 2 * MINUTE })),
    restart: fc.boolean(),
  }),
  { maxLength: 120 },
);

describe("the sliding window", () => {
  it("decides as the rule does, with limits that change and restarts in between", () => {
    fc.assert(
      fc.property(requests, (sequence) => {
        let limits = new RateLimits();
        const rule = new BruteForce();
        let now = START;
        for (const { keyId, limit, after, restart } of sequence) {
          now += after;
          if (restart) {
            const snapshot = limits.snapshot(now);
            limits = new RateLimits();
            limits.restore(JSON.parse(JSON.stringify(snapshot)));
          }
          const decision = limits.take(keyId, limit, now);
          assert.equal(decision.accepted, rule.take(keyId, limit, now));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("tells a wait after which the request is accepted, and no shorter one would do", () => {
    fc.assert(
      fc.property(requests, (sequence) => {
        const limits = new RateLimits();
        let now = START;
        for (const { keyId, limit, after } of sequence) {
          now += after;
          const decision = limits.take(keyId, limit, now);
          if (decision.accepted) continue;
          const wait = decision.retryAfterSeconds * 1000;
          assert(wait >= 1000 && wait <= MINUTE);
          assert.equal(copyOf(limits, now).take(keyId, limit, now + wait).accepted, true);
          if (wait === 1000) continue;
          const tooSoon = copyOf(limits, now).take(keyId, limit, now + wait - 1000);
          assert.equal(tooSoon.accepted, false);
        }
      }),
    );
  });

  it("accepts exactly 60 of 200 at once, and leaves other keys alone", () => {
    const limits = new RateLimits();
    const decisions = Array.from({ length: 200 }, () => limits.take("a", 60, START));
    assert.equal(decisions.filter(({ accepted }) => accepted).length, 60);
    assert.deepEqual(decisions[0], { accepted: true, remaining: 59, resetSeconds: 60 });
    assert.deepEqual(decisions[59], { accepted: true, remaining: 0, resetSeconds: 60 });
    assert.deepEqual(decisions[60], { accepted: false, retryAfterSeconds: 60 });
    assert.equal(limits.take("b", 60, START).accepted, true);
    assert.equal(limits.take("a", 60, START + MINUTE - 1).accepted, false);
    assert.equal(limits.take("a", 60, START + MINUTE).accepted, true);
  });

  it("tells how many more it would accept, and until when one more than that", () => {
    const limits = new RateLimits();
    limits.take("a", 3, START);
    limits.take("a", 3, START + 10_000);
    assert.deepEqual(limits.take("a", 3, START + MINUTE), {
      accepted: true,
      remaining: 1,
      resetSeconds: 10,
    });
    assert.deepEqual(limits.take("a", 3, START + MINUTE + 500), {
      accepted: true,
      remaining: 0,
      resetSeconds: 10,
    });
  });

  it("neither opens nor locks for long when the clock is set back", () => {
    const limits = new RateLimits();
    for (let request = 0; request < 60; request += 1) limits.take("a", 60, START);
    const hourBefore = START - 60 * MINUTE;
    assert.deepEqual(limits.take("a", 60, hourBefore), { accepted: false, retryAfterSeconds: 60 });
    assert.equal(limits.take("a", 60, hourBefore + MINUTE - 1).accepted, false);
    assert.equal(limits.take("a", 60, hourBefore + MINUTE).accepted, true);
  });

  it("is kept in the record, so that a restart grants no new one", async () => {
    await using first = await openRecordStore();
    const limits = new RateLimits();
    assert.equal(limits.isDirty(), false);
    for (let request = 0; request < 60; request += 1) limits.take("a", 60, START + request);
    limits.take("idle", 60, START - MINUTE);
    assert.equal(limits.isDirty(), true);
    await first.record.rateWindows.save(limits.snapshot(START + 100));
    assert.equal(limits.isDirty(), false);
    await using second = await first.reopen();
    const restored = new RateLimits();
    const windows = await second.record.rateWindows.load();
    assert.deepEqual(
      windows.map(({ keyId }) => keyId),
      ["a"],
      "idle windows are let go",
    );
    restored.restore(windows);
    assert.equal(restored.take("a", 60, START + MINUTE - 1).accepted, false);
    assert.equal(restored.take("a", 60, START + MINUTE).accepted, true);
    assert.equal(restored.take("a", 60, START + MINUTE).accepted, false);
  });
});

/** As a process would go on from a snapshot. */
function copyOf(limits: RateLimits, now: number): RateLimits {
  const copy = new RateLimits();
  copy.restore(limits.snapshot(now));
  return copy;
}
