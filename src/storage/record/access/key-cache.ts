import type { KeyWithHash } from "../../../access/keys/keys.ts";
import { AppError, englishOnlyWording, isTransientError } from "../../../errors.ts";
import { withTimeout } from "../../../work/with-timeout.ts";

/** Limit on cached keys, which take up to about 10 MB. */
const CACHED_KEYS_MAX = 10_000;
const UNKNOWN_HASHES_MAX = 10_000;
const HASHES_PER_QUERY_MAX = 200;
/** How long cached keys stay valid while the store is unreachable. */
const TRUSTED_MILLISECONDS = 5 * 60_000;
/** How often the cache checks for changed keys, in case a change notification was lost. */
const CONFIRM_INTERVAL_MILLISECONDS = 3000;
const ANSWER_MILLISECONDS_MAX = 1000;
/** After a query without an answer, further queries fail immediately for this long. */
const BACKOFF_MILLISECONDS = 1000;
const RETRY_SECONDS = 5;

export interface KeySource {
  /**
   * Returns a number that increases with every change to a key, except a change of its last use.
   */
  keysVersion(): Promise<number>;
  /** Omits unknown hashes. */
  byHashes(hashes: readonly string[]): Promise<KeyWithHash[]>;
}

export interface KeyCacheOptions {
  source: KeySource;
  /** Returns a number that changes whenever any process may have changed the store. */
  version: () => number;
  /** Returns monotonic milliseconds. */
  clock?: () => number;
}

interface Pending {
  promise: Promise<KeyWithHash | null>;
  resolve: (key: KeyWithHash | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Caches keys by hash until any key changes, so that a request costs no query. Cached keys stay
 * valid for five minutes while the store is unreachable. Hashes that are not cached are looked up
 * in batches, one query at a time. Hashes without a key are cached too.
 */
export class KeyCache {
  readonly #source: KeySource;
  readonly #version: () => number;
  readonly #clock: () => number;
  readonly #known = new Map<string, KeyWithHash>();
  /** Keys cached before the last change to any key. Used only while the store is unreachable. */
  readonly #former = new Map<string, { key: KeyWithHash; confirmedAt: number }>();
  readonly #unknown = new Set<string>();
  readonly #pending = new Map<string, Pending>();
  #isLookingUp = false;
  #confirming: { version: number; done: Promise<void> } | null = null;
  #storeVersion = -1;
  #keysVersion = -1;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  /** Whether the last query got no answer; cached keys are then used without waiting. */
  #isUnreachable = false;
  #backoffUntil = Number.NEGATIVE_INFINITY;

  constructor({ source, version, clock = () => performance.now() }: KeyCacheOptions) {
    this.#source = source;
    this.#version = version;
    this.#clock = clock;
  }

  /** @throws {AppError} `unavailable` when the store is unreachable and the key is not cached. */
  async find(hash: string): Promise<KeyWithHash | null> {
    const version = this.#version();
    const isNewVersion = version !== this.#storeVersion;
    if ((isNewVersion && !this.#isUnreachable) || this.#confirmedSince() > TRUSTED_MILLISECONDS) {
      await this.#requireTrust(version);
    } else if (isNewVersion || this.#confirmedSince() > CONFIRM_INTERVAL_MILLISECONDS) {
      this.#confirm(version).catch(() => {});
    }
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    return this.#unknown.has(hash) ? null : await this.#lookUpOrTrust(hash);
  }

  #confirmedSince(): number {
    return this.#clock() - this.#confirmedAt;
  }

  async #requireTrust(version: number): Promise<void> {
    try {
      await this.#confirm(version);
    } catch (error) {
      if (!isTransientError(error)) throw error;
      if (this.#confirmedSince() > TRUSTED_MILLISECONDS) throw cannotCheck(error);
    }
  }

  /**
   * Checks whether keys have changed. Concurrent calls share a check, but a call for a newer version
   * waits for the next check.
   */
  async #confirm(version: number): Promise<void> {
    const inFlight = this.#confirming;
    if (inFlight !== null) {
      await inFlight.done.catch(() => {});
      if (inFlight.version === version) return await inFlight.done;
    }
    this.#confirming ??= this.#startConfirming(this.#version());
    await this.#confirming.done;
  }

  #startConfirming(version: number): { version: number; done: Promise<void> } {
    const confirm = async () => {
      const keysVersion = await this.#query(() => this.#source.keysVersion());
      if (keysVersion !== this.#keysVersion) this.#expireAll();
      this.#keysVersion = keysVersion;
      this.#storeVersion = version;
      this.#confirmedAt = this.#clock();
      this.#isUnreachable = false;
    };
    const done = confirm().finally(() => {
      this.#confirming = null;
    });
    return { version, done };
  }

  #expireAll(): void {
    const confirmedAt = this.#confirmedAt;
    for (const [hash, key] of this.#known) this.#former.set(hash, { key, confirmedAt });
    evictOldest(this.#former, CACHED_KEYS_MAX);
    this.#known.clear();
    this.#unknown.clear();
  }

  async #lookUpOrTrust(hash: string): Promise<KeyWithHash | null> {
    if (this.#isUnreachable) {
      const former = this.#trusted(hash);
      if (former !== null) return former;
    }
    try {
      return await this.#lookUp(hash);
    } catch (error) {
      const former = isTransientError(error) ? this.#trusted(hash) : null;
      if (former === null) throw error;
      return former;
    }
  }

  /**
   * The key as it was before the last change to any key. Null if the key was not cached at that time,
   * or if it was last confirmed too long ago.
   */
  #trusted(hash: string): KeyWithHash | null {
    const former = this.#former.get(hash);
    if (former === undefined) return null;
    return this.#clock() - former.confirmedAt > TRUSTED_MILLISECONDS ? null : former.key;
  }

