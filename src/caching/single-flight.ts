/** Shares one computation among all that ask for the same key while it runs. */
export class SingleFlight<Value> {
  readonly #running = new Map<string, Promise<Value>>();

  /** Joins the running computation of that key, or starts it. A failure reaches everyone who joined. */
  run(key: string, compute: () => Promise<Value>): Promise<Value> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const started = compute().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }
}
