import type { Log } from "../log.ts";

const SECOND_MILLISECONDS = 1000;
const MINUTE_MILLISECONDS = 60 * SECOND_MILLISECONDS;
const HOUR_MILLISECONDS = 60 * MINUTE_MILLISECONDS;
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;

/** A larger difference between the wall clock and the monotonic clock counts as a jump. */
const JUMP_MILLISECONDS = 10 * SECOND_MILLISECONDS;
const TRUST_DELAY_MILLISECONDS = 10 * MINUTE_MILLISECONDS;
/** After a longer downtime, a start is treated as if the wall clock had jumped. */
const DOWNTIME_MILLISECONDS_MAX = HOUR_MILLISECONDS;
/** Allowed clock difference between processes on one record. */
const SKEW_MILLISECONDS_MAX = MINUTE_MILLISECONDS;
/** Every jump makes the wall clock untrusted. A jump longer than this also resets the running time to 0. */
const LONG_JUMP_MILLISECONDS = DAY_MILLISECONDS;
const RUNNING_MILLISECONDS = DAY_MILLISECONDS;
const SAVE_EVERY_MILLISECONDS = MINUTE_MILLISECONDS;

/**
 * The kind of work that a clock task does: `publishes` content, `destroys` data permanently, `sends` from a
 * queue, `counts` usage. The kind decides how far the time must be trusted before the task may run.
 */
export type ClockTaskKind = "publishes" | "destroys" | "sends" | "counts";

/** Trusted time as saved in the record. */
export interface SavedTime {
  /** Last trusted time: ISO 8601, UTC. */
  at: string;
  /**
   * How long the site has run since the system's time last jumped far, summed over restarts and measured with a
   * monotonic clock.
   */
  ranMilliseconds: number;
}

export interface SavedTimeStore {
  /**
   * Returns the saved time. If none was saved, returns the time of the latest change in the record, with a
   * running time of 0. Null for a new record.
   */
  load(): Promise<SavedTime | null>;
  save(seen: SavedTime): Promise<void>;
}

export interface TrustedTimeDependencies {
  store: SavedTimeStore;
  now: () => Date;
  /** Returns monotonic milliseconds. */
  monotonic: () => number;
  log: Pick<Log, "info" | "warn">;
}

interface ClockReading {
  wall: number;
  monotonic: number;
}

/**
 * Checks the wall clock against the monotonic clock and the last time saved in the record. After a jump,
 * tasks that publish wait until both clocks have agreed for 10 minutes. After a jump of more than a day,
 * tasks that destroy data also wait until the site has run for 24 hours.
 */
export class TrustedTime {
  readonly #parts: TrustedTimeDependencies;
  /** An earlier reading of both clocks. Later readings are compared with it to detect jumps. */
  #anchor: ClockReading;
  /** The last trusted reading, if the wall clock is not trusted now; otherwise null. */
  #trusted: ClockReading | null = null;
  #lastCheck: ClockReading;
  /**
   * Monotonic time, in milliseconds, of the last jump of the wall clock, or of the start of the process.
   * Since then, the wall clock and the monotonic clock have advanced alike.
   */
  #agreeingSince: number;
  #savedAt = Number.NEGATIVE_INFINITY;
  #seenAt: string;
  #ran: number;
  #jumps = 0;