  #lookUp(hash: string): Promise<KeyWithHash | null> {
    const inFlight = this.#pending.get(hash);
    if (inFlight !== undefined) return inFlight.promise;
    const pending = Promise.withResolvers<KeyWithHash | null>();
    this.#pending.set(hash, pending);
    if (!this.#isLookingUp) void this.#lookUpPending();
    return pending.promise;
  }

  async #lookUpPending(): Promise<void> {
    this.#isLookingUp = true;
    while (this.#pending.size > 0) {
      const batch = [...this.#pending].slice(0, HASHES_PER_QUERY_MAX);
      try {
        const keys = await this.#load(batch.map(([hash]) => hash));
        for (const [hash, { resolve }] of batch) resolve(keys.get(hash) ?? null);
      } catch (error) {
        const fault = isTransientError(error) ? cannotCheck(error) : error;
        for (const [, { reject }] of batch) reject(fault);
      }
      for (const [hash] of batch) this.#pending.delete(hash);
    }
    this.#isLookingUp = false;
  }

  async #load(hashes: readonly string[]): Promise<ReadonlyMap<string, KeyWithHash>> {
    const keysVersion = this.#keysVersion;
    const found = await this.#query(() => this.#source.byHashes(hashes));
    const keys = new Map(found.map((key) => [key.hash, key]));
    if (keysVersion === this.#keysVersion) this.#remember(hashes, keys);
    return keys;
  }

  #remember(hashes: readonly string[], keys: ReadonlyMap<string, KeyWithHash>): void {
    for (const hash of hashes) {
      const key = keys.get(hash);
      this.#former.delete(hash);
      if (key === undefined) this.#unknown.add(hash);
      else this.#known.set(hash, key);
    }
    evictOldest(this.#known, CACHED_KEYS_MAX);
    evictOldest(this.#unknown, UNKNOWN_HASHES_MAX);
  }

  async #query<T>(question: () => Promise<T>): Promise<T> {
    if (this.#clock() < this.#backoffUntil) throw cannotCheck(null);
    try {
      return await withTimeout(question(), {
        milliseconds: ANSWER_MILLISECONDS_MAX,
        timeoutError: () => cannotCheck(null),
      });
    } catch (error) {
      if (isTransientError(error)) {
        this.#isUnreachable = true;
        this.#backoffUntil = this.#clock() + BACKOFF_MILLISECONDS;
      }
      throw error;
    }
  }
}

function cannotCheck(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    englishOnlyWording(
      `Keys cannot be checked for the moment, as the database is away; try again in ${RETRY_SECONDS} seconds`,
    ),
    { retryAfterSeconds: RETRY_SECONDS, cause },
  );
}

function evictOldest<T>(
  cache: { size: number; keys(): Iterable<T>; delete(key: T): boolean },
  sizeMax: number,
): void {
  for (const key of cache.keys()) {
    if (cache.size <= sizeMax) return;
    cache.delete(key);
  }
}
