import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SlidingWindowRateLimiter } from "../../src/access/rate-limits.ts";
import { VectorStore } from "../../src/search/meaning/vector-store.ts";
import { requestExport } from "../../src/transfer/jobs.ts";
import { pingWebhook } from "../../src/webhooks/deliveries.ts";
import { createWebhook } from "../../src/webhooks/managing.ts";
import { openReading } from "../support/reading-store.ts";
import { NOW, OPERATOR, openRecordStore } from "../support/record-store.ts";

const AHEAD = new Date(NOW.getTime() + 10 * 365 * 24 * 3600 * 1000);
const MAIL = {
  kind: "key-approved",
  about: "request-1",
  to: "a@example.org",
  replyTo: null,
  subject: "Key",
  text: "Code",
} as const;

function soonAfter(moment: Date): Date {
  return new Date(moment.getTime() + 30_000);
}

describe("once a clock that was ahead is right again", () => {
  it("keys are not over their limit, over any number of restarts", async () => {
    await using first = await openRecordStore();
    const limits = new SlidingWindowRateLimiter();
    for (let n = 0; n < 60; n += 1) limits.take("a", 60, AHEAD.getTime());
    await limits.save(first.record.rateWindows, AHEAD.getTime());
    await using second = await first.reopen();
    const restored = new SlidingWindowRateLimiter();
    await restored.restore(second.record.rateWindows, NOW.getTime());
    assert(restored.take("a", 60, NOW.getTime()).accepted);
    await restored.save(second.record.rateWindows, NOW.getTime());
    const kept = await second.record.rateWindows.load(0);
    assert.deepEqual(kept, [{ keyId: "a", until: NOW.getTime(), count: 1 }]);
  });

  it("mails are sent", async () => {
    await using store = await openRecordStore();
    const { outbox } = store.record;
    await outbox.put(MAIL, AHEAD);
    assert((await outbox.takeDue(AHEAD, soonAfter(AHEAD))) !== null);
    assert((await outbox.takeDue(NOW, soonAfter(NOW))) !== null);
    assert((await outbox.takeDue(NOW, soonAfter(NOW))) === null);
  });

  it("webhooks are delivered to", async () => {
    await using store = await openRecordStore();
    const { webhooks } = store.record;
    const told = { url: "https://receiver.example/", events: ["content.publish"], description: "" };
    const options = { now: AHEAD, privateNetworks: false };
    const { webhook } = await createWebhook(webhooks, OPERATOR, told, options);
    await pingWebhook(webhooks, OPERATOR, webhook.id, options);
    const claim = async (now: Date) =>
      await webhooks.write((transaction) =>
        transaction.claim(now, { until: soonAfter(now), limit: 1, perWebhook: 1 }),
      );
    assert.equal((await claim(AHEAD)).length, 1);
    assert(await webhooks.isDue(NOW));
    assert.equal((await claim(NOW)).length, 1);
    assert.equal((await claim(NOW)).length, 0);
  });

  it("jobs are run", async () => {
    await using store = await openRecordStore();
    const { jobs } = store.record;
    await requestExport(jobs, OPERATOR, { now: AHEAD });
    const claim = async (now: Date) =>
      await jobs.write((transaction) => transaction.claim(now, soonAfter(now)));
    assert((await claim(AHEAD)) !== null);
    assert(await jobs.isWaiting(NOW));
    assert((await claim(NOW)) !== null);
    assert((await claim(NOW)) === null);
  });

  it("vectors are made", () => {
    using reading = openReading();
    using vectors = new VectorStore(reading.file, "model");
    assert(vectors.claim("one", AHEAD, 10_000));
    assert(vectors.claim("two", NOW, 10_000));
    assert(!vectors.claim("three", NOW, 10_000));
  });
});
