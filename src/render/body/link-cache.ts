const LINKS_MAX = 5000;

/** Caches rendered links: most pages link to the same few authors, works and topics. */
export class LinkCache {
  readonly #written = new Map<string, string>();

  /** `key` must contain everything `write` depends on. */
  written(key: string, write: () => string): string {
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    if (this.#written.size >= LINKS_MAX) this.#written.clear();
    const written = write();
    this.#written.set(key, written);
    return written;
  }
}
