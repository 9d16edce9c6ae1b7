/** Runs a few tasks at once; the others wait for their turn. */
export class Turns {
  readonly #atOnce: number;
  readonly #running = new Set<Promise<void>>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** To be called once there is a turn. A task that fails has the next call of any other method fail. */
  take(task: () => Promise<void>): void {
    const running: Promise<void> = task().finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when there is a turn to take. */
  async free(): Promise<void> {
    while (this.#running.size >= this.#atOnce) await Promise.race(this.#running);
  }

  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}
