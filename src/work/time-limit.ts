/**
 * A signal that aborts after a time, or with another signal. Dispose of it when the request has ended, so
 * that the request's memory is freed. `AbortSignal.timeout` and `AbortSignal.any` would keep every request
 * in memory until the time runs out.
 */
export class TimeLimit implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #stopping: AbortSignal | undefined;
  #isOver = false;

  constructor(milliseconds: number, stopping?: AbortSignal) {
    this.#stopping = stopping;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#abort();
    }, milliseconds);
    stopping?.addEventListener("abort", this.#abort);
    if (stopping?.aborted) this.#abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time ran out before the limit was disposed of. False if the given signal aborted first. */
  get isOver(): boolean {
    return this.#isOver;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#stopping?.removeEventListener("abort", this.#abort);
  }

  readonly #abort = () => this.#controller.abort(this.#stopping?.reason);
}
