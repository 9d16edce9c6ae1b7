const LINKS_MAX = 5000;

/** Caches rendered links: most pages link to the same few authors, works and topics. */
export class LinkCache {
  readonly #links = new Map<string, string>();

  /** Returns the cached link, or calls `write`. `key` must contain everything that `write` depends on. */
  get(key: string, write: () => string): string {
    const known = this.#links.get(key);
    if (known !== undefined) return known;
    if (this.#links.size >= LINKS_MAX) this.#links.clear();
    const link = write();
    this.#links.set(key, link);
    return link;
  }
}
