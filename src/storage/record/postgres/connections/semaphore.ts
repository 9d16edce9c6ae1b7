import { queueTimeoutError } from "../../group-commit.ts";

/** A counting semaphore. Waiters are served in order. */
export class Semaphore {
  readonly max: number;
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(max: number) {
    this.max = max;
    this.#free = max;
  }

  /** @throws {AppError} `unavailable` if no permit is free within `milliseconds`. */
  async take(milliseconds: number): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#waiting.delete(resolve);
      reject(queueTimeoutError());
    }, milliseconds);
    this.#waiting.add(resolve);
    await promise;
    clearTimeout(timer);
  }

  give(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
