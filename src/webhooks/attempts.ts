import { backoffMilliseconds } from "../work/backoff.ts";
import type { Delivery, Webhook } from "./webhook.ts";

const SECOND_MILLISECONDS = 1000;
const MINUTE_MILLISECONDS = 60 * SECOND_MILLISECONDS;
const HOUR_MILLISECONDS = 60 * MINUTE_MILLISECONDS;
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;

/** Milliseconds before each retry: nine attempts in about two days. */
export const RETRY_DELAYS_MILLISECONDS: readonly number[] = [
  5 * SECOND_MILLISECONDS,
  MINUTE_MILLISECONDS,
  5 * MINUTE_MILLISECONDS,
  30 * MINUTE_MILLISECONDS,
  2 * HOUR_MILLISECONDS,
  6 * HOUR_MILLISECONDS,
  12 * HOUR_MILLISECONDS,
  DAY_MILLISECONDS,
];
const RETRY_AFTER_MILLISECONDS_MAX = DAY_MILLISECONDS;

/** A webhook is disabled after failing for this long, in at least `FAILURES_MIN` attempts. */
const FAILING_MILLISECONDS_MAX = 5 * DAY_MILLISECONDS;
const FAILURES_MIN = 12;

/** The outcome of an attempt. `status` is null without a response; `error` is safe to show. */
export interface DeliveryOutcome {
  at: Date;
  /**
   * False if `at` possibly comes from a wrong clock. Then `at` neither sets `failingSince` nor is compared
   * with it.
   */
  isTimeTrusted: boolean;
  milliseconds: number;
  status: number | null;
  error: string | null;
  /** Milliseconds requested by the receiver. */
  retryAfter: number | null;
}

/** A delivery and its webhook. An attempt changes both. */
export interface DeliveryWithWebhook {
  delivery: Delivery;
  webhook: Webhook;
}

/**
 * Returns the delivery and its webhook as they are after an attempt with this outcome. `random`: from 0 to
 * 1, for the retry's jitter.
 */
export function applyDeliveryOutcome(
  { delivery, webhook }: DeliveryWithWebhook,
  outcome: DeliveryOutcome,
  random: number,
): DeliveryWithWebhook {
  const { at, milliseconds, status } = outcome;
  const attempts = delivery.attempts + 1;
  const error = outcome.error ?? faultOfStatus(status ?? 0);
  const last = { at: at.toISOString(), status, milliseconds, error };
  if (error === null) {
    return {
      delivery: { ...delivery, attempts, last, state: "delivered" },
      webhook: { ...webhook, failingSince: null, failures: 0 },
    };
  }
  const failing = failedWebhook(webhook, outcome);
  const wait = backoffMilliseconds(RETRY_DELAYS_MILLISECONDS, attempts, random);
  if (wait === null || failing.state === "disabled") {
    return { delivery: { ...delivery, attempts, last, state: "failed" }, webhook: failing };
  }
  const requestedWait = Math.min(outcome.retryAfter ?? 0, RETRY_AFTER_MILLISECONDS_MAX);
  const dueAt = new Date(at.getTime() + Math.max(wait, requestedWait));
  return {
    delivery: { ...delivery, attempts, last, dueAt: dueAt.toISOString() },
    webhook: failing,
  };
}

/** Milliseconds requested by a `Retry-After` header; null if it is malformed. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND_MILLISECONDS;
  if (!/^[A-Z][a-z]{2}, .* GMT$/.test(header)) return null;
  const date = new Date(header);
  return Number.isNaN(date.getTime()) ? null : Math.max(0, date.getTime() - now.getTime());
}

function faultOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return "Answered 410: the address is gone";
  if (status >= 300 && status < 400) return `Answered ${status}: redirects are not followed`;
  return `Answered ${status}`;
}

function failedWebhook(webhook: Webhook, { status, at, isTimeTrusted }: DeliveryOutcome): Webhook {
  const failures = webhook.failures + 1;
  const failingSince = isTimeTrusted ? earliest(webhook.failingSince, at) : webhook.failingSince;
  const failing: Webhook = { ...webhook, failures, failingSince };
  if (status === 410) {
    return { ...failing, state: "disabled", disabledWhy: "Its address answered 410 Gone" };
  }
  if (!isTimeTrusted || failingSince === null || failures < FAILURES_MIN) return failing;
  const failingMilliseconds = at.getTime() - new Date(failingSince).getTime();
  if (failingMilliseconds < FAILING_MILLISECONDS_MAX) return failing;
  return {
    ...failing,
    state: "disabled",
    disabledWhy: `Every attempt failed since ${failingSince}`,
  };
}

function earliest(before: string | null, at: Date): string {
  const now = at.toISOString();
  return before !== null && before < now ? before : now;
}
