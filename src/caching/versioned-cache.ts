/**
 * LRU cache bounded by total size. Evicts the less recently used half at once, because deleting the
 * oldest keys of a Map one by one is slow.
 */
export class LruCache<Value> {
  readonly #halfSize: number;
  #recent = new Map<string, { value: Value; size: number }>();
  #former = new Map<string, { value: Value; size: number }>();
  #recentSize = 0;

  constructor(sizeMax: number) {
    this.#halfSize = sizeMax / 2;
  }

  get(key: string): Value | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent.value;
    const former = this.#former.get(key);
    if (former === undefined) return undefined;
    this.#former.delete(key);
    this.set(key, former.value, former.size);
    return former.value;
  }

  /** Ignores a value larger than half the cache, because it would displace all others. */
  set(key: string, value: Value, size: number): void {
    if (size > this.#halfSize) return;
    this.#recentSize += size - (this.#recent.get(key)?.size ?? 0);
    if (this.#recentSize > this.#halfSize) {
      this.#former = this.#recent;
      this.#recent = new Map();
      this.#recentSize = size;
    }
    this.#recent.set(key, { value, size });
  }

  clear(): void {
    this.#recent.clear();
    this.#former.clear();
    this.#recentSize = 0;
  }
}

/** An {@link LruCache} that is emptied when the version changes. */
export class VersionedCache<Value> {
  readonly #version: () => number;
  readonly #values: LruCache<Value>;
  #cachedVersion = -1;

  /** `version` returns the current version; it is called on every access. */
  constructor(sizeMax: number, version: () => number) {
    this.#values = new LruCache(sizeMax);
    this.#version = version;
  }

  get(key: string): Value | undefined {
    this.#forgetOutdated();
    return this.#values.get(key);
  }

  /**
   * `version`: the version that the value was computed from. Ignores the value if that version is outdated.
   */
  set(key: string, value: Value, { size, version }: { size: number; version: number }): void {
    this.#forgetOutdated();
    if (version === this.#cachedVersion) this.#values.set(key, value, size);
  }

  clear(): void {
    this.#values.clear();
  }

  #forgetOutdated(): void {
    const version = this.#version();
    if (version === this.#cachedVersion) return;
    this.#values.clear();
    this.#cachedVersion = version;
  }
}
