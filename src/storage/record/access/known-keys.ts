import type { ProvableKey } from "../../../access/keys/keys.ts";
import { AppError, isTransient } from "../../../errors.ts";
import { inTime } from "../../../work/with-timeout.ts";

/** Some 10 MB of them. */
const KNOWN_KEYS_MAX = 10_000;
const UNKNOWN_HASHES_MAX = 10_000;
const HASHES_PER_QUERY_MAX = 200;
/** How long what is known holds without a word from the store. */
const TRUSTED_MILLISECONDS = 5 * 60_000;
/** News may have been lost on the way. */
const CONFIRMED_EVERY_MILLISECONDS = 3000;
const ANSWER_MILLISECONDS_MAX = 1000;
/** Nobody asks a store again that did not answer a moment ago. */
const REST_MILLISECONDS = 1000;
const RETRY_SECONDS = 5;

export interface KeySource {
  /** Rises with every change of a key but its use. */
  keysVersion(): Promise<number>;
  /** Those that there are. */
  byHashes(hashes: readonly string[]): Promise<ProvableKey[]>;
}

export interface KnownKeysOptions {
  source: KeySource;
  /** Changes whenever anything in the store may have changed, also by another process. */
  version: () => number;
  /** Milliseconds that only grow. */
  clock?: () => number;
}

interface Asked {
  promise: Promise<ProvableKey | null>;
  resolve: (key: ProvableKey | null) => void;
  reject: (error: unknown) => void;
}

/**
 * Keys by their hash, remembered until any key changes, so that a request costs no query. While the
 * store is away what is known goes on for five minutes. Strangers do not cost a query each: one at a time
 * asks for all hashes that came meanwhile, and those that nothing has are remembered, too.
 */
export class KnownKeys {
  readonly #source: KeySource;
  readonly #version: () => number;
  readonly #clock: () => number;
  readonly #known = new Map<string, ProvableKey>();
  /** Those known before some key changed, which may be this one, and when they were last confirmed. */
  readonly #former = new Map<string, { key: ProvableKey; confirmedAt: number }>();
  readonly #unknown = new Set<string>();
  readonly #asked = new Map<string, Asked>();
  #isLookingUp = false;
  #confirming: { version: number; done: Promise<void> } | null = null;
  #storeVersion = -1;
  #keysVersion = -1;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  /** It did not answer when it was last asked; then nobody waits for what they may know as well. */
  #isAway = false;
  #restsUntil = Number.NEGATIVE_INFINITY;

  constructor({ source, version, clock = () => performance.now() }: KnownKeysOptions) {
    this.#source = source;
    this.#version = version;
    this.#clock = clock;
  }

  /** @throws {AppError} `unavailable` when the store is away and the key is not, or no longer, known. */
  async find(hash: string): Promise<ProvableKey | null> {
    const version = this.#version();
    const isNewVersion = version !== this.#storeVersion;
    if ((isNewVersion && !this.#isAway) || this.#confirmedSince() > TRUSTED_MILLISECONDS) {
      await this.#requireTrust(version);
    } else if (isNewVersion || this.#confirmedSince() > CONFIRMED_EVERY_MILLISECONDS) {
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
      if (!isTransient(error)) throw error;
      if (this.#confirmedSince() > TRUSTED_MILLISECONDS) throw cannotCheck(error);
    }
  }

  /** One at a time; whoever comes while one is under way for an earlier version waits for the next. */
  async #confirm(version: number): Promise<void> {
    const underWay = this.#confirming;
    if (underWay !== null) {
      await underWay.done.catch(() => {});
      if (underWay.version === version) return await underWay.done;
    }
    this.#confirming ??= this.#startConfirming(this.#version());
    await this.#confirming.done;
  }

  #startConfirming(version: number): { version: number; done: Promise<void> } {
    const confirm = async () => {
      const keysVersion = await this.#ask(() => this.#source.keysVersion());
      if (keysVersion !== this.#keysVersion) this.#setAside();
      this.#keysVersion = keysVersion;
      this.#storeVersion = version;
      this.#confirmedAt = this.#clock();
      this.#isAway = false;
    };
    const done = confirm().finally(() => {
      this.#confirming = null;
    });
    return { version, done };
  }

  #setAside(): void {
    const confirmedAt = this.#confirmedAt;
    for (const [hash, key] of this.#known) this.#former.set(hash, { key, confirmedAt });
    dropOldest(this.#former, KNOWN_KEYS_MAX);
    this.#known.clear();
    this.#unknown.clear();
  }

  async #lookUpOrTrust(hash: string): Promise<ProvableKey | null> {
    if (this.#isAway) {
      const former = this.#trusted(hash);
      if (former !== null) return former;
    }
    try {
      return await this.#lookUp(hash);
    } catch (error) {
      const former = isTransient(error) ? this.#trusted(hash) : null;
      if (former === null) throw error;
      return former;
    }
  }

  /** As it was before the last change of any key. */
  #trusted(hash: string): ProvableKey | null {
    const former = this.#former.get(hash);
    if (former === undefined) return null;
    return this.#clock() - former.confirmedAt > TRUSTED_MILLISECONDS ? null : former.key;
  }

