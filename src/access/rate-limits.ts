export const WINDOW_SECONDS = 60;
const WINDOW_MILLISECONDS = WINDOW_SECONDS * 1000;

/** Every accepted request of one key in the last minute: Unix milliseconds, oldest first. */
export interface RateWindow {
  keyId: string;
  acceptedAt: readonly number[];
}

export interface RateWindowStore {
  load(): Promise<RateWindow[]>;
  /** Takes the place of all windows kept before. */
  save(windows: readonly RateWindow[]): Promise<void>;
}

export type RateDecision =
  | {
      accepted: true;
      /** How many more would be accepted now. */
      remaining: number;
      /** Until when at least one more than that will be. */
      resetSeconds: number;
    }
  | { accepted: false; retryAfterSeconds: number };

/**
 * An exact sliding window: of the requests of one key never more than its limit are accepted in any
 * 60 seconds. Refused requests do not count.
 */
export class RateLimits {
  readonly #windows = new Map<string, Window>();
  #isDirty = false;

  take(keyId: string, limitPerMinute: number, nowMilliseconds: number): RateDecision {
    const window = this.#windows.get(keyId) ?? new Window();
    this.#windows.set(keyId, window);
    const decision = window.take(limitPerMinute, nowMilliseconds);
    if (decision.accepted) this.#isDirty = true;
    return decision;
  }

  /** Has anything been accepted since the last snapshot? */
  isDirty(): boolean {
    return this.#isDirty;
  }

  /** What has to survive a restart. Windows without a request in the last minute are let go. */
  snapshot(nowMilliseconds: number): RateWindow[] {
    this.#isDirty = false;
    for (const [keyId, window] of this.#windows) {
      if (window.isIdle(nowMilliseconds)) this.#windows.delete(keyId);
    }
    return [...this.#windows].map(([keyId, window]) => ({
      keyId,
      acceptedAt: window.acceptedSince(nowMilliseconds - WINDOW_MILLISECONDS),
    }));
  }

  restore(windows: readonly RateWindow[]): void {
    for (const { keyId, acceptedAt } of windows) {
      const window = new Window();
      for (const at of acceptedAt) window.add(at, acceptedAt.length);
      this.#windows.set(keyId, window);
    }
  }
}

/** A ring of the latest accepted requests, as many as the highest limit asked for so far. */
class Window {
  #ring = new Float64Array(0);
  #count = 0;
  #next = 0;

  take(limit: number, nowMilliseconds: number): RateDecision {
    this.#allowForClockSetBack(nowMilliseconds);
    if (this.#count >= limit) {
      const freeAt = this.#latest(limit) + WINDOW_MILLISECONDS;
      if (freeAt > nowMilliseconds) {
        return { accepted: false, retryAfterSeconds: seconds(freeAt - nowMilliseconds) };
      }
    }
    this.add(nowMilliseconds, limit);
    const current = this.#countSince(nowMilliseconds - WINDOW_MILLISECONDS);
    return {
      accepted: true,
      remaining: Math.max(0, limit - current),
      resetSeconds: seconds(this.#latest(current) + WINDOW_MILLISECONDS - nowMilliseconds),
    };
  }

  add(at: number, sizeMin: number): void {
    if (this.#ring.length < sizeMin) this.#grow(sizeMin);
    this.#ring[this.#next] = at;
    this.#next = (this.#next + 1) % this.#ring.length;
    this.#count = Math.min(this.#count + 1, this.#ring.length);
  }

  /** Oldest first; those at exactly `since` are no longer in the window. */
  acceptedSince(since: number): number[] {
    const count = this.#countSince(since);
    return Array.from({ length: count }, (_, position) => this.#latest(count - position));
  }

  isIdle(nowMilliseconds: number): boolean {
    return this.#count === 0 || this.#latest(1) <= nowMilliseconds - WINDOW_MILLISECONDS;
  }

  /** By halving, as the ring is in order. */
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

  /** The request accepted last is 1, the one before 2; there must be as many. */
  #latest(back: number): number {
    const size = this.#ring.length;
    return this.#ring[(this.#next - back + size) % size] ?? 0;
  }

  #grow(size: number): void {
    const kept = this.acceptedSince(Number.NEGATIVE_INFINITY);
    this.#ring = new Float64Array(size);
    this.#ring.set(kept);
    this.#count = kept.length;
    this.#next = kept.length % size;
  }

  /** Moves the window back with the clock, so that nobody waits longer than a minute. */
  #allowForClockSetBack(nowMilliseconds: number): void {
    if (this.#count === 0) return;
    const ahead = this.#latest(1) - nowMilliseconds;
    if (ahead <= 0) return;
    this.#ring = this.#ring.map((at) => at - ahead);
  }
}

function seconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}
