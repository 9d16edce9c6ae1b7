import { setTimeout as wait } from "node:timers/promises";
import { type Asked, percentile } from "../scale/asking.ts";
import { RawClient } from "./raw-client.ts";

/** Interval at which due requests are sent. */
const TICK_MS = 5;
const RUNNING_MAX = 500;

/** The answers to one kind of request. */
export class Answers {
  readonly milliseconds: number[] = [];
  /** The requests that were answered, in that order. */
  readonly answeredRequests: Asked[] = [];
  readonly refusedMilliseconds: number[] = [];
  readonly failures: string[] = [];

  noteAnswered(request: Asked, milliseconds: number): void {
    this.answeredRequests.push(request);
    this.milliseconds.push(milliseconds);
  }

  get answered(): number {
    return this.milliseconds.length;
  }

  get asked(): number {
    return this.answered + this.refusedMilliseconds.length + this.failures.length;
  }

  /** The percentile of the times, in milliseconds. */
  within(percent: number): number {
    return percentile(this.milliseconds, percent);
  }

  toString(): string {
    const [p50, p99] = [this.within(50), this.within(99)].map((each) => each.toFixed(0));
    const refused = this.refusedMilliseconds;
    const refusals =
      refused.length === 0
        ? ""
        : `, ${refused.length} refused (p99 ${percentile(refused, 99).toFixed(0)} ms)`;
    const failures = this.failures.length === 0 ? "" : `, ${this.failures.length} failed`;
    return `${this.answered} answered (p50 ${p50} ms, p99 ${p99} ms)${refusals}${failures}`;
  }
}

/** A client that sends requests from an address of this machine. */
export class Client implements Disposable {
  readonly #raw: RawClient;
  readonly #headers: Readonly<Record<string, string>>;
  #running = 0;

  /** `forwarded`: all requests come from one address, and state the client's address as a proxy does. */
  constructor(origin: string, address: string, { forwarded }: { forwarded: boolean }) {
    this.#raw = new RawClient(origin, forwarded ? "127.0.0.1" : address);
    this.#headers = forwarded ? { "x-forwarded-for": address } : {};
  }

  async send(asked: Asked, answers: Answers): Promise<void> {
    if (this.#running >= RUNNING_MAX) {
      answers.failures.push("More requests are unanswered than a client keeps open");
      return;
    }
    this.#running += 1;
    const headers = { ...this.#headers, ...asked.headers };
    try {
      const { status, milliseconds } = await this.#raw.send({ ...asked, headers });
      if (status === 200) answers.noteAnswered(asked, milliseconds);
      else if (status === 503) answers.refusedMilliseconds.push(milliseconds);
      else answers.failures.push(`${asked.path}: ${status}`);
    } catch (error) {
      answers.failures.push(`${asked.path}: ${error}`);
    }
    this.#running -= 1;
  }

  [Symbol.dispose](): void {
    this.#raw[Symbol.dispose]();
  }
}

/**
 * Sends at a rate per second, whether or not earlier requests are answered. Resolves when all are answered.
 */
export async function sendAtRate(
  rate: number,
  seconds: number,
  sendOne: () => Promise<void>,
): Promise<void> {
  const begun = performance.now();
  const sent: Promise<void>[] = [];
  while (sent.length < rate * seconds) {
    const due = ((performance.now() - begun) / 1000) * rate;
    while (sent.length < Math.min(due, rate * seconds)) {
      sent.push(sendOne());
    }
    await wait(TICK_MS);
  }
  await Promise.all(sent);
}

/** Sends on several lanes, one request after the other on each. @returns requests per second. */
export async function sendWithoutPause(
  lanes: number,
  seconds: number,
  sendOne: () => Promise<void>,
): Promise<number> {
  const begun = performance.now();
  let sent = 0;
  const lane = async () => {
    while (performance.now() - begun < seconds * 1000) {
      await sendOne();
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return sent / ((performance.now() - begun) / 1000);
}

/** Sends each request once on several lanes, one after the other on each. */
export async function sendAll(
  lanes: number,
  requests: readonly Asked[],
  sendOne: (request: Asked) => Promise<void>,
): Promise<void> {
  const left = requests.values();
  const lane = async () => {
    for (const request of left) await sendOne(request);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
