/** Wakes a waiting loop. Remembers a notification that arrives while nothing waits. */
export class WakeSignal {
  #isNotified = false;
  #wake = () => {};

  notify(): void {
    this.#isNotified = true;
    this.#wake();
  }

  /** Resolves on a notification, or after a timeout. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#isNotified) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, milliseconds);
      await promise;
      clearTimeout(timer);
    }
    this.#isNotified = false;
  }
}
