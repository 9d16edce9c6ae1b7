/** Wakes the one who waits for news, also when some came while nobody waited. */
export class News {
  #hasCome = false;
  #wake = () => {};

  come(): void {
    this.#hasCome = true;
    this.#wake();
  }

  /** Resolves at news, or after a while without. */
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
