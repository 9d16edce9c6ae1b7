/** Runs a limited number of tasks at once. The others wait for their turn. */
export class Turns {
  readonly #atOnce: number;
  readonly #running = new Set<Promise<void>>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Call it once there is a turn. If a task fails, the next call of any other method fails. */
  take(task: () => Promise<void>): void {
    const running: Promise<void> = task().finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when there is a turn. */
  async free(): Promise<void> {
    while (this.#running.size >= this.#atOnce) await Promise.race(this.#running);
  }

  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}