  private constructor(parts: TrustedTimeDependencies, seen: SavedTime | null) {
    this.#parts = parts;
    this.#anchor = this.#readClocks();
    const { wall, monotonic } = this.#anchor;
    this.#lastCheck = this.#anchor;
    this.#agreeingSince = monotonic;
    this.#seenAt = seen?.at ?? new Date(wall).toISOString();
    this.#ran = seen?.ranMilliseconds ?? 0;
    const downtime = wall - Date.parse(this.#seenAt);
    if (downtime < -SKEW_MILLISECONDS_MAX || downtime > DOWNTIME_MILLISECONDS_MAX) {
      this.#trusted = { wall: Date.parse(this.#seenAt), monotonic };
      this.#distrust(downtime, "The clock is far from the time this site ran last");
    }
  }

  /** @throws errors of the store. */
  static async open(parts: TrustedTimeDependencies): Promise<TrustedTime> {
    return new TrustedTime(parts, await parts.store.load());
  }

  /** Jumps of the wall clock since the start. */
  get jumps(): number {
    return this.#jumps;
  }

  /** Whether the wall clock is trusted. Reads the clocks now instead of using the last check. */
  get isTrusted(): boolean {
    return (
      this.#trusted === null && Math.abs(this.#driftAt(this.#readClocks())) <= JUMP_MILLISECONDS
    );
  }

  /**
   * The time for delays, such as those of retries and claims. A jump of the wall clock does not affect it
   * until the new time is trusted.
   */
  steadyNow(): Date {
    const reading = this.#readClocks();
    const hasJumped = Math.abs(this.#driftAt(reading)) > JUMP_MILLISECONDS;
    const base = this.#trusted ?? (hasJumped ? this.#anchor : reading);
    return new Date(base.wall + reading.monotonic - base.monotonic);
  }

  /** Whether tasks of this kind may run, according to the last check of the clocks. */
  allows(kind: ClockTaskKind): boolean {
    switch (kind) {
      case "publishes":
        return this.#trusted === null;
      case "destroys":
        return this.#trusted === null && this.#ran >= RUNNING_MILLISECONDS;
      case "sends":
      case "counts":
        return true;
    }
  }

  /**
   * Compares the wall clock with the monotonic clock. Call before each round of tasks.
   *
   * @returns the checked time. Tasks must use this time, because the clock may jump at any time.
   * @throws errors of the store.
   */
  async check(): Promise<Date> {
    const reading = this.#readClocks();
    const elapsed = reading.monotonic - this.#lastCheck.monotonic;
    this.#lastCheck = reading;
    const drift = this.#driftAt(reading);
    if (Math.abs(drift) > JUMP_MILLISECONDS) {
      this.#jumps += 1;
      this.#trusted ??= this.#anchor;
      this.#anchor = reading;
      this.#agreeingSince = reading.monotonic;
      this.#distrust(drift, "The clock jumped");
    } else if (this.#trusted === null) {
      this.#ran += elapsed;
    } else if (reading.monotonic - this.#agreeingSince >= TRUST_DELAY_MILLISECONDS) {
      this.#trusted = null;
      this.#parts.log.info("The clock has been steady for 10 minutes: publishing resumes");
    }
    if (reading.monotonic - this.#anchor.monotonic >= TRUST_DELAY_MILLISECONDS)
      this.#anchor = reading;
    if (reading.monotonic - this.#savedAt >= SAVE_EVERY_MILLISECONDS) await this.save();
    return new Date(reading.wall);
  }

  /**
   * Saves the trusted time. `check` calls this regularly. Call it before the process ends, too.
   *
   * @throws errors of the store.
   */
  async save(): Promise<void> {
    const { wall, monotonic } = this.#lastCheck;
    if (this.#trusted === null) this.#seenAt = new Date(wall).toISOString();
    await this.#parts.store.save({ at: this.#seenAt, ranMilliseconds: this.#ran });
    this.#savedAt = monotonic;
  }

  #distrust(milliseconds: number, message: string): void {
    const { wall } = this.#lastCheck;
    this.#savedAt = Number.NEGATIVE_INFINITY;
    if (Math.abs(milliseconds) > LONG_JUMP_MILLISECONDS) this.#ran = 0;
    const from = new Date(wall - milliseconds).toISOString();
    const line = { from, to: new Date(wall).toISOString() };
    const hours = Math.ceil(Math.max(0, RUNNING_MILLISECONDS - this.#ran) / HOUR_MILLISECONDS);
    this.#parts.log.warn(
      line,
      `${message}: publishing waits until it has been steady for 10 minutes, purging for ${hours} hours of running time`,
    );
  }

  #driftAt({ wall, monotonic }: ClockReading): number {
    return wall - this.#anchor.wall - (monotonic - this.#anchor.monotonic);
  }

  #readClocks(): ClockReading {
    return { wall: this.#parts.now().getTime(), monotonic: this.#parts.monotonic() };
  }
}
