import { AppError, englishOnlyWording } from "../errors.ts";
import { FairQueue } from "./fair-queue.ts";

const RUNNING_MAX = 64;
const WAIT_MILLISECONDS_MAX = 500;
const WAITING_MIN = 8;
const WAITING_MAX = 500;
/** Weight of the latest interval in the average interval. An interval is the time between two completions. */
const LATEST_WEIGHT = 0.1;
const RETRY_SECONDS = 1;

interface WaitingWork {
  /** Starts the work. Returns false if it was already refused. */
  begin(): boolean;
  refuse(): void;
}

/**
 * Limits concurrent work. Work beyond the limit waits in a queue that is fair between clients, or is refused
 * at once if it would wait too long.
 */
export class ConcurrencyLimiter {
  readonly #queue = new FairQueue<WaitingWork>();
  /** Plural noun for the limited work, used in messages: "changes". */
  readonly #name: string;
  #running = 0;
  /** Average time between two completions while work waits. */
  #intervalMilliseconds = 0;
  #lastEnd = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** @throws {AppError} `unavailable` when too much work waits. Also throws what `work` throws. */
  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    if (this.#running < RUNNING_MAX) this.#running += 1;
    else await this.#turn(client);
    try {
      return await work();
    } finally {
      this.#end();
    }
  }

  #turn(client: string): Promise<void> {
    return new Promise((resolve, reject) => {
      let isRefused = false;
      const refuse = () => {
        isRefused = true;
        clearTimeout(refusalTimer);
        reject(this.#refusal());
      };
      const refusalTimer = setTimeout(refuse, WAIT_MILLISECONDS_MAX);
      const begin = () => {
        clearTimeout(refusalTimer);
        if (!isRefused) resolve();
        return !isRefused;
      };
      if (this.#queue.size === 0) this.#lastEnd = performance.now();
      this.#queue.push(client, { begin, refuse });
      if (this.#queue.size > this.#waitingMax()) this.#queue.dropFromLongest()?.refuse();
    });
  }

  #waitingMax(): number {
    const startsWithinWait = WAIT_MILLISECONDS_MAX / Math.max(this.#intervalMilliseconds, 1);
    return Math.min(Math.max(startsWithinWait, WAITING_MIN), WAITING_MAX);
  }

  #end(): void {
    if (this.#queue.size > 0) this.#measure();
    let next = this.#queue.shift();
    while (next !== undefined && !next.begin()) next = this.#queue.shift();
    if (next === undefined) this.#running -= 1;
  }

  #measure(): void {
    const now = performance.now();
    this.#intervalMilliseconds +=
      (now - this.#lastEnd - this.#intervalMilliseconds) * LATEST_WEIGHT;
    this.#lastEnd = now;
  }

  #refusal(): AppError {
    const message = `More ${this.#name} are asked for than can be made: repeat this one a little later`;
    return new AppError("unavailable", englishOnlyWording(message), {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
}
