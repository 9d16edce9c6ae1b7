import type { TaskQueue } from "../../work/queue-worker.ts";
import { type DeliveryOutcome, parseRetryAfter } from "../attempts.ts";
import { createDeliveryPayload, queueDeliveries, storeAttemptOutcome } from "../queue.ts";
import type { ClaimedDelivery, WebhookSecrets, WebhookStore } from "../webhook.ts";
import { postToReceiver as postOverHttp } from "./post.ts";
import { PostError } from "./public-network.ts";

const CONCURRENCY_MAX = 16;
const CONCURRENCY_PER_WEBHOOK_MAX = 4;
const ATTEMPT_MILLISECONDS = 10_000;
/**
 * How long a claim on a delivery lasts, which is longer than any attempt takes. Once the claim expires,
 * another process may retry the delivery.
 */
const CLAIM_MILLISECONDS = 60_000;

export interface WebhookQueueDependencies {
  webhooks: WebhookStore;
  origin: string;
  version: string;
  privateNetworks: boolean;
  /** The wall clock, for signatures and for the log, which shows when a delivery was queued. */
  now: () => Date;
  /** A clock without jumps, for claims and retries. */
  steadyNow: () => Date;
  /** Failures count towards disabling a webhook only while this is true. */
  isTimeTrusted: () => boolean;
  /** Time limit for one attempt, including the whole response. */
  attemptMilliseconds?: number;
  /** Replaces the HTTP request to receivers. */
  post?: typeof postOverHttp;
}

/** Sends deliveries to webhooks, at least once and in no particular order. */
export function createWebhookQueue(parts: WebhookQueueDependencies): TaskQueue<ClaimedDelivery> {
  const { webhooks, now, steadyNow } = parts;
  return {
    taskName: "webhook delivery",
    concurrencyMax: CONCURRENCY_MAX,
    graceMilliseconds: 3000,
    async prepare() {
      await queueDeliveries(webhooks, later(now(), steadyNow()));
    },
    async claim(limit) {
      const at = steadyNow();
      if (!(await webhooks.isDue(at))) return [];
      const until = new Date(at.getTime() + CLAIM_MILLISECONDS);
      const perWebhook = CONCURRENCY_PER_WEBHOOK_MAX;
      return await webhooks.write((transaction) =>
        transaction.claim(at, { until, limit, perWebhook }),
      );
    },
    async run(claimed, stopping) {
      const outcome = await attempt(claimed, parts, stopping);
      if (stopping.aborted) return;
      await storeAttemptOutcome(webhooks, claimed, outcome, Math.random());
    },
  };
}

/** The later of two times. A delivery dated only by a slow wall clock would be pruned too early. */
function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

async function attempt(
  { delivery, webhook, secrets }: ClaimedDelivery,
  parts: WebhookQueueDependencies,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { webhooks, origin, version, privateNetworks, attemptMilliseconds } = parts;
  const { post = postOverHttp } = parts;
  const body = await createDeliveryPayload(webhooks, delivery, origin);
  const start = { at: parts.steadyNow(), isTimeTrusted: parts.isTimeTrusted() };
  const at = parts.now();
  const startedAt = performance.now();
  const timing = () => ({ ...start, milliseconds: Math.round(performance.now() - startedAt) });
  try {
    const { status, retryAfter } = await post({
      url: webhook.url,
      body,
      headers: {
        "Content-Type": "application/json",
        "Content-Length": String(Buffer.byteLength(body)),
        "User-Agent": `Commonplace/${version} (+${origin})`,
        "webhook-id": delivery.messageId,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
        "webhook-signature": await signatures(secrets, delivery.messageId, { at, body }),
      },
      privateNetworks,
      milliseconds: attemptMilliseconds ?? ATTEMPT_MILLISECONDS,
      signal,
    });
    return { ...timing(), status, error: null, retryAfter: parseRetryAfter(retryAfter, at) };
  } catch (error) {
    if (!(error instanceof PostError)) throw error;
    return { ...timing(), status: null, error: error.message, retryAfter: null };
  }
}

/** Two signatures while the previous secret is valid, otherwise one. */
async function signatures(
  { secret, former }: WebhookSecrets,
  messageId: string,
  { at, body }: { at: Date; body: string },
): Promise<string> {
  const { Webhook: Signer } = await import("standardwebhooks");
  const valid =
    former !== null && at.toISOString() < former.until ? [secret, former.secret] : [secret];
  return valid.map((key) => new Signer(key).sign(messageId, at, body)).join(" ");
}
