export const RATE_WINDOW_SECONDS = 60;
const WINDOW_MILLISECONDS = RATE_WINDOW_SECONDS * 1000;
const RING_SIZE_MIN = 16;

/**
 * How many requests of one key were accepted between two saves. `until` is the time of the last of these
 * requests, in Unix milliseconds. After a restart, all of them count as made at `until`. A request may
 * therefore stay in the rate-limit window too long, but never too short.
 */
export interface AcceptedRequestCount {
  keyId: string;
  until: number;
  count: number;
}

export interface RateWindowStore {
  /** Requests accepted after a time in Unix milliseconds, oldest first. */
  load(since: number): Promise<AcceptedRequestCount[]>;
  /**
   * Adds counts of requests. Deletes stored counts whose `until` is `deleteUntil` or earlier. Also deletes
   * stored counts whose `until` is more than two windows after `deleteUntil`: the clock was wrong when these
   * counts were saved.
   */
  add(accepted: readonly AcceptedRequestCount[], deleteUntil: number): Promise<void>;
}

export type RateLimitDecision =
  | {
      accepted: true;
      /** Number of requests that the window still allows. */
      remaining: number;
      /** Seconds until at least one more request is available. */
      resetSeconds: number;
    }
  | { accepted: false; retryAfterSeconds: number };

/** Limits the requests of each key across all processes. */
export interface RateLimiter {
  /** Counts one request of the key, unless it exceeds the limit. */
  take(
    keyId: string,
    limitPerMinute: number,
    nowMilliseconds: number,
  ): RateLimitDecision | Promise<RateLimitDecision>;
}

/** Exact sliding window: a key never exceeds its limit in any 60 seconds. Refused requests do not count. */
export class SlidingWindowRateLimiter implements RateLimiter {
  readonly #windows = new Map<string, Window>();
  #unsaved = new Map<string, AcceptedRequestCount>();
  #prunedAt = 0;

  take(keyId: string, limitPerMinute: number, nowMilliseconds: number): RateLimitDecision {
    const decision = this.#windowOf(keyId).take(limitPerMinute, nowMilliseconds);
    if (decision.accepted) this.#note({ keyId, until: nowMilliseconds, count: 1 });
    return decision;
  }

  /** The refusal that the next request would get; null if the request would be accepted. */
  refusal(
    keyId: string,
    limitPerMinute: number,
    nowMilliseconds: number,
  ): RateLimitDecision | null {
    return this.#windows.get(keyId)?.refusal(limitPerMinute, nowMilliseconds) ?? null;
  }

  /** Counts a request that another process has accepted; that process also saves it. */
  countRemote(keyId: string, limitPerMinute: number, nowMilliseconds: number): void {
    this.#windowOf(keyId).countRemote(limitPerMinute, nowMilliseconds);
  }

  /**
   * Makes the next save write all requests accepted in the last minute, including requests that are already
   * saved.
   */
  markAllUnsaved(nowMilliseconds: number): void {
    this.#unsaved.clear();
    for (const [keyId, window] of this.#windows) {
      const { count, until } = window.current(nowMilliseconds);
      if (count > 0) this.#note({ keyId, until, count });
    }
  }

  /** Saves requests accepted since the last save, if any. */
  async save(store: Pick<RateWindowStore, "add">, nowMilliseconds: number): Promise<void> {
    this.#pruneIdle(nowMilliseconds);
    const unsaved = this.#unsaved;
    if (unsaved.size === 0) return;
    this.#unsaved = new Map();
    try {
      await store.add([...unsaved.values()], nowMilliseconds - WINDOW_MILLISECONDS);
    } catch (error) {
      for (const accepted of unsaved.values()) this.#note(accepted);
      throw error;
    }
  }

  /**
   * Loads the requests that the previous process saved. Leaves out requests that a wrong clock dated far in
   * the future.
   */
  async restore(store: RateWindowStore, nowMilliseconds: number): Promise<void> {
    for (const { keyId, until, count } of await store.load(nowMilliseconds - WINDOW_MILLISECONDS)) {
      if (until > nowMilliseconds + WINDOW_MILLISECONDS) continue;
      const window = this.#windowOf(keyId);
      for (let request = 0; request < count; request += 1)
        window.add(until, Number.POSITIVE_INFINITY);
    }
  }

