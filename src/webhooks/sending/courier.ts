import { isPassing } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { type Outcome, readRetryAfter } from "../attempts.ts";
import { forgetDeliveries, messageOf, queueNews, settleAttempt } from "../queue.ts";
import type { ClaimedDelivery, WebhookSecrets, WebhookStore } from "../webhook.ts";
import { PostFault, post } from "./post.ts";

const AT_ONCE = 16;
const AT_ONCE_PER_WEBHOOK = 4;
const ATTEMPT_MILLISECONDS = 10_000;
/** Longer than an attempt can take: whoever claimed a delivery and died gives it free after this. */
const CLAIM_MILLISECONDS = 60_000;
const FORGET_EVERY_MILLISECONDS = 60 * 60 * 1000;
/** How long attempts under way may go on when the program ends. */
const STOP_MILLISECONDS = 3000;

export interface CourierParts {
  webhooks: WebhookStore;
  origin: string;
  version: string;
  privateNetworks: boolean;
  now: () => Date;
  log: Log;
  /** How long a receiver may take. */
  attemptMilliseconds?: number;
}

/**
 * Brings deliveries to webhooks, several at a time, any number of processes beside each other. What
 * is under way when the process dies is sent again: a receiver may get a message twice, but none is
 * lost. Messages may overtake each other.
 */
export class Courier {
  readonly #parts: CourierParts;
  readonly #underWay = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  #isStopping = false;
  #forgotAt = 0;

  constructor(parts: CourierParts) {
    this.#parts = parts;
  }

  /** Queues what is new and starts what is due; waits for no receiver. */
  async work(): Promise<void> {
    const { webhooks, now } = this.#parts;
    await queueNews(webhooks, now());
    await this.#start();
    if (now().getTime() - this.#forgotAt < FORGET_EVERY_MILLISECONDS) return;
    this.#forgotAt = now().getTime();
    await forgetDeliveries(webhooks, now());
  }

  /** Waits until nothing is under way any more. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Starts nothing more and ends what is under way; an attempt that was cut off is made again. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const late = setTimeout(() => this.#ending.abort(), STOP_MILLISECONDS);
    await this.settled();
    clearTimeout(late);
  }

  async #start(): Promise<void> {
    const { webhooks, now } = this.#parts;
    const free = AT_ONCE - this.#underWay.size;
    if (this.#isStopping || free <= 0 || !(await webhooks.isDue(now()))) return;
    const at = now();
    const claimed = await webhooks.write((transaction) =>
      transaction.claim(at, {
        until: new Date(at.getTime() + CLAIM_MILLISECONDS),
        limit: free,
        perWebhook: AT_ONCE_PER_WEBHOOK,
      }),
    );
    for (const delivery of claimed) this.#follow(this.#deliver(delivery));
  }

  #follow(delivering: Promise<void>): void {
    const ended = delivering
      .catch((error: unknown) => {
        // The clock tells of a record that is away; the delivery is claimed again in a minute.
        if (!isPassing(error)) this.#parts.log.error({ err: error }, "A webhook failed");
      })
      .finally(() => this.#underWay.delete(ended));
    this.#underWay.add(ended);
  }

  async #deliver(claimed: ClaimedDelivery): Promise<void> {
    const outcome = await this.#attempt(claimed);
    if (this.#ending.signal.aborted) return;
    await settleAttempt(this.#parts.webhooks, claimed, outcome, Math.random());
    await this.#start();
  }

  async #attempt({ delivery, webhook, secrets }: ClaimedDelivery): Promise<Outcome> {
    const { webhooks, origin, version, privateNetworks, now, attemptMilliseconds } = this.#parts;
    const body = await messageOf(webhooks, delivery, origin);
    const at = now();
    const started = performance.now();
    const took = () => ({ at, milliseconds: Math.round(performance.now() - started) });
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
        signal: this.#ending.signal,
      });
      return { ...took(), status, error: null, retryAfter: readRetryAfter(retryAfter, at) };
    } catch (error) {
      if (!(error instanceof PostFault)) throw error;
      return { ...took(), status: null, error: error.message, retryAfter: null };
    }
  }
}

/** One signature, or two while a former secret still counts. */
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