  #lookUp(hash: string): Promise<ProvableKey | null> {
    const already = this.#asked.get(hash);
    if (already !== undefined) return already.promise;
    const asked = Promise.withResolvers<ProvableKey | null>();
    this.#asked.set(hash, asked);
    if (!this.#isLookingUp) void this.#lookUpAsked();
    return asked.promise;
  }

  async #lookUpAsked(): Promise<void> {
    this.#isLookingUp = true;
    while (this.#asked.size > 0) {
      const batch = [...this.#asked].slice(0, HASHES_PER_QUERY_MAX);
      try {
        const keys = await this.#load(batch.map(([hash]) => hash));
        for (const [hash, { resolve }] of batch) resolve(keys.get(hash) ?? null);
      } catch (error) {
        const told = isTransient(error) ? cannotCheck(error) : error;
        for (const [, { reject }] of batch) reject(told);
      }
      for (const [hash] of batch) this.#asked.delete(hash);
    }
    this.#isLookingUp = false;
  }

  async #load(hashes: readonly string[]): Promise<ReadonlyMap<string, ProvableKey>> {
    const keysVersion = this.#keysVersion;
    const found = await this.#ask(() => this.#source.byHashes(hashes));
    const keys = new Map(found.map((key) => [key.hash, key]));
    if (keysVersion === this.#keysVersion) this.#remember(hashes, keys);
    return keys;
  }

  #remember(hashes: readonly string[], keys: ReadonlyMap<string, ProvableKey>): void {
    for (const hash of hashes) {
      const key = keys.get(hash);
      this.#former.delete(hash);
      if (key === undefined) this.#unknown.add(hash);
      else this.#known.set(hash, key);
    }
    dropOldest(this.#known, KNOWN_KEYS_MAX);
    dropOldest(this.#unknown, UNKNOWN_HASHES_MAX);
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    if (this.#clock() < this.#restsUntil) throw cannotCheck(null);
    try {
      return await inTime(question(), {
        milliseconds: ANSWER_MILLISECONDS_MAX,
        late: () => cannotCheck(null),
      });
    } catch (error) {
      if (isTransient(error)) {
        this.#isAway = true;
        this.#restsUntil = this.#clock() + REST_MILLISECONDS;
      }
      throw error;
    }
  }
}

function cannotCheck(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    `Keys cannot be checked for the moment, as the database is away; try again in ${RETRY_SECONDS} seconds`,
    { retryAfterSeconds: RETRY_SECONDS, cause },
  );
}

function dropOldest<T>(
  kept: { size: number; keys(): Iterable<T>; delete(key: T): boolean },
  sizeMax: number,
): void {
  for (const key of kept.keys()) {
    if (kept.size <= sizeMax) return;
    kept.delete(key);
  }
}
