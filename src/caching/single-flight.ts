/** Shares one computation among all callers that ask for the same key while it runs. */
export class SingleFlight<Value> {
  readonly #running = new Map<string, Promise<Value>>();

  /**
   * Joins the running computation for that key, or starts one. A failure reaches every caller that
   * joined.
   */
  run(key: string, compute: () => Promise<Value>): Promise<Value> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const started = compute().finally(() => this.#running.delete(key));
    this.#running.set(key, started);
    return started;
  }
}