  #windowOf(keyId: string): Window {
    const known = this.#windows.get(keyId);
    if (known !== undefined) return known;
    const window = new Window();
    this.#windows.set(keyId, window);
    return window;
  }

  #note({ keyId, until, count }: AcceptedRequestCount): void {
    const noted = this.#unsaved.get(keyId);
    if (noted === undefined) {
      this.#unsaved.set(keyId, { keyId, until, count });
    } else {
      noted.until = Math.max(noted.until, until);
      noted.count += count;
    }
  }

  #pruneIdle(nowMilliseconds: number): void {
    if (Math.abs(nowMilliseconds - this.#prunedAt) < WINDOW_MILLISECONDS) return;
    this.#prunedAt = nowMilliseconds;
    for (const [keyId, window] of this.#windows) {
      if (window.isIdle(nowMilliseconds)) this.#windows.delete(keyId);
    }
  }
}

/**
 * Ring buffer with the times of the latest accepted requests. Its size never exceeds the highest limit used
 * so far, because older requests never affect a decision.
 */
class Window {
  #ring = new Float64Array(0);
  #count = 0;
  #next = 0;

  take(limit: number, nowMilliseconds: number): RateLimitDecision {
    const refusal = this.refusal(limit, nowMilliseconds);
    if (refusal !== null) return refusal;
    this.add(nowMilliseconds, limit);
    const current = this.#countSince(nowMilliseconds - WINDOW_MILLISECONDS);
    return {
      accepted: true,
      remaining: Math.max(0, limit - current),
      resetSeconds: roundUpWaitSeconds(
        this.#latest(current) + WINDOW_MILLISECONDS - nowMilliseconds,
      ),
    };
  }

  refusal(limit: number, nowMilliseconds: number): RateLimitDecision | null {
    this.#allowForClockSetBack(nowMilliseconds);
    if (this.#count < limit) return null;
    const freeAt = this.#latest(limit) + WINDOW_MILLISECONDS;
    if (freeAt <= nowMilliseconds) return null;
    return { accepted: false, retryAfterSeconds: roundUpWaitSeconds(freeAt - nowMilliseconds) };
  }

  countRemote(limit: number, nowMilliseconds: number): void {
    this.#allowForClockSetBack(nowMilliseconds);
    this.add(nowMilliseconds, limit);
  }

  /**
   * How many requests were accepted in the last minute, and the time of the latest one (`until`).
   */
  current(nowMilliseconds: number): { count: number; until: number } {
    if (this.#count === 0) return { count: 0, until: 0 };
    return {
      count: this.#countSince(nowMilliseconds - WINDOW_MILLISECONDS),
      until: this.#latest(1),
    };
  }

  /**
   * Adds a request. A full ring grows if it has fewer than `sizeMax` places and its oldest request
   * is still in the window. A full ring that does not grow loses its oldest request.
   */
  add(at: number, sizeMax: number): void {
    const size = this.#ring.length;
    const isFull = this.#count === size && size < sizeMax;
    if (isFull && (size === 0 || this.#latest(size) > at - WINDOW_MILLISECONDS)) {
      this.#grow(Math.min(sizeMax, Math.max(RING_SIZE_MIN, size * 2)));
    }
    this.#ring[this.#next] = at;
    this.#next = (this.#next + 1) % this.#ring.length;
    this.#count = Math.min(this.#count + 1, this.#ring.length);
  }

  isIdle(nowMilliseconds: number): boolean {
    return this.#count === 0 || this.#latest(1) <= nowMilliseconds - WINDOW_MILLISECONDS;
  }

  /** The number of requests after a time, by binary search: the ring is in order of time. */
  #countSince(since: number): number {
    let within = 0;
    let beyond = this.#count + 1;
    while (beyond - within > 1) {
      const middle = Math.floor((within + beyond) / 2);
      if (this.#latest(middle) > since) within = middle;
      else beyond = middle;
    }
    return within;
  }

  /** The time of the n-th latest request, counted from 1. The ring must hold at least n requests. */
  #latest(n: number): number {
    const size = this.#ring.length;
    return this.#ring[(this.#next - n + size) % size] ?? 0;
  }

  #grow(size: number): void {
    const ring = new Float64Array(size);
    for (let n = 1; n <= this.#count; n += 1) ring[this.#count - n] = this.#latest(n);
    this.#ring = ring;
    this.#next = this.#count;
  }

  /** If the clock was set back, shifts the window back too, so that no wait exceeds a minute. */
  #allowForClockSetBack(nowMilliseconds: number): void {
    if (this.#count === 0) return;
    const ahead = this.#latest(1) - nowMilliseconds;
    if (ahead <= 0) return;
    this.#ring = this.#ring.map((at) => at - ahead);
  }
}

/** Rounds a wait up to whole seconds, at least 1, so that a client never retries too early. */
export function roundUpWaitSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}
