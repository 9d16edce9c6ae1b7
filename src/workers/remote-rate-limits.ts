import type { Worker } from "node:cluster";
import type { RateLimitDecision, RateLimiter } from "../access/rate-limits.ts";

type Question = readonly [number: number, keyId: string, limitPerMinute: number];
type NumberedDecision = readonly [number: number, decision: RateLimitDecision];

/**
 * Rate limits of a worker. The worker asks the first process, which counts the requests of all workers,
 * so that limits stay exact. All questions of one event-loop turn are sent in one batch.
 */
export class RemoteRateLimits implements RateLimiter {
  readonly #channel: Worker;
  readonly #waiting = new Map<number, (decision: RateLimitDecision) => void>();
  #questions: Question[] = [];
  #lastNumber = 0;

  /** `channel`: the worker's connection to the first process. */
  constructor(channel: Worker) {
    this.#channel = channel;
    channel.on("message", (answers: readonly NumberedDecision[] | object) => {
      // Ignores the results of checks, which arrive on the same channel.
      if (!Array.isArray(answers)) return;
      for (const [number, decision] of answers) {
        this.#waiting.get(number)?.(decision);
        this.#waiting.delete(number);
      }
    });
  }

  take(keyId: string, limitPerMinute: number): Promise<RateLimitDecision> {
    if (this.#questions.length === 0) setImmediate(() => this.#ask());
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    this.#questions.push([number, keyId, limitPerMinute]);
    return new Promise((resolve) => this.#waiting.set(number, resolve));
  }

  #ask(): void {
    this.#channel.send(this.#questions);
    this.#questions = [];
  }
}

/** Answers a worker's questions. Runs in the first process, and uses the clock of this process. */
export function serveRateLimits(worker: Worker, rateLimits: RateLimiter, now: () => number): void {
  const answer = async (questions: readonly Question[]) => {
    const answers = await Promise.all(
      questions.map(
        async ([number, keyId, limit]): Promise<NumberedDecision> => [
          number,
          await rateLimits.take(keyId, limit, now()),
        ],
      ),
    );
    // The worker may have exited.
    if (worker.isConnected()) worker.send(answers, () => {});
  };
  worker.on("message", (message: readonly Question[] | object) => {
    // Ignores the counts that workers send on the same channel.
    if (Array.isArray(message)) void answer(message);
  });
}
