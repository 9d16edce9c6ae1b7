/** Wakes a waiting loop. Remembers a notification that arrives while nothing waits. */
export class News {
  #hasCome = false;
  #wake = () => {};

  come(): void {
    this.#hasCome = true;
    this.#wake();
  }

  /** Resolves on a notification, or after a timeout. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#hasCome) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, milliseconds);
      await promise;
      clearTimeout(timer);
    }
    this.#hasCome = false;
  }
}
