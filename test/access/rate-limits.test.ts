import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  type AcceptedRequestCount,
  type RateWindowStore,
  SlidingWindowRateLimiter,
} from "../../src/access/rate-limits.ts";
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

/** Keeps whatever it is given; the store of the record is tried below. */
class WindowsInMemory implements RateWindowStore {
  #kept: AcceptedRequestCount[] = [];

  async load(since: number): Promise<AcceptedRequestCount[]> {
    return this.#kept.filter(({ until }) => until > since);
  }

  async add(accepted: readonly AcceptedRequestCount[], deleteUntil: number): Promise<void> {
    const kept = [...this.#kept, ...accepted].filter(({ until }) => until > deleteUntil);
    this.#kept = kept.sort((a, b) => a.until - b.until);
  }
}

const requests = fc.array(
  fc.record({
    keyId: fc.constantFrom("a", "b"),
    limit: fc.constantFrom(1, 2, 3, 5, 8),
    after: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 2 * MINUTE })),
    restart: fc.boolean(),
    save: fc.boolean(),
  }),
  { maxLength: 120 },
);

describe("the sliding window", () => {
  it("decides as the rule does, with limits that change and restarts in between", async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (sequence) => {
        let limits = new SlidingWindowRateLimiter();
        const store = new WindowsInMemory();
        const rule = new BruteForce();
        let now = START;
        for (const { keyId, limit, after, restart } of sequence) {
          now += after;
          if (restart) limits = await restarted(store, now);
          const decision = limits.take(keyId, limit, now);
          assert.equal(decision.accepted, rule.take(keyId, limit, now));
          await limits.save(store, now);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("never accepts more than the rule, however much is saved at once before a restart", async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (sequence) => {
        let limits = new SlidingWindowRateLimiter();
        const store = new WindowsInMemory();
        const rule = new BruteForce();
        let now = START;
        for (const { keyId, limit, after, restart, save } of sequence) {
          now += after;
          if (save) await limits.save(store, now);
          if (restart) limits = await stoppedAndRestarted(limits, store, now);
          const decision = limits.take(keyId, limit, now);
          assert(!decision.accepted || rule.take(keyId, limit, now));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("returns the shortest wait after which a request is accepted", async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (sequence) => {
        const limits = new SlidingWindowRateLimiter();
        const store = new WindowsInMemory();
        let now = START;
        for (const { keyId, limit, after } of sequence) {
          now += after;
          const decision = limits.take(keyId, limit, now);
          await limits.save(store, now);
          if (decision.accepted) continue;
          const wait = decision.retryAfterSeconds * 1000;
          assert(wait >= 1000 && wait <= MINUTE);
          const later = await restarted(store, now);
          assert.equal(later.take(keyId, limit, now + wait).accepted, true);
          if (wait === 1000) continue;
          const tooSoon = await restarted(store, now);
          assert.equal(tooSoon.take(keyId, limit, now + wait - 1000).accepted, false);
        }
      }),
    );
  });

  it("accepts exactly 60 of 200 at once, and leaves other keys alone", () => {
    const limits = new SlidingWindowRateLimiter();
    const decisions = Array.from({ length: 200 }, () => limits.take("a", 60, START));
    assert.equal(decisions.filter(({ accepted }) => accepted).length, 60);
    assert.deepEqual(decisions[0], { accepted: true, remaining: 59, resetSeconds: 60 });
    assert.deepEqual(decisions[59], { accepted: true, remaining: 0, resetSeconds: 60 });
    assert.deepEqual(decisions[60], { accepted: false, retryAfterSeconds: 60 });
    assert.equal(limits.take("b", 60, START).accepted, true);
    assert.equal(limits.take("a", 60, START + MINUTE - 1).accepted, false);
    assert.equal(limits.take("a", 60, START + MINUTE).accepted, true);
  });

  it("returns the remaining requests and when the next one is free", () => {
    const limits = new SlidingWindowRateLimiter();
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

  it("neither opens nor blocks for longer when the clock is set back", () => {
    const limits = new SlidingWindowRateLimiter();
    for (let request = 0; request < 60; request += 1) limits.take("a", 60, START);
    const hourBefore = START - 60 * MINUTE;
    assert.deepEqual(limits.take("a", 60, hourBefore), { accepted: false, retryAfterSeconds: 60 });
    assert.equal(limits.take("a", 60, hourBefore + MINUTE - 1).accepted, false);
    assert.equal(limits.take("a", 60, hourBefore + MINUTE).accepted, true);
  });

  it("is stored in the record, so that a restart grants no new window", async () => {
    await using first = await openRecordStore();
    const limits = new SlidingWindowRateLimiter();
    limits.take("idle", 60, START - MINUTE);
    await limits.save(first.record.rateWindows, START - MINUTE);
    for (let request = 0; request < 30; request += 1) limits.take("a", 60, START + request);
    await limits.save(first.record.rateWindows, START + 50);
    for (let request = 0; request < 30; request += 1) limits.take("a", 60, START + 1000 + request);
    await limits.save(first.record.rateWindows, START + 1100);
    await using second = await first.reopen();
    assert.deepEqual(
      await second.record.rateWindows.load(START - 2 * MINUTE),
      [
        { keyId: "a", until: START + 29, count: 30 },
        { keyId: "a", until: START + 1029, count: 30 },
      ],
      "little for many, and nothing of a minute ago",
    );
    const restored = await restarted(second.record.rateWindows, START + 2000);
    assert.equal(restored.take("a", 60, START + MINUTE + 28).accepted, false);
    const later = Array.from({ length: 31 }, () => restored.take("a", 60, START + MINUTE + 29));
    assert.equal(later.filter(({ accepted }) => accepted).length, 30);
  });

  it("retries a failed save", async () => {
    const store = new WindowsInMemory();
    const limits = new SlidingWindowRateLimiter();
    limits.take("a", 60, START);
    const failing = { load: store.load, add: () => Promise.reject(new Error("no room")) };
    await assert.rejects(limits.save(failing, START), /no room/);
    limits.take("a", 60, START + 1);
    await limits.save(store, START + 1);
    assert.deepEqual(await store.load(0), [{ keyId: "a", until: START + 1, count: 2 }]);
  });

  it("stores as many times as a high limit needs, and no more", () => {
    const limits = new SlidingWindowRateLimiter();
    const take = (at: number) => limits.take("a", 100_000, at).accepted;
    for (let request = 0; request < 100_000; request += 1) assert(take(START + (request >> 4)));
    assert.equal(take(START + 59_999), false);
    for (let request = 0; request < 16; request += 1) assert(take(START + MINUTE));
    assert.equal(take(START + MINUTE), false);
  });
});

/** The limits as another process finds them. */
async function restarted(store: RateWindowStore, now: number): Promise<SlidingWindowRateLimiter> {
  const limits = new SlidingWindowRateLimiter();
  await limits.restore(store, now);
  return limits;
}

async function stoppedAndRestarted(
  limits: SlidingWindowRateLimiter,
  store: RateWindowStore,
  now: number,
): Promise<SlidingWindowRateLimiter> {
  await limits.save(store, now);
  return await restarted(store, now);
}
