import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  applyDeliveryOutcome,
  type DeliveryOutcome,
  type DeliveryWithWebhook,
  parseRetryAfter,
  RETRY_DELAYS_MILLISECONDS,
} from "../../src/webhooks/attempts.ts";

const NOW = new Date("2026-11-21T12:00:00.000Z");
const DAY = 24 * 60 * 60 * 1000;

const FRESH: DeliveryWithWebhook = {
  webhook: {
    id: "w1",
    url: "https://example.org/hook",
    events: ["*"],
    description: "",
    state: "enabled",
    disabledWhy: null,
    failingSince: null,
    failures: 0,
    createdAt: NOW.toISOString(),
    createdBy: "operator",
    updatedAt: NOW.toISOString(),
  },
  delivery: {
    number: 1,
    webhookId: "w1",
    messageId: "msg_1",
    event: "content.publish",
    auditNumber: 7,
    itemId: null,
    createdAt: NOW.toISOString(),
    state: "waiting",
    dueAt: NOW.toISOString(),
    attempts: 0,
    last: null,
  },
};

function answered(status: number, more: Partial<DeliveryOutcome> = {}): DeliveryOutcome {
  return {
    ...{ at: NOW, isTimeTrusted: true, milliseconds: 12, status, error: null, retryAfter: null },
    ...more,
  };
}

function afterMilliseconds({ delivery }: DeliveryWithWebhook, now = NOW): number {
  return new Date(delivery.dueAt).getTime() - now.getTime();
}

describe("an attempt", () => {
  it("ends a delivery with any 2xx", () => {
    for (const status of [200, 201, 202, 204, 299]) {
      const { delivery } = applyDeliveryOutcome(FRESH, answered(status), 0);
      assert.equal(delivery.state, "delivered");
      assert.deepEqual(delivery.last, {
        at: NOW.toISOString(),
        status,
        milliseconds: 12,
        error: null,
      });
    }
  });

  it("is repeated after anything else, ever later, and at last given up", () => {
    let settled = FRESH;
    const waits: number[] = [];
    for (let attempt = 1; settled.delivery.state === "waiting"; attempt += 1) {
      settled = applyDeliveryOutcome(settled, answered(500), 0);
      assert.equal(settled.delivery.attempts, attempt);
      if (settled.delivery.state === "waiting") waits.push(afterMilliseconds(settled));
    }
    assert.deepEqual(waits, RETRY_DELAYS_MILLISECONDS);
    assert.equal(settled.delivery.state, "failed");
    assert.equal(settled.delivery.attempts, RETRY_DELAYS_MILLISECONDS.length + 1);
    assert.equal(settled.delivery.last?.error, "Answered 500");
  });

  it("is repeated at a time nobody else chose", () => {
    assert.equal(afterMilliseconds(applyDeliveryOutcome(FRESH, answered(503), 0.5)), 5000 * 1.05);
  });

  it("is repeated when the receiver asks for it, but not sooner than planned nor after a day", () => {
    const waitFor = (retryAfter: number) =>
      afterMilliseconds(applyDeliveryOutcome(FRESH, answered(429, { retryAfter }), 0));
    assert.equal(waitFor(90_000), 90_000);
    assert.equal(waitFor(0), 5000);
    assert.equal(waitFor(400 * DAY), DAY);
  });

  it("tells of redirects that they are not followed", () => {
    const { delivery } = applyDeliveryOutcome(FRESH, answered(302), 0);
    assert.equal(delivery.last?.error, "Answered 302: redirects are not followed");
    assert.equal(delivery.state, "waiting");
  });

  it("disables the webhook with 410", () => {
    const { webhook, delivery } = applyDeliveryOutcome(FRESH, answered(410), 0);
    assert.equal(webhook.state, "disabled");
    assert.equal(webhook.disabledWhy, "Its address answered 410 Gone");
    assert.equal(delivery.state, "failed");
  });

  it("disables the webhook when all have failed for five days, and not one sooner", () => {
    const failing = {
      ...FRESH,
      webhook: { ...FRESH.webhook, failingSince: NOW.toISOString(), failures: 30 },
    };
    const day = (days: number) => new Date(NOW.getTime() + days * DAY);
    assert.equal(
      applyDeliveryOutcome(failing, answered(500, { at: day(4.9) }), 0).webhook.state,
      "enabled",
    );
    const { webhook } = applyDeliveryOutcome(failing, answered(500, { at: day(5) }), 0);
    assert.equal(webhook.state, "disabled");
    assert.equal(webhook.disabledWhy, "Every attempt failed since 2026-11-21T12:00:00.000Z");
  });

  it("counts days of failure only by a clock that is trusted", () => {
    const failing = { ...FRESH, webhook: { ...FRESH.webhook, failures: 30 } };
    const behind = { at: new Date(NOW.getTime() - 85 * DAY), isTimeTrusted: false };
    const settled = applyDeliveryOutcome(failing, answered(500, behind), 0);
    assert.equal(settled.webhook.failingSince, null);
    const { webhook } = applyDeliveryOutcome(
      { ...failing, webhook: settled.webhook },
      answered(500),
      0,
    );
    assert.deepEqual([webhook.state, webhook.failingSince], ["enabled", NOW.toISOString()]);
  });

  it("disables no webhook that was hardly tried", () => {
    const rarely = {
      ...FRESH,
      webhook: { ...FRESH.webhook, failingSince: NOW.toISOString(), failures: 9 },
    };
    const later = new Date(NOW.getTime() + 20 * DAY);
    assert.equal(
      applyDeliveryOutcome(rarely, answered(500, { at: later }), 0).webhook.state,
      "enabled",
    );
  });

  it("that succeeds ends the failing", () => {
    const failing = { ...FRESH, webhook: { ...FRESH.webhook, failingSince: "x", failures: 3 } };
    const { webhook } = applyDeliveryOutcome(failing, answered(204), 0);
    assert.deepEqual([webhook.failingSince, webhook.failures], [null, 0]);
  });
});

describe("Retry-After", () => {
  it("is read in seconds and as a date", () => {
    assert.equal(parseRetryAfter("120", NOW), 120_000);
    assert.equal(parseRetryAfter("Sat, 21 Nov 2026 12:01:00 GMT", NOW), 60_000);
    assert.equal(parseRetryAfter("Sat, 21 Nov 2020 12:01:00 GMT", NOW), 0);
  });

  it("that cannot be read says nothing", () => {
    for (const header of [undefined, "", "soon", "-5", "1e9", "99999999999"]) {
      assert.equal(parseRetryAfter(header, NOW), null, String(header));
    }
  });
});
