const LINKS_MAX = 5000;

/** Links as they are written: pages lead to the same few authors, works and topics again and again. */
export class LinkCache {
  readonly #written = new Map<string, string>();

  /** `key` holds all that `write` goes by. */
  written(key: string, write: () => string): string {
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    if (this.#written.size >= LINKS_MAX) this.#written.clear();
    const written = write();
    this.#written.set(key, written);
    return written;
  }
}
